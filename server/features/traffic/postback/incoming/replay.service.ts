import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { findClicks, keyOf, loadClickKeys, type StoredClick } from '../../click/click.queries.ts'
import { authorizeAgain } from './authorize.service.ts'
import { getIncomingSettings, listUnapplied, sumConversions, type IncomingResult, type UnappliedPostback } from './incoming.queries.ts'
import { applyInterpreted } from './receive.service.ts'
import { readAgain, settleOne, type ReadAgain } from './waiting.service.ts'

type Parts = { db: Db; clickhouse: Clickhouse }
/** `reason`: a code of POSTBACK_REFUSALS, or waiting. */
type StillRefused = { id: string; reason: string; parameter: string }
type Ready = ReadAgain & { row: UnappliedPostback; click: StoredClick | null }

/**
 * Applies refused or unmatched postbacks again, because staff ask for it. What was not authorised when it came has to be
 * by now, unless an admin `confirmed` it. Answers how many found a conversion, how many nobody has authorised, and why the
 * others are as they were.
 */
export async function replayIncoming(
  parts: Parts,
  now: number,
  ids: readonly string[],
  confirmed = false,
): Promise<{ replayed: number; unauthorized: number; failed: StillRefused[] }> {
  const { ready, unauthorized, failed } = await readyToApply(parts, now, ids, confirmed)
  let replayed = 0
  for (const { row, interpreted, click } of ready) {
    replayed += await settleOne(
      parts.db,
      row.id,
      async (trx) => {
        const result = await applyInterpreted(trx, interpreted, click, row.receivedAt, now)
        if (result.outcome !== 'refused' && result.outcome !== 'waiting') return result
        failed.push(stillRefused(row.id, result))
        return null
      },
      ['refused', 'unmatched'],
    )
  }
  return { replayed, unauthorized, failed }
}

/** What a confirmed replay would book, by status and currency; nothing is kept of it. */
export async function rehearseReplay(parts: Parts, now: number, ids: readonly string[]) {
  const { ready } = await readyToApply(parts, now, ids, true)
  const rehearsal = new Rehearsal()
  try {
    await parts.db.transaction().execute(async (trx) => {
      const conversions = new Set<string>()
      for (const { row, interpreted, click } of ready) {
        const { outcome, conversionId } = await applyInterpreted(trx, interpreted, click, row.receivedAt, now)
        if ((outcome === 'created' || outcome === 'changed' || outcome === 'amount_changed') && conversionId !== null)
          conversions.add(conversionId)
      }
      rehearsal.sums = await sumConversions(trx, [...conversions])
      throw rehearsal
    })
  } catch (error) {
    if (error !== rehearsal) throw error
  }
  return rehearsal.sums
}

async function readyToApply(
  { db, clickhouse }: Parts,
  now: number,
  ids: readonly string[],
  confirmed: boolean,
): Promise<{ ready: Ready[]; unauthorized: number; failed: StillRefused[] }> {
  if (ids.length === 0) return { ready: [], unauthorized: 0, failed: [] }
  const [rows, keys, settings] = await Promise.all([listUnapplied(db, ids), loadClickKeys(db, now), getIncomingSettings(db)])
  const found: (ReadAgain & { row: UnappliedPostback })[] = []
  const failed: StillRefused[] = []
  let unauthorized = 0
  for (const row of rows) {
    const read = await readAgain(db, keys, settings, row)
    if ('refusal' in read) failed.push(stillRefused(row.id, read.refusal))
    else if (!confirmed && authorizeAgain(row.sent, read.identified.terms, settings) !== null) unauthorized++
    else found.push({ ...read, row })
  }
  const clicks = await findClicks(
    clickhouse,
    found.map(({ identified }) => identified.parts),
  )
  return { ready: found.map((one) => ({ ...one, click: clicks.get(keyOf(one.identified.parts)) ?? null })), unauthorized, failed }
}

function stillRefused(id: string, { outcome, reason, answer }: IncomingResult): StillRefused {
  return { id, reason: reason || outcome, parameter: String(answer.body['parameter'] ?? '') }
}

/** Takes the transaction back once it is known what it would have made. */
class Rehearsal extends Error {
  sums: Awaited<ReturnType<typeof sumConversions>> = []
}
