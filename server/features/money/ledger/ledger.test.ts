import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toUnits } from '#contract/money/amount.ts'
import { openDatabase, type Db, type DbOrTrx } from '#server/platform/pg/database.ts'
import type { ClickIdKeys } from '#server/rules/click/click-id.ts'
import { verifyChain } from '#server/rules/conversion/history-chain.ts'
import { cloneDatabase, type TestDatabase } from '#test/support/run/database.ts'
import { makeAffiliateId, makeClick, makeClickKeys, makeOffer, type MadeClick } from '#test/support/make/money.ts'
import { recordChanges } from '#server/features/traffic/conversion/change.service.ts'
import { readChain } from '#server/features/traffic/history/history.queries.ts'
import { releaseHolds } from '#server/features/traffic/conversion/hold.jobs.ts'
import { applyReport } from '#server/features/traffic/conversion/apply-report.service.ts'
import { repaid } from '#server/features/traffic/conversion/plan-report.service.ts'
import { findDifferences } from './check.service.ts'
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
  // transfers, balances, and what the conversions say today
  expect(await findDifferences(database.db)).toEqual([])
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

test('what a conversion waits for stands on memo accounts until the advertiser decides', async () => {
  const offer = await makeOffer(database.db, { holdDays: 2 })
  const affiliateId = await makeAffiliateId(database.db)
  const [terms] = (await loadTerms(database.db, [offer.id])).values()
  const world = { terms: terms === undefined ? [] : [terms], clicks: [makeClick(keys, { offerId: offer.id, affiliateId, at: NOW - DAY })] }
  const report = (status: Operation['status'], day = 0) =>
    perform(database.db, { ...world, affiliates: [affiliateId] }, { kind: 'postback', click: 0, status, cents: null, day })
  const stands = async () => {
    const rows = await database.db
      .selectFrom('ledger_account')
      .select(['kind', 'balance'])
      .where('owner_id', '=', affiliateId)
      .where('kind', 'in', ['affiliate_pending', 'pending_cost', 'affiliate_hold', 'affiliate_available', 'payout_cost'])
      .where('balance', '<>', '0')
      .orderBy('kind')
      .execute()
    return rows.map(({ kind, balance }) => `${kind} ${balance}`)
  }
  await report('pending')
  expect(await stands()).toEqual(['affiliate_pending -10.0000', 'pending_cost 10.0000'])
  await report('approved')
  expect(await stands()).toEqual(['affiliate_hold -10.0000', 'payout_cost 10.0000'])
  await report('declined')
  expect(await stands()).toEqual([])
})

describe('the database itself refuses', () => {
  const AT = new Date('2026-11-01T12:00:00Z')
  const make = (kind: string, owner: number) =>
    sql<{ id: number }>`insert into ledger_account (kind, owner_id, currency) values (${kind}, ${owner}, 'USD')
      on conflict (kind, owner_id, currency) do update set balance = ledger_account.balance returning id`
      .execute(database.db)
      .then(({ rows }) => rows[0]?.id ?? 0)
  const transfer = (key: string) =>
    sql<{ id: string }>`insert into ledger_transfer (at, booked_at, kind, key) values (${AT}, now(), 'test', ${key}) returning id`
      .execute(database.db)
      .then(({ rows }) => rows[0]?.id ?? '')
  /** Five on one account against another, as lines of a transfer. */
  const enter = (id: string, [debit, credit]: readonly [number, number], { line = 1, at = AT, db = database.db as DbOrTrx } = {}) =>
    sql`insert into ledger_entry (transfer_id, line, account_id, amount, at)
      values (${id}, ${line}, ${debit}, 5, ${at}), (${id}, ${line + 1}, ${credit}, -5, ${at})`.execute(db)

  test('entries added to a transfer later, though they sum to zero', async () => {
    const pair = [await make('payout_cost', 990), await make('affiliate_hold', 990)] as const
    const id = await transfer('late')
    await enter(id, pair)
    await expect(enter(id, pair)).rejects.toThrow('ledger_entry_line_key')
    await expect(enter(id, pair, { line: 3 })).rejects.toThrow('is not balanced')
  })

  test('entries of no transfer, of no account, or of another moment than their transfer', async () => {
    const pair = [await make('payout_cost', 993), await make('affiliate_hold', 993)] as const
    const id = await transfer('whole')
    await expect(enter('999999999', pair)).rejects.toThrow('999999999 does not stand')
    await expect(enter(id, [pair[0], 999_999_999])).rejects.toThrow('names an account that does not stand')
    await expect(enter(id, pair, { at: new Date(AT.getTime() + 1) })).rejects.toThrow('has entries of another moment')
    await enter(id, pair)
  })

  test('after looking each up by its index, however small the tables were when it planned', async () => {
    await sql`analyze ledger_transfer`.execute(database.db)
    await sql`analyze ledger_account`.execute(database.db)
    const pair = [await make('payout_cost', 996), await make('affiliate_hold', 996)] as const
    const id = await transfer('looked up')
    await database.db.transaction().execute(async (trx) => {
      const scans = async () =>
        (
          await sql<{ relname: string; seq_scan: string }>`
            select relname, seq_scan from pg_stat_xact_user_tables where relname in ('ledger_transfer', 'ledger_account') order by 1`.execute(
            trx,
          )
        ).rows
      const before = await scans()
      await enter(id, pair, { db: trx })
      expect(await scans()).toEqual(before)
    })
  })

  test('to let an account go, or become another one', async () => {
    const id = await make('affiliate_hold', 994)
    for (const statement of [
      sql`delete from ledger_account where id = ${id}`,
      sql`update ledger_account set id = default where id = ${id}`,
      sql`update ledger_account set kind = 'payout_cost' where id = ${id}`,
      sql`update ledger_account set owner_id = 995 where id = ${id}`,
      sql`update ledger_account set currency = 'EUR' where id = ${id}`,
      sql`truncate ledger_account cascade`,
    ])
      await expect(statement.execute(database.db)).rejects.toThrow('append-only')
  })

  test('a debt that is half outside of the books', async () => {
    const pair = [await make('pending_cost', 991), await make('affiliate_hold', 991)] as const
    await expect(enter(await transfer('memo'), pair)).rejects.toThrow('is not balanced')
  })

  test.each([
    ['affiliate_invoiced', 1],
    ['affiliate_transit', 1],
    ['affiliate_bonus', 1],
    ['affiliate_prepaid', -1],
    ['advertiser_invoiced', -1],
    ['advertiser_prepaid', 1],
  ])('to let %s turn', async (kind, sign) => {
    const id = await make(kind, 992)
    const set = (balance: number) => sql`update ledger_account set balance = ${balance} where id = ${id}`.execute(database.db)
    await expect(set(sign)).rejects.toThrow('ledger_account_sign')
    await set(-sign)
    await set(0)
  })

  test('the network to own what is a partner’s, and partners what is the network’s', async () => {
    await expect(make('affiliate_hold', 0)).rejects.toThrow('ledger_account_owner')
    await expect(make('rounding', 3)).rejects.toThrow('ledger_account_owner')
  })

  test.each([
    ['ledger_transfer', 'kind'],
    ['ledger_entry', 'amount'],
  ])('to change, delete or empty %s', async (table, column) => {
    for (const statement of [
      sql`update ${sql.table(table)} set ${sql.ref(column)} = ${sql.ref(column)}`,
      sql`delete from ${sql.table(table)}`,
    ])
      await expect(statement.execute(database.db)).rejects.toThrow('append-only')
    await expect(sql`truncate ${sql.table(table)} cascade`.execute(database.db)).rejects.toThrow('append-only')
  })
})

test('the check names what does not agree: a balance, and what a row no longer stands for', async () => {
  const affiliateId = await makeAffiliateId(database.db)
  await sql`insert into ledger_account (kind, owner_id, currency, balance) values ('affiliate_available', ${affiliateId}, 'USD', -3)`.execute(
    database.db,
  )
  const found = (await findDifferences(database.db)).filter(({ kind, owner }) => kind === 'affiliate_available' && owner === affiliateId)
  expect(found.map(({ rule, kind, expected, found: is }) => `${rule} ${kind} ${Number(expected)} ${Number(is)}`)).toEqual([
    'balance affiliate_available 0 -3',
    'standing affiliate_available 0 -3',
  ])
})
