import type { ConversionStatus } from '#contract/traffic/conversion.ts'
import { insertOwnPostback } from '#server/features/traffic/postback/own.queries.ts'
import { insertRows, recordsOf } from '#server/platform/pg/bulk.ts'
import type { Db } from '#server/platform/pg/database.ts'
import type { OutboundError } from '#server/platform/outbound/send.ts'
import { sql } from 'kysely'
import type { Random } from './random.ts'

const HOUR = 3_600_000

/** So many affiliates, the busiest ones, have postbacks; a few of them have several. */
const AFFILIATES_WITH_POSTBACKS = 16
const PATHS = [
  'postback?subid={aff_click_id}&status={status}&payout={payout}&currency={currency}',
  'pb/conversion?cid={aff_click_id}&txid={conversion_id}&st={status}&sum={payout}',
  's2s?clickid={aff_click_id}&event={goal}&amount={payout}&sub1={sub1}',
]
const statusesOf = (rank: number, place: number): ConversionStatus[] =>
  rank === 0 ? [] : place < AFFILIATES_WITH_POSTBACKS ? ['pending', 'approved', 'hold'] : ['declined', 'trash']
/** What a postback carries by its place: some partners take JSON and tell us apart by a header. */
const messageOf = (place: number) =>
  place % 3 === 1 && place > 3
    ? {
        body_type: 'json' as const,
        body: '{\n  "click": "{aff_click_id}",\n  "event": "{goal}",\n  "status": "{status}",\n  "payout": {payout},\n  "currency": "{currency}"\n}',
        headers: [{ name: 'X-Source', value: 'ohma/{offer_id}' }],
      }
    : { body_type: 'query' as const, body: '', headers: [] }
/** What an affiliate's own postback is by its place: most work, some are paused, some fail so often that they are suspended. */
const stateOf = (place: number) => (place % 5 === 3 ? 'paused' : place % 4 === 2 ? 'suspended' : 'active')

/** Makes the affiliates' own postbacks, before there are conversions they could tell of. */
export async function makeOwnPostbacks(db: Db, at: number, affiliates: readonly number[]): Promise<void> {
  await db.transaction().execute(async (trx) => {
    for (let place = 0; place < AFFILIATES_WITH_POSTBACKS * 1.75; place++) {
      const rank = place % AFFILIATES_WITH_POSTBACKS
      const affiliateId = affiliates[rank]
      if (affiliateId === undefined) continue
      const form = {
        offer_uuid: null,
        goal: null,
        statuses: statusesOf(rank, place),
        method: place % 3 === 1 ? ('POST' as const) : ('GET' as const),
        url: `https://track${rank + 1}.partners.example/${PATHS[place % PATHS.length]}`,
        ...messageOf(place),
      }
      const { id } = await insertOwnPostback(trx, at + place * HOUR, affiliateId, null, form)
      if (stateOf(place) === 'paused') await trx.updateTable('affiliate_postback').set({ status: 'paused' }).where('id', '=', id).execute()
    }
  })
}

type Delivery = { id: string; postback_id: number; created_at: Date }
type Attempt = { at: Date; duration_ms: number; http_status: number | null; error: string; response: string }
type Failure = { http_status: number | null; error: OutboundError | ''; response: string; ms: number }

const FAILURES: readonly Failure[] = [
  { http_status: 500, error: '', response: 'Internal Server Error', ms: 240 },
  { http_status: 503, error: '', response: '<html><body>503 Service Unavailable</body></html>', ms: 90 },
  { http_status: 404, error: '', response: '{"error":"unknown subid"}', ms: 120 },
  { http_status: 429, error: '', response: 'Too Many Requests', ms: 60 },
  { http_status: null, error: 'timed_out', response: '', ms: 10_000 },
  { http_status: null, error: 'host_not_found', response: '', ms: 35 },
  { http_status: null, error: 'connection_refused', response: '', ms: 48 },
  { http_status: null, error: 'connection_reset', response: '', ms: 310 },
  { http_status: null, error: 'tls_failed', response: '', ms: 130 },
  { http_status: null, error: 'private_address', response: '', ms: 12 },
  { http_status: null, error: 'failed', response: '', ms: 75 },
]
/** The pauses between tries, near enough. */
const PAUSES = [10_000, 60_000, 300_000, 900_000, 1_800_000, HOUR, 3 * HOUR, 7 * HOUR, 12 * HOUR]

/**
 * Puts down what became of the deliveries, whose hosts exist nowhere: most arrived, some at a later try, some never; the
 * latest are on their way. Suspended postbacks failed before, and hold what came since.
 */
export async function settleDeliveries(db: Db, random: Random, now: number): Promise<void> {
  const postbacks = await db.selectFrom('affiliate_postback').select(['id', 'status']).orderBy('id').execute()
  const suspended = new Map<number, number>()
  for (const [place, { id }] of postbacks.entries()) if (stateOf(place) === 'suspended') suspended.set(id, now - (40 + place * 6) * HOUR)
  const deliveries: Delivery[] = await db
    .selectFrom('postback_delivery')
    .select(['id', 'postback_id', 'created_at'])
    .where('state', '=', 'queued')
    // not by number: what came at once has them in the order the database answered
    .orderBy('created_at')
    .orderBy('postback_id')
    .orderBy('id')
    .execute()
  const attempts: (Attempt & { delivery_id: string })[] = []
  const settled = deliveries.map((delivery, index) => {
    const stopped = suspended.get(delivery.postback_id)
    const outcome = outcomeOf(random, delivery, index, now, stopped)
    attempts.push(...outcome.attempts.map((attempt) => ({ delivery_id: delivery.id, ...attempt })))
    return outcome.row
  })
  await sql`
    update postback_delivery d
       set state = r.state, tries = r.tries, next_try_at = r.next_try_at, http_status = r.http_status, error = r.error, done_at = r.done_at
      from ${recordsOf('postback_delivery', settled)} r where d.id = r.id`.execute(db)
  await insertRows(db, 'postback_attempt', attempts)
  for (const [id, at] of suspended)
    await db
      .updateTable('affiliate_postback')
      .set({ status: 'suspended', suspended_at: new Date(at), failures: 50 })
      .where('id', '=', id)
      .execute()
}

function outcomeOf(random: Random, { id, created_at }: Delivery, index: number, now: number, stopped: number | undefined) {
  const at = created_at.getTime()
  const row = { id, next_try_at: null as Date | null, http_status: null as number | null, error: '', done_at: null as Date | null }
  if (stopped !== undefined && at > stopped) return { row: { ...row, state: 'held', tries: 0, next_try_at: created_at }, attempts: [] }
  const fails = stopped !== undefined && at > stopped - 36 * HOUR
  // each kind of failure in turn; every sixteenth fails at first, every twentieth for good
  const failure = FAILURES[index % FAILURES.length]!
  const isDead = (fails || index % 20 === 7) && at < now - 26 * HOUR
  const isWaiting = !isDead && (fails || (at > now - 22 * HOUR && index % 3 === 1))
  const tries = isDead ? 10 : isWaiting ? 1 + (index % 4) : index % 16 === 3 ? 2 + (index % 3) : 1
  const attempts: Attempt[] = []
  let moment = at + random.whole(200, 2_500)
  for (let attempt = 0; attempt < tries; attempt++) {
    const arrives = !isDead && !isWaiting && attempt === tries - 1
    if (moment > now) break
    attempts.push(
      arrives
        ? { at: new Date(moment), duration_ms: random.whole(30, 420), http_status: 200, error: '', response: 'OK' }
        : {
            at: new Date(moment),
            duration_ms: failure.ms,
            http_status: failure.http_status,
            error: failure.error,
            response: failure.response,
          },
    )
    moment += PAUSES[Math.min(attempt, PAUSES.length - 1)]! * (0.8 + 0.4 * random.next())
  }
  const last = attempts.at(-1)
  const arrived = last?.http_status === 200
  const state = arrived ? 'sent' : isDead ? 'dead' : 'queued'
  const error = last === undefined || arrived ? '' : last.error || `HTTP ${last.http_status}`
  return {
    row: {
      ...row,
      state,
      tries: attempts.length,
      http_status: last?.http_status ?? null,
      error,
      // what is on its way is tried again within the day
      next_try_at: state === 'queued' ? new Date(now + (1 + (index % 6)) * HOUR) : null,
      done_at: state === 'queued' ? null : (last?.at ?? null),
    },
    attempts,
  }
}
