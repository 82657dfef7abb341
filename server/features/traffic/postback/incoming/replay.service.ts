import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import { attempt } from '#server/platform/pg/attempt.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { readClickId, type ClickIdKeys } from '#server/rules/click/click-id.ts'
import { isOnPath } from '#server/rules/conversion/dialect/naming.ts'
import { POSTBACK_PATH } from '#server/rules/conversion/postback-hand-over.ts'
import { findClicks, keyOf, loadClickKeys, type StoredClick } from '../../click/click.queries.ts'
import { loadTerms, type OfferTerms } from '../../conversion/terms.queries.ts'
import { authorizeAgain } from './authorize.service.ts'
import {
  getIncomingSettings,
  listUnapplied,
  type IncomingResult,
  type IncomingSettings,
  type UnappliedPostback,
} from './incoming.queries.ts'
import { settleEarlyRefunds } from './booked-since.service.ts'
import type { TermsOf } from './interpret.service.ts'
import { callsIn, parsePostback, postbackFields } from './parse.service.ts'
import { applyInterpreted } from './receive.service.ts'
import { refused } from './refused.ts'
import { countCapped, sumConversions } from './rehearsed.queries.ts'
import { readAgain, settleOne, understood, type ReadAgain } from './waiting.service.ts'

type Parts = { db: Db; clickhouse: Clickhouse }
/** `reason`: a code of POSTBACK_REFUSALS, or waiting. */
type StillRefused = { id: string; reason: string; parameter: string }
type Ready = { row: UnappliedPostback; said: (ReadAgain & { click: StoredClick | null })[] }
/** `confirmed`: an admin has said so; `as`: how an advertiser would report, which nobody has saved. */
type How = { confirmed?: boolean; as?: { advertiserId: number; spoken: OfferTerms['spoken'] } }

/**
 * Applies refused or unmatched postbacks again, and those held for review, because staff ask for it, as their advertisers report by now. What was not
 * authorised when it came has to be by now, unless an admin `confirmed` it. Answers how many found a conversion, how many
 * nobody has authorised, and why the others are as they were.
 */
export async function replayIncoming(
  parts: Parts,
  now: number,
  ids: readonly string[],
  confirmed = false,
): Promise<{ replayed: number; unauthorized: number; failed: StillRefused[] }> {
  // refunds that were told before their order was booked
  let replayed = await settleEarlyRefunds(parts.db, now, ids)
  const { ready, unauthorized, failed } = await readyToApply(parts, now, ids, { confirmed })
  for (const { row, said } of ready) {
    replayed += await settleOne(
      parts.db,
      row.id,
      async (trx) => {
        const result = await applyAll(trx, { row, said }, now)
        if (isApplied(result)) return result
        failed.push(stillRefused(row.id, result))
        return null
      },
      ['refused', 'unmatched', 'held_for_review'],
    )
  }
  return { replayed, unauthorized, failed }
}

export type Rehearsed = {
  sums: Awaited<ReturnType<typeof sumConversions>>
  /** Of those declined: by a full cap. */
  full: Awaited<ReturnType<typeof countCapped>>
  /** How many calls would find a conversion, also one that is as they say already. */
  applied: number
  unauthorized: number
  failed: StillRefused[]
}

/** What a replay would book, by status and currency, and what would stay refused; nothing is kept of it. */
export async function rehearseReplay(parts: Parts, now: number, ids: readonly string[], how: How): Promise<Rehearsed> {
  const { ready, unauthorized, failed } = await readyToApply(parts, now, ids, how)
  const rehearsal = new Rehearsal()
  let applied = 0
  try {
    await parts.db.transaction().execute(async (trx) => {
      const conversions = new Set<string>()
      for (const one of ready) {
        const result = await applyAll(trx, one, now)
        if (!isApplied(result)) {
          failed.push(stillRefused(one.row.id, result))
          continue
        }
        applied++
        for (const id of result.booked) conversions.add(id)
      }
      rehearsal.sums = await sumConversions(trx, [...conversions])
      rehearsal.full = await countCapped(trx, [...conversions])
      throw rehearsal
    })
  } catch (error) {
    if (error !== rehearsal) throw error
  }
  return { sums: rehearsal.sums, full: rehearsal.full, applied, unauthorized, failed }
}

/** Applies what a call says; of one that says several things all or nothing. */
async function applyAll(trx: Trx, { row, said }: Ready, now: number): Promise<IncomingResult & { booked: string[] }> {
  const booked: string[] = []
  const apply = async (): Promise<IncomingResult> => {
    let last: IncomingResult = refused({ refusal: 'body_list' })
    for (const { interpreted, click } of said) {
      last = await applyInterpreted(trx, interpreted, click, row.receivedAt, now, true)
      if (!isApplied(last)) return last
      const isNews = last.outcome === 'created' || last.outcome === 'changed' || last.outcome === 'amount_changed'
      if (isNews && last.conversionId !== null) booked.push(last.conversionId)
    }
    return last
  }
  const result = said.length === 1 ? await apply() : await attempt(trx, apply, isApplied)
  return { ...result, booked: isApplied(result) ? booked : [] }
}

function isApplied({ outcome }: IncomingResult): boolean {
  return outcome !== 'refused' && outcome !== 'waiting'
}

async function readyToApply(
  { db, clickhouse }: Parts,
  now: number,
  ids: readonly string[],
  { confirmed = false, as }: How,
): Promise<{ ready: Ready[]; unauthorized: number; failed: StillRefused[] }> {
  if (ids.length === 0) return { ready: [], unauthorized: 0, failed: [] }
  const [rows, keys, settings] = await Promise.all([listUnapplied(db, ids), loadClickKeys(db, now), getIncomingSettings(db)])
  const termsOf = await termsFor(db, keys, rows, as)
  const found: { row: UnappliedPostback; said: ReadAgain[] }[] = []
  const failed: StillRefused[] = []
  let unauthorized = 0
  for (const row of rows) {
    const said = await readKept(db, keys, settings, row, termsOf)
    if ('refusal' in said) failed.push(stillRefused(row.id, said.refusal))
    else if (!confirmed && said.some(({ identified }) => authorizeAgain(row.sent, identified.terms, settings, now) !== null)) unauthorized++
    else found.push({ row, said })
  }
  const clicks = await findClicks(
    clickhouse,
    found.flatMap(({ said }) => said.map(({ identified }) => identified.parts)),
  )
  const ready = found.map(({ row, said }) => ({
    row,
    said: said.map((one) => ({ ...one, click: clicks.get(keyOf(one.identified.parts)) ?? null })),
  }))
  return { ready, unauthorized, failed }
}

/** The terms of the offers some calls are about, all in one statement, with the dialect that is tried. */
async function termsFor(db: Db, keys: ClickIdKeys, rows: readonly UnappliedPostback[], as: How['as']): Promise<TermsOf> {
  const offers = rows.flatMap(({ clickId }) => readClickId(clickId, keys)?.offerId ?? [])
  const known = offers.length === 0 ? new Map<number, OfferTerms>() : await loadTerms(db, offers)
  return async (offerId) => {
    const terms = known.get(offerId) ?? (await loadTerms(db, [offerId])).get(offerId)
    return terms && as?.advertiserId === terms.advertiser_id ? { ...terms, spoken: as.spoken } : terms
  }
}

/** What a kept call says by now: its advertiser may have a dialect since, or words mapped. */
async function readKept(
  db: Db,
  keys: ClickIdKeys,
  settings: IncomingSettings,
  row: UnappliedPostback,
  termsOf: TermsOf,
): Promise<ReadAgain[] | { refusal: IncomingResult }> {
  const parts = readClickId(row.clickId, keys)
  const dialect = parts === null ? null : ((await termsOf(parts.offerId))?.spoken?.dialect ?? null)
  const call = { ...row.call, content_type: '', headers: {} }
  const isRefund = postbackFields.safeParse(row.fields).data?.refund !== undefined
  if (isRefund && row.clickId === '') return { refusal: refused({ refusal: 'refund_early' }) }
  if (dialect === null || isRefund || (call.path !== POSTBACK_PATH && !isOnPath(dialect, call.path))) {
    const read = await readAgain(db, keys, settings, row, termsOf)
    return 'refusal' in read ? read : [read]
  }
  const said: ReadAgain[] = []
  for (const one of callsIn(call, dialect)) {
    const parsed = parsePostback(one, dialect)
    const read =
      parsed.refusal === null
        ? await understood(db, keys, settings, parsed.fields, termsOf)
        : { refusal: refused({ refusal: parsed.refusal }) }
    if ('refusal' in read) return read
    said.push(read)
  }
  return said
}

function stillRefused(id: string, { outcome, reason, answer }: IncomingResult): StillRefused {
  return { id, reason: reason || outcome, parameter: String(answer.body['parameter'] ?? '') }
}

/** Takes the transaction back once it is known what it would have made. */
class Rehearsal extends Error {
  sums: Rehearsed['sums'] = []
  full: Rehearsed['full'] = []
}
