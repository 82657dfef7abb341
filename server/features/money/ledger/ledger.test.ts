import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { toUnits } from '#contract/money/amount.ts'
import { openDatabase, type Db } from '#server/platform/pg/database.ts'
import type { ClickIdKeys } from '#server/rules/click/click-id.ts'
import { verifyChain } from '#server/rules/conversion/history-chain.ts'
import { cloneDatabase, type TestDatabase } from '#test/support/run/database.ts'
import { makeAffiliateId, makeClick, makeClickKeys, makeOffer, type MadeClick } from '#test/support/make/money.ts'
import { recordChanges } from '#server/features/traffic/conversion/change.service.ts'
import { readChain } from '#server/features/traffic/history/history.queries.ts'
import { releaseHolds } from '#server/features/traffic/conversion/hold.jobs.ts'
import { applyReport, repaid } from '#server/features/traffic/conversion/apply-report.service.ts'
import { loadTerms, type OfferTerms } from '#server/features/traffic/conversion/terms.queries.ts'

const NOW = Date.parse('2026-11-21T10:00:00Z')
const DAY = 86_400_000
let database: TestDatabase
let keys: ClickIdKeys
let connections: Db[]

beforeAll(async () => {
  database = await cloneDatabase()
  keys = await makeClickKeys(database.db)
  connections = Array.from({ length: 8 }, () => openDatabase(database.url, { max: 1 }))
})
afterAll(async () => {
  await Promise.all(connections.map((connection) => connection.destroy()))
  await database.drop()
})

type World = { terms: OfferTerms[]; clicks: MadeClick[]; affiliates: number[] }

const operation = fc.record({
  kind: fc.constantFrom('postback', 'postback', 'postback', 'staff', 'release'),
  click: fc.nat({ max: 29 }),
  status: fc.constantFrom('pending', 'approved', 'declined', 'trash', 'hold'),
  cents: fc.option(fc.integer({ min: 0, max: 1_000_000 })),
  day: fc.integer({ min: 0, max: 5 }),
})
type Operation = typeof operation extends fc.Arbitrary<infer Value> ? Value : never

/** What is on its way while other operations are: each in a transaction of its own. */
async function perform(db: Db, { terms, clicks }: World, one: Operation): Promise<void> {
  const now = NOW + one.day * DAY
  const click = clicks[one.click]
  const offer = terms.find((candidate) => candidate.id === click?.offerId)
  const goal = offer?.goals[0]
  if (!click || !offer || !goal) return
  const amount = one.cents === null ? null : `${Math.floor(one.cents / 100)}.${String(one.cents % 100).padStart(2, '0')}`
  if (one.kind === 'release') await releaseHolds(db, now, 7)
  else if (one.kind === 'postback') {
    const report = { status: one.status, amount, currency: offer.currency, transactionId: null, reason: '' } as const
    const of = { terms: offer, goal, clickId: click.id, clickAt: click.at, transactionId: null }
    await db.transaction().execute((trx) => applyReport(trx, of, click, report, { at: now, now, origin: 'postback', actorId: null }))
  } else {
    await db.transaction().execute(async (trx) => {
      const rows = await trx
        .selectFrom('conversion')
        .selectAll()
        .where('offer_id', '=', offer.id)
        .orderBy('id')
        .limit(5)
        .forUpdate()
        .execute()
      const status = one.status === 'hold' ? 'declined' : one.status
      const changes = rows
        .filter((before) => before.status !== status)
        .map((before) => ({
          before,
          after: repaid(offer.scale, before, { ...before, status, hold_until: null, reason: 'random', updated_at: new Date(now) }),
          origin: 'staff' as const,
          actorId: null,
        }))
      await recordChanges(trx, changes, now)
    })
  }
}

test('after any sequence of operations from eight connections transfers sum to zero, balances equal their entries and follow from the conversions', async () => {
  const numRuns = process.env['TORTURE'] ? 5 : 2
  let rounds = 0
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 80, maxLength: 160 }), async (operations) => {
      rounds++
      const offers = [
        await makeOffer(database.db, { holdDays: 2, payoutPercent: '12.5', revenuePercent: '33.3333', dailyCap: 6 }),
        await makeOffer(database.db, {
          currency: 'EUR',
          payout: '0.0001',
          revenue: '0',
          payoutPercent: '66.6667',
          overCap: 'unpaid',
          dailyCap: 4,
        }),
        await makeOffer(database.db),
      ]
      const affiliates = [await makeAffiliateId(database.db), await makeAffiliateId(database.db)]
      const terms = [
        ...(
          await loadTerms(
            database.db,
            offers.map((offer) => offer.id),
          )
        ).values(),
      ]
      const clicks = Array.from({ length: 30 }, (_value, index) =>
        makeClick(keys, { offerId: offers[index % 3]?.id ?? 0, affiliateId: affiliates[index % 2] ?? 0, at: NOW - DAY }),
      )
      const world = { terms, clicks, affiliates }
      const queue = [...operations]
      await Promise.all(
        connections.map(async (connection) => {
          for (let next = queue.shift(); next !== undefined; next = queue.shift()) await perform(connection, world, next)
        }),
      )
      await expectSound(world)
    }),
    { numRuns, endOnFailure: true },
  )
  expect(rounds).toBe(numRuns)
}, 120_000)

async function expectSound({ affiliates, terms }: World): Promise<void> {
  const none = async (query: ReturnType<typeof sql>) => expect((await query.execute(database.db)).rows).toEqual([])
  await none(sql`select transfer_id from ledger_entry group by transfer_id having sum(amount) <> 0`)
  await none(
    sql`select e.transfer_id from ledger_entry e join ledger_account a on a.id = e.account_id group by e.transfer_id having count(distinct a.currency) <> 1`,
  )
  await none(sql`
    select a.id from ledger_account a left join ledger_entry e on e.account_id = a.id group by a.id having a.balance <> coalesce(sum(e.amount), 0)`)
  // what the conversions say today is what the books say
  await none(sql`
    with owed as (
      select affiliate_id, currency, sum(payout) filter (where status = 'hold') as hold, sum(payout) filter (where status = 'approved') as available from conversion group by 1, 2
    )
    select owed.affiliate_id from owed
      left join ledger_account h on h.kind = 'affiliate_hold' and h.owner_id = owed.affiliate_id and h.currency = owed.currency
      left join ledger_account v on v.kind = 'affiliate_available' and v.owner_id = owed.affiliate_id and v.currency = owed.currency
     where coalesce(owed.hold, 0) <> -coalesce(h.balance, 0) or coalesce(owed.available, 0) <> -coalesce(v.balance, 0)`)
  // every place of a cap is held by a conversion that holds it
  await none(sql`
    select k.offer_id from cap_counter k
     where k.used <> (select count(*) from conversion c
                       where c.offer_id = k.offer_id and c.within_cap and c.status in ('pending', 'hold', 'approved')
                         and c.created_at >= k.starts and c.created_at < k.starts + interval '1 day')`)
  for (const affiliateId of affiliates) {
    const { head, list } = await readChain(database.db, affiliateId, 0, 10_000)
    expect(verifyChain(list)).toEqual({ head })
  }
  // the outbox holds every delta: its sum is today's truth
  const facts = await sql<{ offer: number; payout: string }>`
    select (fact->>'offer')::int as offer, sum((fact->>'sign')::int * (fact->>'payout')::numeric)::numeric(18,4) as payout from outbox group by 1`.execute(
    database.db,
  )
  const truth = await sql<{
    offer: number
    payout: string
  }>`select offer_id as offer, sum(payout)::numeric(18,4) as payout from conversion group by 1`.execute(database.db)
  const sums = new Map(facts.rows.map((row) => [row.offer, toUnits(row.payout)]))
  for (const row of truth.rows.filter((one) => terms.some((offer) => offer.id === one.offer)))
    expect(sums.get(row.offer)).toBe(toUnits(row.payout))
}
