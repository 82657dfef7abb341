import { log } from '#server/platform/log.ts'
import { isAway, isOfItsData } from '#server/platform/pg/away.ts'
import { within } from '#server/platform/within.ts'
import type { PostbackVerdict } from '#server/rules/conversion/postback-hand-over.ts'
import { likeClickIds } from '#server/rules/click/click-id.ts'
import { readHandOver, receiveParsed, type HandedOver, type ReceiveParts } from './receive.service.ts'
import { receiveTogether } from './receive-together.service.ts'
import { isThere } from '#server/platform/pg/there.ts'

/** Leaves connections of the pool to everybody else. */
const AT_ONCE = 8
/** So many are applied by one transaction, and so many of these run at once. */
const TOGETHER = 200
const TOGETHER_AT_ONCE = 2
/** Nothing more is begun after this long, so that the tracker gets its answer within its ten seconds. */
const BEGIN_WITHIN_MS = 5_000
/** One that hangs, on a lock for example, has failed after this long: its batch does not wait for it. */
const ANSWER_WITHIN_MS = 4_000
const PING_WITHIN_MS = 1_000

/**
 * Takes a tracker's batch of postbacks, several at once, and what is plain news of its own clicks together in one transaction; those that share a click or a transaction come one after the
 * other, in their order, because a correction must not overtake what it corrects. Behind one that fails or hangs they are
 * left for `later`, and so is all the rest once a database is away. One that fails for what it says itself is `faulty`, if the database
 * answers after it. Never throws; answers within ten seconds. What hung may
 * still be applied: the next hand-over knows it by its id.
 */
export async function receivePostbacks(parts: ReceiveParts, handovers: readonly unknown[]): Promise<PostbackVerdict[]> {
  const verdicts = handovers.map((): PostbackVerdict => 'later')
  const lock = createKeyedMutex()
  const failed = new Set<string>()
  const until = performance.now() + BEGIN_WITHIN_MS
  let away = false

  const read = handovers.map((handover) => {
    const handed = readHandOver(handover)
    return handed && { handed, keys: orderKeys(handed) }
  })
  const receiveOne = async ({ handed, keys }: Read): Promise<PostbackVerdict> => {
    const release = await lock(keys)
    let verdict: PostbackVerdict = 'later'
    try {
      if (away || performance.now() > until || keys.some((key) => failed.has(key))) return verdict
      const { httpStatus, body } = await within(ANSWER_WITHIN_MS, receiveParsed(parts, handed))
      verdict = { status: httpStatus, body }
    } catch (error) {
      away ||= isAway(error)
      if (!isAway(error)) verdict = isOfItsData(error) ? 'faulty' : 'failed'
      log.error({ err: error, postback: handed.received.id }, 'a postback could not be taken')
    } finally {
      if (typeof verdict === 'string') for (const key of keys) failed.add(key)
      release()
    }
    return verdict
  }
  const chunks = chunksOf(read).values()
  const workTogether = async () => {
    for (const chunk of chunks) {
      if (away || performance.now() > until) return
      try {
        const answers = await within(
          ANSWER_WITHIN_MS,
          receiveTogether(
            parts,
            chunk.map(({ handed }) => handed),
          ),
        )
        for (const [place, answer] of answers.entries())
          if (answer !== undefined) verdicts[chunk[place]?.index ?? -1] = { status: answer.httpStatus, body: answer.body }
      } catch (error) {
        away ||= isAway(error)
        // one of them is why: each is taken by itself
        log.warn({ err: error, postbacks: chunk.length }, 'postbacks could not be taken together')
      }
    }
  }
  await Promise.all(Array.from({ length: TOGETHER_AT_ONCE }, workTogether))

  const waiting = read.entries()
  const work = async () => {
    for (const [index, one] of waiting) {
      if (one === null) verdicts[index] = { status: 400, body: { status: 'error' } }
      else if (verdicts[index] === 'later') verdicts[index] = await receiveOne(one)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  // of a database that went away meanwhile nobody knows whose fault it was
  const isWell = verdicts.includes('faulty') && !away && (await within(PING_WITHIN_MS, isThere(parts.db)).catch(() => false))
  return isWell ? verdicts : verdicts.map((verdict) => (verdict === 'faulty' ? 'failed' : verdict))
}

type Read = { handed: HandedOver; keys: string[] }

/** Those nothing else of the batch shares a click or a transaction with, so many at a time. */
function chunksOf(read: readonly (Read | null)[]): (Read & { index: number })[][] {
  const shared = new Map<string, number>()
  for (const key of read.flatMap((one) => one?.keys ?? [])) shared.set(key, (shared.get(key) ?? 0) + 1)
  const single = read.flatMap((one, index) =>
    one !== null && one.keys.length > 0 && one.keys.every((key) => shared.get(key) === 1) ? [{ ...one, index }] : [],
  )
  if (single.length < 2) return []
  return Array.from({ length: Math.ceil(single.length / TOGETHER) }, (_none, place) =>
    single.slice(place * TOGETHER, (place + 1) * TOGETHER),
  )
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
