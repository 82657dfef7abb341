import type { Db, Trx } from '#server/platform/pg/database.ts'
import { log } from '#server/platform/log.ts'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import type { ClickIdKeys } from '#server/rules/click/click-id.ts'
import { findClicks, keyOf, loadClickKeys, type StoredClick } from '../../click/click.queries.ts'
import {
  claimDue,
  getIncomingSettings,
  listLines,
  lockIncoming,
  lockLine,
  settleIncoming,
  waitsBefore,
  type IncomingResult,
  type IncomingSettings,
  type StoredPostback,
} from './incoming.queries.ts'
import { identify, interpret, type TermsOf } from './interpret.service.ts'
import type { Identified, Interpreted } from './interpreted.ts'
import { postbackFields, type PostbackFields } from './parse.service.ts'
import { applyInterpreted, GIVE_UP_AFTER, LONGEST_WAIT } from './receive.service.ts'
import { refused } from './refused.ts'

export type ReadAgain = { identified: Identified; interpreted: Interpreted }
type Ready = ReadAgain & { waiting: StoredPostback }

/**
 * Looks for the clicks of waiting postbacks, all of them in one query, and applies those whose click has come, with all
 * that wait for the same click, in the order in which they came: a correction must not overtake what it corrects. Answers
 * how many were settled. Young ones are looked for every 300 ms, older ones less and less often.
 */
export async function attributeWaiting(db: Db, clickhouse: Clickhouse, now: number, batch = 500): Promise<number> {
  const due = await claimDue(db, now, batch)
  if (due.length === 0) return 0
  const [keys, settings] = await Promise.all([loadClickKeys(db, now), getIncomingSettings(db)])
  let settled = 0
  const known = new Map<string, Ready>()
  const readAll = async (stored: readonly StoredPostback[]): Promise<Ready[]> => {
    const ready: Ready[] = []
    for (const waiting of stored) {
      const read = known.get(waiting.id) ?? (await readAgain(db, keys, settings, waiting))
      if ('refusal' in read) {
        settled += await settleOne(db, waiting.id, () => Promise.resolve(read.refusal))
        continue
      }
      const one = { ...read, waiting }
      known.set(waiting.id, one)
      ready.push(one)
    }
    return ready
  }
  const looked = await readAll(due)
  const clicks = await findClicks(
    clickhouse,
    looked.map((one) => one.identified.parts),
  )
  const clickOf = (one: Ready) => clicks.get(keyOf(one.identified.parts)) ?? null
  const found = new Set(looked.filter((one) => clickOf(one) !== null).map((one) => one.interpreted.of.clickId))
  const lines = await readAll(await listLines(db, [...found], batch))
  const late = looked.filter((one) => clickOf(one) === null && now - one.waiting.receivedAt >= GIVE_UP_AFTER)
  for (const one of [...lines, ...late]) settled += await settleReady(db, one, clickOf(one), now)
  return settled
}

/** What a stored postback says by now: its words may have been mapped since. */
export async function readAgain(
  db: Db,
  keys: ClickIdKeys,
  settings: IncomingSettings,
  waiting: StoredPostback,
  termsOf?: TermsOf,
): Promise<ReadAgain | { refusal: IncomingResult }> {
  const fields = postbackFields.safeParse(waiting.fields)
  return fields.success ? understood(db, keys, settings, fields.data, termsOf) : { refusal: refused({ refusal: 'body_invalid' }) }
}

/** What is said in a postback that was parsed, and about whom; `termsOf` may tell of a dialect that is only tried. */
export async function understood(
  db: Db,
  keys: ClickIdKeys,
  settings: IncomingSettings,
  fields: PostbackFields,
  termsOf?: TermsOf,
): Promise<ReadAgain | { refusal: IncomingResult }> {
  const identified = await identify(db, keys, fields, termsOf)
  if ('refusal' in identified) return { refusal: refused(identified) }
  const interpreted = await interpret(db, identified, fields, settings)
  return 'refusal' in interpreted ? { refusal: refused(interpreted) } : { identified, interpreted }
}

function settleReady(db: Db, { waiting, interpreted }: Ready, click: StoredClick | null, now: number): Promise<number> {
  const { clickId } = interpreted.of
  return settleOne(db, waiting.id, async (trx) => {
    await lockLine(trx, clickId)
    // another worker has it, or it could not be applied just now
    if (await waitsBefore(trx, clickId, waiting.id, now - LONGEST_WAIT)) return null
    const result = await applyInterpreted(trx, interpreted, click, waiting.receivedAt, now)
    return result.outcome === 'waiting' ? { ...result, outcome: 'unmatched' } : result
  })
}

/** Settles one postback unless somebody else has; a failure leaves it for the next look and does not stop the others. */
export async function settleOne(
  db: Db,
  id: string,
  work: (trx: Trx) => Promise<IncomingResult | null>,
  from: Parameters<typeof lockIncoming>[2] = ['waiting'],
): Promise<number> {
  try {
    return await db.transaction().execute(async (trx) => {
      const result = (await lockIncoming(trx, id, from)) && (await work(trx))
      if (!result) return 0
      await settleIncoming(trx, id, result)
      return 1
    })
  } catch (error) {
    log.error({ err: error, postback: id }, 'a waiting postback could not be applied')
    return 0
  }
}
