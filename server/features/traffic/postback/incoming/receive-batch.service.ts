import { log } from '#server/platform/log.ts'
import { isAway } from '#server/platform/pg/away.ts'
import { within } from '#server/platform/within.ts'
import type { PostbackVerdict } from '#server/rules/conversion/postback-hand-over.ts'
import { likeClickIds } from '#server/rules/click/click-id.ts'
import { readHandOver, receiveParsed, type HandedOver, type ReceiveParts } from './receive.service.ts'

/** Leaves connections of the pool to everybody else. */
const AT_ONCE = 8
/** Nothing more is begun after this long, so that the tracker gets its answer within its ten seconds. */
const BEGIN_WITHIN_MS = 5_000
/** One that hangs, on a lock for example, has failed after this long: its batch does not wait for it. */
const ANSWER_WITHIN_MS = 4_000

/**
 * Takes a tracker's batch of postbacks, several at once; those that share a click or a transaction come one after the
 * other, in their order, because a correction must not overtake what it corrects. Behind one that fails or hangs they are
 * left for `later`, and so is all the rest once a database is away. Never throws; answers within ten seconds. What hung may
 * still be applied: the next hand-over knows it by its id.
 */
export async function receivePostbacks(parts: ReceiveParts, handovers: readonly unknown[]): Promise<PostbackVerdict[]> {
  const verdicts = handovers.map((): PostbackVerdict => 'later')
  const lock = createKeyedMutex()
  const failed = new Set<string>()
  const until = performance.now() + BEGIN_WITHIN_MS
  let away = false

  const receiveOne = async (handover: unknown): Promise<PostbackVerdict> => {
    const handed = readHandOver(handover)
    if (handed === null) return { status: 400, body: { status: 'error' } }
    const keys = orderKeys(handed)
    const release = await lock(keys)
    let verdict: PostbackVerdict = 'later'
    try {
      if (away || performance.now() > until || keys.some((key) => failed.has(key))) return verdict
      const { httpStatus, body } = await within(ANSWER_WITHIN_MS, receiveParsed(parts, handed))
      verdict = { status: httpStatus, body }
    } catch (error) {
      away ||= isAway(error)
      if (!isAway(error)) verdict = 'failed'
      log.error({ err: error, postback: handed.received.id }, 'a postback could not be taken')
    } finally {
      if (typeof verdict === 'string') for (const key of keys) failed.add(key)
      release()
    }
    return verdict
  }
  const waiting = handovers.entries()
  const work = async () => {
    for (const [index, handover] of waiting) verdicts[index] = await receiveOne(handover)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return verdicts
}

/**
 * A conversion is known by transaction or by click; without a click id a postback changes nothing. A dialect may have it
 * anywhere: whatever looks like one counts, for it costs no more than an order.
 */
function orderKeys({ received: { path, query, body }, parsed: { fields } }: HandedOver): string[] {
  const { click_id, txn_id } = fields
  const alike = click_id === '' ? [path, query, body].flatMap(likeClickIds) : [click_id]
  return [...new Set(alike.map((id) => `click ${id}`)), ...(txn_id === '' || click_id === '' ? [] : [`transaction ${txn_id}`])]
}

/** Lets those that share a key come one after the other, in the order in which they ask; the answer is the caller's release. */
function createKeyedMutex(): (keys: readonly string[]) => Promise<() => void> {
  const latest = new Map<string, Promise<void>>()
  return async (keys) => {
    const before = keys.map((key) => latest.get(key))
    const { promise: released, resolve } = Promise.withResolvers<void>()
    for (const key of keys) latest.set(key, released)
    await Promise.all(before)
    return resolve
  }
}
