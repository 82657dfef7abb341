import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { log } from '#server/platform/log.ts'
import type { ReceivedPostback } from '#server/rules/conversion/postback-hand-over.ts'
import type { ClickIdKeys } from '#server/rules/click/click-id.ts'
import { cloneDatabase, type TestDatabase } from '#test/support/run/database.ts'
import { handOver, makeAffiliateId, makeClick, makeClickKeys, makeOffer } from '#test/support/make/money.ts'
import type { FindClick, StoredClick } from '../../click/click.queries.ts'
import { receivePostbacks } from './receive-batch.service.ts'
import { openReceiveParts, receivePostback, type ReceiveParts } from './receive.service.ts'

const NOW = Date.parse('2026-11-21T10:00:00Z')
const HOUR = 3_600_000
let database: TestDatabase
let keys: ClickIdKeys
let parts: ReceiveParts
const clicks = new Map<string, StoredClick>()
const nameOf = ({ affiliateId, at, random }: Parameters<FindClick>[0]) => `${affiliateId} ${at} ${random}`

beforeAll(async () => {
  database = await cloneDatabase()
  keys = await makeClickKeys(database.db)
  const findClick: FindClick = async (key) => clicks.get(nameOf(key)) ?? null
  parts = openReceiveParts({ db: database.db, findClick, clock: { now: () => NOW } })
})
afterAll(() => database.drop())

type Made = { offer: Awaited<ReturnType<typeof makeOffer>>; affiliateId: number }
/** A click of an offer; `stored` false = the engine does not have it yet. */
function clickOf({ offer, affiliateId }: Made, { stored = true, test: isTest = false } = {}): string {
  const click = makeClick(keys, { offerId: offer.id, affiliateId, at: NOW - HOUR })
  if (stored) clicks.set(nameOf({ ...click, affiliateId }), { ...click, reason: '', test: isTest } as unknown as StoredClick) // all a conversion takes of it
  return click.id
}

async function network() {
  const offers = await Promise.all([makeOffer(database.db), makeOffer(database.db), makeOffer(database.db, { dailyCap: 3 })])
  const affiliates = [await makeAffiliateId(database.db), await makeAffiliateId(database.db)]
  return offers.flatMap((offer) => affiliates.map((affiliateId) => ({ offer, affiliateId })))
}

/** Calls of every kind, in one order, about the clicks of one network. */
function callsFor(made: readonly Made[]): ReceivedPostback[] {
  const call = (of: Made | undefined, query: Record<string, string>, at = 0) =>
    handOver({ token: of?.offer.token ?? '', ...query }, { received_at: new Date(NOW - 60_000 + at).toISOString() })
  const [one, two, three, four, capped, alsoCapped] = made
  if (!one || !two || !three || !four || !capped || !alsoCapped) throw new Error('no network')
  const again = clickOf(one)
  const changes = clickOf(two)
  return [
    ...Array.from({ length: 8 }, (_none, index) =>
      call(
        index % 2 === 0 ? one : three,
        { click_id: clickOf(index % 2 === 0 ? one : three), status: 'approved', txn_id: `A-${index}` },
        index,
      ),
    ),
    call(four, { click_id: clickOf(four), status: 'declined' }, 10),
    call(four, { click_id: clickOf(four), status: 'pending' }, 11),
    call(one, { click_id: again, status: 'approved' }, 12),
    call(one, { click_id: again, status: 'approved' }, 13),
    call(two, { click_id: changes, status: 'pending' }, 14),
    call(two, { click_id: changes, status: 'approved' }, 15),
    call(two, { click_id: changes, status: 'declined' }, 16),
    call(one, { click_id: clickOf(one), status: 'approved', token: 'wrong' }, 17),
    call(one, { click_id: clickOf(one), status: 'sold-out' }, 18),
    call(one, { click_id: clickOf(one), status: 'approved', currency: 'XXQ' }, 19),
    call(one, { click_id: clickOf(one, { stored: false }), status: 'approved' }, 20),
    call(one, { click_id: clickOf(one, { test: true }), status: 'approved' }, 21),
    call(one, { click_id: 'nobody', status: 'approved' }, 22),
    call(one, { status: 'approved' }, 23),
    ...Array.from({ length: 5 }, (_none, index) => call(capped, { click_id: clickOf(capped), status: 'approved' }, 30 + index)),
  ]
}

const plain = (answer: unknown) => JSON.parse(JSON.stringify(answer).replace(/"[0-9a-f]{8}-[0-9a-f-]{27}"/g, '"uuid"')) as unknown
const together = async (calls: readonly ReceivedPostback[]) =>
  (await receivePostbacks(parts, calls)).map((verdict) =>
    typeof verdict === 'string' ? verdict : { httpStatus: verdict.status, body: verdict.body as { outcome?: string } },
  )

/** All that is kept of some affiliates' money and history, without what differs from one network to another. */
async function kept(made: readonly Made[]) {
  const affiliates = [...new Set(made.map(({ affiliateId }) => affiliateId))]
  const { rows } = await sql`
    select array_position(${affiliates}::int[], c.affiliate_id) as affiliate, c.status, c.reason, c.payout, c.revenue, c.transaction_id, c.created_at,
           (select json_agg(json_build_array(h.from_status, h.to_status, h.reason, h.at, h.origin) order by h.seq) from conversion_history h where h.conversion_id = c.id) as history,
           (select json_agg(json_build_array(t.kind, a.kind, e.amount::text) order by t.id, a.kind, e.amount) from ledger_transfer t join ledger_entry e on e.transfer_id = t.id
              join ledger_account a on a.id = e.account_id where t.conversion_id = c.id) as booked,
           (select json_agg(json_build_array(p.outcome, p.reason, p.http_status, p.authorized, p.query not like '%token=%' or p.query like '%***%') order by p.id) from postback_in p where p.conversion_id = c.id) as calls
      from conversion c where c.affiliate_id = any(${affiliates}::int[])
     order by c.created_at, c.transaction_id, c.status`.execute(database.db)
  return rows
}

describe('postbacks that are taken together', () => {
  test('come to what each comes to alone: answers, conversions, history, books and log', async () => {
    const [apart, joint] = [await network(), await network()]
    const first = callsFor(apart)
    const alone = []
    for (const call of first) alone.push(await receivePostback(parts, call))
    const warn = vi.spyOn(log, 'warn')
    expect(plain(await together(callsFor(joint)))).toEqual(plain(alone))
    expect(warn).not.toHaveBeenCalled()
    expect(await kept(joint)).toEqual(await kept(apart))
    expect(alone.map(({ httpStatus }) => httpStatus)).toContain(202)
  })

  test('are booked once however often and by whoever they are handed over, with chains and books that hold', async () => {
    const made = await network()
    const calls = callsFor(made)
    const copies = calls.map((call) => ({ ...call, id: `${call.id}-copy` }))
    const answers = await Promise.all([calls, copies, calls, copies].map(together))
    for (const other of answers) for (const [index, answer] of other.entries()) expect(typeof answer, String(index)).not.toBe('string')
    const rows = (await kept(made)) as { status: string }[]
    expect(rows).toHaveLength(17)
    const { rows: checks } = await sql`
      select (select count(*) from (select transfer_id from ledger_entry group by 1 having sum(amount) <> 0) t)::int as crooked,
             (select count(*) from (select affiliate_id from conversion_history group by 1 having max(seq) <> count(*)) h)::int as gaps,
             (select count(*) from postback_in where request_key = any(${[...calls, ...copies].map(({ id }) => id)}::text[]))::int as stored`.execute(
      database.db,
    )
    // of what names no click of ours and no token, each is kept too: it came with a token
    expect(checks).toEqual([{ crooked: 0, gaps: 0, stored: calls.length * 2 }])
  })

  test('that all fail are called faulty where each says what cannot be kept, and not where a table or the database is missing', async () => {
    const [of] = await network()
    if (of === undefined) throw new Error('no network')
    const calls = Array.from({ length: 3 }, () => handOver({ token: of.offer.token, click_id: clickOf(of), status: 'approved' }))
    const { db } = database
    await sql`alter table postback_in add constraint poison check (received_at is null) not valid`.execute(db)
    expect(await together(calls)).toEqual(['faulty', 'faulty', 'faulty'])
    await sql`alter table postback_in drop constraint poison`.execute(db)
    await sql`alter table postback_in rename to postback_gone`.execute(db)
    expect(await together(calls)).toEqual(['failed', 'failed', 'failed'])
    await sql`alter table postback_gone rename to postback_in`.execute(db)
    expect(plain(await together(calls))).toMatchObject([1, 2, 3].map(() => ({ httpStatus: 200, body: { outcome: 'created' } })))
  })

  test('that cannot be taken together are taken one by one: a failing one takes none along', async () => {
    const [made] = await network()
    if (!made) throw new Error('no network')
    const call = () =>
      handOver({ click_id: clickOf(made), token: made.offer.token, status: 'approved' }, { received_at: new Date(NOW).toISOString() })
    const known = call()
    const earlier = await receivePostback(parts, known)
    // another call under the id of one that is stored: the whole statement fails
    const clash = { ...call(), id: known.id }
    const warn = vi.spyOn(log, 'warn').mockReturnValue()
    const answers = await together([call(), clash, call()])
    expect(warn).toHaveBeenCalled()
    warn.mockRestore()
    expect(answers.map((answer) => (typeof answer === 'string' ? answer : answer.body.outcome))).toEqual(['created', 'created', 'created'])
    // it is answered as the one that came first, and books nothing
    expect(answers[1]).toEqual(earlier)
    const { rows } = await sql`select count(*)::int as count from conversion where offer_id = ${made.offer.id}`.execute(database.db)
    expect(rows).toEqual([{ count: 3 }])
  })
})
