import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readClickId, readClickIdKeys } from '#server/rules/click/click-id.ts'
import { ensureTrackingKeys } from '#server/features/traffic/snapshot/tracking-key.queries.ts'
import { readAddress } from '#server/platform/address.ts'
import { countryCode } from '#server/platform/geo/country.ts'
import { openNetworks } from '#server/platform/geo/network.ts'
import { openPlaces } from '#server/platform/geo/place.ts'
import { openFileStore } from '#server/platform/files/store.ts'
import { verifyPassword } from '#server/platform/secret.ts'
import { createClickhouseDatabase } from '#test/support/run/clickhouse.ts'
import { cloneDatabase } from '#test/support/run/database.ts'
import { buildDemo, type DemoParts } from './build.ts'
import { BLOCKS, linesOf } from './places.ts'

/** A twentieth of the clicks of the real demo, so that the check is quick; everything else is the same. */
const NOW = Date.parse('2026-11-21T10:00:00Z')

let parts: DemoParts
let close: () => Promise<void>
let logins: Awaited<ReturnType<typeof buildDemo>>
beforeAll(async () => {
  const database = await cloneDatabase()
  const events = await createClickhouseDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'demo-test-'))
  parts = { db: database.db, clickhouse: events.clickhouse, store: openFileStore(dataDir), now: NOW, clicks: 15_000 }
  close = async () => {
    await events.drop()
    await database.drop()
    await rm(dataDir, { recursive: true })
  }
  logins = await buildDemo(parts)
}, 60_000)
afterAll(() => close())

const count = async (table: string) =>
  (await parts.clickhouse.query({ query: `select count() as rows from ${table}`, format: 'JSONEachRow' })).json<{ rows: string }>()

test('one login per role, and each opens', async () => {
  expect(logins.map(({ role }) => role)).toEqual(['admin', 'head', 'manager', 'team lead', 'affiliate'])
  for (const { email, password, role } of logins) {
    const account = await parts.db
      .selectFrom('account')
      .select(['role', 'password_hash'])
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    expect(account.role).toBe(role)
    expect(await verifyPassword(account.password_hash, password)).toBe(true)
  }
})

test('the network has the size it promises', async () => {
  const size = await sql<Record<string, string>>`
    select (select count(*) from affiliate) as affiliates, (select count(*) from advertiser) as advertisers, (select count(*) from offer) as offers,
           (select count(*) from account where role = 'manager') as managers, (select count(*) from account where role = 'team lead') as leads,
           (select count(distinct currency) from conversion) as currencies, (select count(*) from offer_access where status = 'pending') as waiting`.execute(
    parts.db,
  )
  expect(size.rows[0]).toMatchObject({ affiliates: '25', advertisers: '8', offers: '12', managers: '4', leads: '2', currencies: '5' })
  expect(Number(size.rows[0]?.['waiting'])).toBeGreaterThan(1)
  const clicks = Number((await count('click'))[0]?.rows)
  expect(clicks).toBeGreaterThan(14_000)
  expect(clicks).toBeLessThan(16_000)
  const conversions = Number((await sql<{ rows: string }>`select count(*) as rows from conversion`.execute(parts.db)).rows[0]?.rows)
  expect(conversions / clicks).toBeGreaterThan(0.01)
  expect(conversions / clicks).toBeLessThan(0.02)
})

test('landings are whose their offers are; one waits for a decision, one is for one partner, one pays by a row of its own', async () => {
  const { rows } = await sql<Record<string, unknown>>`
    select l.name, l.status, l.privacy, cardinality(l.affiliate_ids) as partners, a.role as proposer, l.preview is not null as shown, l.advertiser_id = o.advertiser_id as theirs,
           exists (select from payout_rule r join conversion c on c.offer_id = r.offer_id and c.landing = l.id and c.payout = r.payout_fixed
             where l.id = any(r.landing_ids)) as paid
    from landing l join offer_landing x on x.landing_id = l.id join offer o on o.id = x.offer_id left join account a on a.id = l.proposed_by`.execute(
    parts.db,
  )
  expect(rows.length).toBeGreaterThan(10)
  expect(rows.every(({ theirs, shown }) => theirs && shown)).toBe(true)
  expect(rows.filter(({ status }) => status === 'moderation')).toMatchObject([{ proposer: 'manager' }])
  expect(rows.filter(({ privacy }) => privacy === 'private')).toMatchObject([{ partners: 1 }])
  expect(rows.filter(({ paid }) => paid)).toHaveLength(1)
  const kept = await parts.db.selectFrom('file').select(['uuid', 'size']).where('owner_id', 'is not', null).execute()
  expect(kept).toHaveLength(rows.length)
  for (const { uuid, size } of kept) {
    expect(size).toBeLessThan(10_000)
    expect((await parts.store.read(uuid))?.length).toBe(size)
  }
})

test('money is whole: transfers sum to zero, balances are the sums of their entries, facts equal the conversions', async () => {
  const broken = await sql<{ id: string }>`select transfer_id as id from ledger_entry group by transfer_id having sum(amount) <> 0`.execute(
    parts.db,
  )
  expect(broken.rows).toEqual([])
  const off = await sql`
    select a.id from ledger_account a left join ledger_entry e on e.account_id = a.id group by a.id, a.balance having a.balance <> coalesce(sum(e.amount), 0)`.execute(
    parts.db,
  )
  expect(off.rows).toEqual([])
  const stored = await sql<{ status: string; currency: string; rows: string; payout: string }>`
    select status, currency, count(*) as rows, sum(payout)::text as payout from conversion group by 1, 2 order by 1, 2`.execute(parts.db)
  const facts = await parts.clickhouse.query({
    query: `select status, currency, toString(sum(sign)) as rows, toString(sum(sign * payout)) as payout from conversion_fact group by 1, 2 having sum(sign) <> 0 order by 1, 2`,
    format: 'JSONEachRow',
  })
  const plain = (rows: { status: string; currency: string; rows: string; payout: string }[]) =>
    rows.map((row) => ({ ...row, payout: Number(row.payout) }))
  expect(plain(await facts.json())).toEqual(plain(stored.rows))
})

test('visitors have addresses of their country, city and network, by the data that clicks are looked up in', () => {
  const [placeOf, networkOf] = [openPlaces(), openNetworks()]
  for (const [geo, blocks] of Object.entries(BLOCKS)) {
    for (const [index, line] of linesOf(geo).entries()) {
      for (const next of [() => 0, () => 0.5, () => 0.999_999]) {
        const address = new Uint8Array(16)
        readAddress(line.drawAddress(next), address)
        const { country, region, city } = placeOf(address)
        const { label } = networkOf(address)
        expect(`${countryCode(country)} | ${region} | ${city} | ${label}`, blocks[index]).toBe(
          `${geo} | ${line.region} | ${line.city} | ${line.network.label}`,
        )
      }
    }
  }
})

test('every conversion names a click that is stored, by an id that verifies', async () => {
  const keys = readClickIdKeys(await ensureTrackingKeys(parts.db, NOW))
  const conversions = await parts.db
    .selectFrom('conversion')
    .select(['click_id', 'affiliate_id', 'offer_id', 'click_at'])
    .limit(40)
    .execute()
  for (const conversion of conversions) {
    const id = readClickId(conversion.click_id, keys)
    expect(id).toMatchObject({ affiliateId: conversion.affiliate_id, offerId: conversion.offer_id, at: conversion.click_at.getTime() })
    const found = await parts.clickhouse.query({
      query:
        "select count() as rows from click where affiliate = {a:UInt32} and ts = fromUnixTimestamp64Milli({at:Int64}) and rnd = {r:UInt32} and reason = ''",
      query_params: { a: conversion.affiliate_id, at: conversion.click_at.getTime(), r: id?.random ?? 0 },
      format: 'JSONEachRow',
    })
    expect(await found.json()).toEqual([{ rows: '1' }])
  }
}, 30_000)

test('the log of postbacks holds repeats, changes and refusals with their reasons', async () => {
  const log = await parts.db.selectFrom('postback_in').select(['outcome', 'reason']).distinct().execute()
  expect(log).toEqual(
    expect.arrayContaining([expect.objectContaining({ outcome: 'repeat' }), expect.objectContaining({ outcome: 'refused' })]),
  )
})

test('some clicks are refused and some filtered, and every capped offer keeps its cap', async () => {
  const reasons = await (
    await parts.clickhouse.query({
      query: "select reason, count() as rows from click where reason != '' group by reason",
      format: 'JSONEachRow',
    })
  ).json<{ reason: string }>()
  expect(reasons.map(({ reason }) => reason)).toEqual(
    expect.arrayContaining(['targeting_geo', 'no_access', 'affiliate_inactive', 'offer_inactive']),
  )
  const over = await sql`
    select c.offer_id from cap_counter c join offer o on o.id = c.offer_id where c.used > (o.caps->0->>'limit')::int`.execute(parts.db)
  expect(over.rows).toEqual([])
})
