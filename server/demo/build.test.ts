import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '#contract/endpoint.ts'
import { inboxApi } from '#contract/network/inbox.ts'
import { MAIL_STATUSES } from '#contract/network/mail.ts'
import { NEWS_STATUSES, newsApi } from '#contract/network/news.ts'
import { landingApi, landingPrivacy, REACHABLE } from '#contract/offers/landing.ts'
import { TICKET_CATEGORIES, TICKET_PRIORITIES, TICKET_STATUSES, ticketApi } from '#contract/network/ticket.ts'
import { ticketTemplateApi } from '#contract/network/ticket-template.ts'
import { ACCESS_STATUSES, offerApi } from '#contract/offers/offer.ts'
import { CAP_PERIODS, capMeasure, capScope } from '#contract/offers/offer-cap.ts'
import { goalType, OFFER_STATUSES, offerPrivacy, overCapAction, redirectType } from '#contract/offers/offer-fields.ts'
import { LANDING_STATUSES, landingType } from '#contract/offers/offer-landing.ts'
import { partnerOfferApi } from '#contract/offers/partner-offer.ts'
import { ADVERTISER_STATUSES, advertiserApi } from '#contract/people/advertiser.ts'
import { AFFILIATE_STATUSES, affiliateApi } from '#contract/people/affiliate.ts'
import { MANAGER_STATUSES, MANAGER_TYPES, managerApi } from '#contract/people/manager.ts'
import { CLICK_KINDS, clickApi } from '#contract/traffic/click.ts'
import { reportApi } from '#contract/traffic/report.ts'
import { POSTBACK_OUTCOMES, POSTBACK_REFUSALS } from '#contract/traffic/postback-outcome.ts'
import { DELIVERY_STATES, postbackApi } from '#contract/traffic/postback.ts'
import { OWN_POSTBACK_STATUSES, ownPostbackApi } from '#contract/traffic/own-postback.ts'
import { CONVERSION_STATUSES, conversionApi } from '#contract/traffic/conversion.ts'
import { savedViewApi } from '#contract/traffic/view.ts'
import { findDifferences } from '#server/features/money/ledger/check.service.ts'
import { openSession } from '#server/features/people/auth/session.service.ts'
import { STORED_REFUSALS } from '#contract/traffic/refusal.ts'
import { leadListApi } from '#contract/leads/lead-list.ts'
import { recoldApi } from '#contract/leads/recold.ts'
import { openLeadVault } from '#server/features/leads/session/vault.ts'
import { canonicalPhone } from '#server/rules/lead/contact.ts'
import { readClickId, readClickIdKeys } from '#server/rules/click/click-id.ts'
import { ensureTrackingKeys } from '#server/features/traffic/snapshot/tracking-key.queries.ts'
import { readAddress } from '#server/platform/address.ts'
import { countryCode } from '#server/platform/geo/country.ts'
import { openNetworks } from '#server/platform/geo/network.ts'
import { openPlaces } from '#server/platform/geo/place.ts'
import { openFileStore } from '#server/platform/files/store.ts'
import { verifyPassword } from '#server/platform/secret.ts'
import { broken } from '#test/money/invariants.ts'
import { differing, recountCalls, recountConversions, recountPapers, recountReferrals } from '#test/money/demo-recount.ts'
import { parse } from '#test/money/naive.ts'
import { caller, startApi, type TestApi } from '#test/support/run/api.ts'
import { readSnapshotAffiliates, readSnapshotOffers } from '#server/features/traffic/snapshot/snapshot-read.queries.ts'
import { encodeClick } from '#server/rules/click/click.ts'
import { buildDemo, type DemoParts } from './build.ts'
import { BLOCKS, linesOf } from './places.ts'
import { seededRandom } from './random.ts'
import { makeTraffic } from './traffic.ts'

/** A tenth of the clicks of the real demo, so that the check is quick; everything else is the same. */
const NOW = Date.parse('2026-11-21T10:00:00Z')

let api: TestApi
let parts: DemoParts
let logins: Awaited<ReturnType<typeof buildDemo>>
let files: string
beforeAll(async () => {
  api = await startApi({ clickhouse: true, at: new Date(NOW).toISOString() })
  files = await mkdtemp(join(tmpdir(), 'demo-test-'))
  parts = {
    db: api.db,
    clickhouse: api.clickhouse,
    store: openFileStore(files),
    now: NOW,
    secretKey: 'a key of tests that is long enough',
    clicks: 24_000,
  }
  logins = await buildDemo(parts)
}, 180_000)
afterAll(async () => {
  await api.close()
  await rm(files, { recursive: true })
})

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
    select (select count(*) from affiliate where not house) as affiliates, (select count(*) from advertiser) as advertisers, (select count(*) from offer) as offers,
           (select count(*) from account where role = 'manager') as managers, (select count(*) from account where role = 'team lead') as leads,
           (select count(distinct currency) from conversion) as currencies, (select count(*) from offer_access where status = 'pending') as waiting`.execute(
    parts.db,
  )
  expect(size.rows[0]).toMatchObject({ affiliates: '53', advertisers: '30', offers: '65', managers: '22', leads: '2', currencies: '6' })
  const clicks = Number((await count('click'))[0]?.rows)
  expect(clicks).toBeGreaterThan(22_000)
  expect(clicks).toBeLessThan(26_000)
  const conversions = Number(
    (
      await sql<{ rows: string }>`
        select count(*) as rows from conversion where offer_id not in (select offer_id from api_offer)`.execute(parts.db)
    ).rows[0]?.rows,
  )
  expect(conversions / clicks).toBeGreaterThan(0.01)
  expect(conversions / clicks).toBeLessThan(0.02)
})

/** What the product knows of, and a statement that counts how often each occurs. `rare`: what cannot sensibly be there, and why. */
const OCCURRING: Record<string, { values: readonly string[]; counts: string; events?: true; rare?: Record<string, string> }> = {
  'offer statuses': { values: OFFER_STATUSES, counts: 'select status as value, count(*) from offer group by 1' },
  'offer privacy': { values: offerPrivacy.options, counts: 'select privacy as value, count(*) from offer group by 1' },
  'ways of redirecting': { values: redirectType.options, counts: 'select redirect_type as value, count(*) from offer group by 1' },
  'goal types': { values: goalType.options, counts: 'select type as value, count(*) from goal group by 1' },
  'kinds of payout': {
    values: ['fixed', 'percent', 'both'],
    counts: `select case when payout_percent = 0 then 'fixed' when payout_fixed = 0 then 'percent' else 'both' end as value, count(*) from payout_rule group by 1`,
  },
  'periods of caps': {
    values: CAP_PERIODS,
    counts: `select c->>'period' as value, count(*) from offer, jsonb_array_elements(caps) c group by 1`,
  },
  'scopes of caps': {
    values: capScope.options,
    counts: `select c->>'scope' as value, count(*) from offer, jsonb_array_elements(caps) c group by 1`,
  },
  'measures of caps': {
    values: capMeasure.options,
    counts: `select c->>'measure' as value, count(*) from offer, jsonb_array_elements(caps) c group by 1`,
  },
  'what follows over a cap': {
    values: overCapAction.options,
    counts: `select over_cap_action as value, count(*) from offer where jsonb_array_length(caps) > 0 group by 1`,
  },
  'levels of caps': {
    values: ['room', 'nearly full', 'full'],
    counts: `select case when c.used >= (k->>'limit')::numeric then 'full' when c.used >= 0.8 * (k->>'limit')::numeric then 'nearly full' else 'room' end as value, count(*)
      from cap_counter c join offer o on o.id = c.offer_id, jsonb_array_elements(o.caps) k
     where k->>'period' = c.period and k->>'measure' = c.measure and (k->>'scope' = 'offer') = (c.affiliate_id = 0) group by 1`,
  },
  'what full caps did': {
    values: ['declined', 'unpaid'],
    counts: `select case when status = 'declined' then 'declined' else 'unpaid' end as value, count(*) from conversion where reason in ('cap_reached') or (not within_cap and status not in ('declined', 'trash')) group by 1`,
  },
  'access statuses': { values: ACCESS_STATUSES, counts: 'select status as value, count(*) from offer_access group by 1' },
  'affiliate statuses': { values: AFFILIATE_STATUSES, counts: 'select status as value, count(*) from affiliate group by 1' },
  'advertiser statuses': { values: ADVERTISER_STATUSES, counts: 'select status as value, count(*) from advertiser group by 1' },
  'manager statuses': { values: MANAGER_STATUSES, counts: 'select status as value, count(*) from manager group by 1' },
  'manager types': {
    values: MANAGER_TYPES,
    counts: 'select type as value, count(*) from manager group by 1',
    rare: { head: 'a network has one head, and an admin' },
  },
  'landing statuses': { values: LANDING_STATUSES, counts: 'select status as value, count(*) from landing group by 1' },
  'landing types': { values: landingType.options, counts: 'select type as value, count(*) from landing group by 1' },
  'landing privacy': { values: landingPrivacy.options, counts: 'select privacy as value, count(*) from landing group by 1' },
  'reachable landings': {
    values: REACHABLE,
    counts: `select case when checked_at is null then 'unchecked' when failures = 0 then 'works' else 'fails' end as value, count(*) from landing group by 1`,
  },
  'conversion statuses': { values: CONVERSION_STATUSES, counts: 'select status as value, count(*) from conversion group by 1' },
  'states of tickets': { values: TICKET_STATUSES, counts: 'select status as value, count(*) from ticket group by 1' },
  'categories of tickets': { values: TICKET_CATEGORIES, counts: 'select category as value, count(*) from ticket group by 1' },
  'priorities of tickets': { values: TICKET_PRIORITIES, counts: 'select priority as value, count(*) from ticket group by 1' },
  'messages of tickets': {
    values: ['message', 'note', 'closed'],
    counts: 'select kind as value, count(*) from ticket_message group by 1',
  },
  'outcomes of postbacks': {
    values: POSTBACK_OUTCOMES,
    counts: 'select outcome as value, count(*) from postback_in group by 1',
    rare: { held_for_review: 'the demo network books changes of paid conversions as corrections' },
  },
  'refusals of postbacks': {
    values: Object.keys(POSTBACK_REFUSALS),
    counts: `select reason as value, count(*) from postback_in where outcome = 'refused' group by 1`,
    rare: {
      offer_unknown: 'an offer that had clicks is never removed',
      not_ours: 'no shop of the demo reports orders that nobody of ours brought',
      status_missing: 'no advertiser of the demo gives a reason for a rejection without saying that it rejects',
      refund_early: 'the shops of the demo report their orders before they refund them',
      payout_rule_missing: 'an offer is not active without a row for everybody in each goal',
    },
  },
  'states of deliveries': { values: DELIVERY_STATES, counts: 'select state as value, count(*) from postback_delivery group by 1' },
  'failures of deliveries': {
    values: [
      'host_not_found',
      'connection_refused',
      'connection_reset',
      'tls_failed',
      'timed_out',
      'private_address',
      'failed',
      'HTTP 404',
      'HTTP 429',
      'HTTP 500',
      'HTTP 503',
    ],
    counts: `select coalesce(nullif(error, ''), 'HTTP ' || http_status) as value, count(*) from postback_attempt group by 1`,
  },
  'statuses of own postbacks': {
    values: OWN_POSTBACK_STATUSES,
    counts: 'select status as value, count(*) from affiliate_postback group by 1',
  },
  'statuses of mail': { values: MAIL_STATUSES, counts: 'select status as value, count(*) from mail group by 1' },
  'tries of deliveries': {
    values: ['1', '2', '3', '10'],
    counts: 'select tries::text as value, count(*) from postback_delivery group by 1',
  },
  'clicks refused': {
    values: STORED_REFUSALS,
    events: true,
    counts: 'select reason as value, count() as count from click group by 1',
    rare: {
      landing_inactive: 'a landing is named by a link; the demo’s links name none',
      credit_blocked: 'nobody’s credit had ended before today',
    },
  },
  'clicks by what became of them': {
    values: CLICK_KINDS,
    events: true,
    counts: `select multiIf(bitAnd(flags, 8) != 0, 'test', bitAnd(flags, 7) != 0, 'filtered', reason = '', 'counted', 'refused') as value, count() as count from click group by 1`,
  },
}

test.for(Object.entries(OCCURRING))('each of %s occurs at least five times', async ([, { values, counts, events, rare = {} }]) => {
  type Row = { value: string; count: string }
  const rows = events
    ? await (await parts.clickhouse.query({ query: counts, format: 'JSONEachRow' })).json<Row>()
    : (await sql.raw<Row>(counts).execute(parts.db)).rows
  const found = new Map(rows.map((row) => [row.value, Number(row.count)]))
  const seldom = values.filter((value) => !(value in rare) && (found.get(value) ?? 0) < 5)
  expect(seldom.map((value) => `${value}: ${found.get(value) ?? 0}`)).toEqual([])
})

const STAFF_LISTS = {
  offers: offerApi.list,
  landings: landingApi.list,
  affiliates: affiliateApi.list,
  advertisers: advertiserApi.list,
  managers: managerApi.list,
  leadLists: leadListApi.list,
  distributions: recoldApi.list,
  clicks: clickApi.list,
  conversions: conversionApi.list,
  news: newsApi.list,
  tickets: ticketApi.list,
}
const AFFILIATE_LISTS = {
  offers: partnerOfferApi.list,
  clicks: clickApi.list,
  conversions: conversionApi.list,
  postbacks: ownPostbackApi.list,
  deliveries: ownPostbackApi.deliveries,
  news: newsApi.list,
  tickets: ticketApi.list,
}

test.for(['admin', 'head', 'manager', 'team lead', 'affiliate'])('no list of the %s is empty', async (role) => {
  const login = logins.find((one) => one.role === role)
  const { id } = await parts.db
    .selectFrom('account')
    .select('id')
    .where('email', '=', login?.email ?? '')
    .executeTakeFirstOrThrow()
  const { token } = await openSession(parts.db, NOW, { accountId: id, device: 'test', address: '' })
  const call = caller(api.url, token)
  const lengthOf = async (endpoint: Endpoint, body?: unknown) => {
    const { status, data } = await call(endpoint, { body } as never) // a list of whatever feature
    return status === 403 && (role === 'manager' || role === 'team lead') ? 'not theirs' : (data as { list?: unknown[] }).list?.length
  }
  const empty: string[] = []
  for (const [name, endpoint] of Object.entries<Endpoint>(role === 'affiliate' ? AFFILIATE_LISTS : STAFF_LISTS))
    if (!(await lengthOf(endpoint))) empty.push(name)
  if (role !== 'affiliate')
    for (const direction of ['in', 'out']) if (!(await lengthOf(postbackApi.list, { direction }))) empty.push(`postbacks ${direction}`)
  for (const screen of ['report', 'conversion']) if (!(await lengthOf(savedViewApi.list, { screen }))) empty.push(`views of ${screen}`)
  expect(empty).toEqual([])
})

test('news are of every status, some unread, and the bell told of them when they came out', async () => {
  const { id } = await parts.db
    .selectFrom('account')
    .select('id')
    .where('email', '=', logins.at(-1)?.email ?? '')
    .executeTakeFirstOrThrow()
  const { token } = await openSession(parts.db, NOW, { accountId: id, device: 'test', address: '' })
  const call = caller(api.url, token)
  const { rows } = (await call(newsApi.unread)).data
  expect(rows).toBeGreaterThan(0)
  expect(rows).toBeLessThan((await call(newsApi.list, { body: {} })).data.summary.rows)
  const statuses = await sql<{ status: string; rows: number }>`
    select case when publish_at > ${new Date(NOW)} and status = 'published' then 'scheduled' else status end as status, count(*)::int as rows
      from news group by 1`.execute(parts.db)
  expect(statuses.rows.map(({ status }) => status).toSorted()).toEqual(NEWS_STATUSES.toSorted())
  expect(statuses.rows.reduce((sum, one) => sum + one.rows, 0)).toBe(12)
  const late = await sql`
    select t.id from notification t join news n on n.id = t.news_id where t.at > n.publish_at + interval '1 hour'`.execute(parts.db)
  expect(late.rows).toEqual([])
})

test.for(['admin', 'head', 'manager', 'affiliate'])('something in the tickets of the %s is unread, and they have files', async (role) => {
  const email = logins.find((one) => one.role === role)?.email ?? ''
  const { id } = await parts.db.selectFrom('account').select('id').where('email', '=', email).executeTakeFirstOrThrow()
  const { token } = await openSession(parts.db, NOW, { accountId: id, device: 'test', address: '' })
  const call = caller(api.url, token)
  const { rows } = (await call(ticketApi.unread)).data
  expect(rows).toBeGreaterThan(0)
  const all = (await call(ticketApi.list, { body: { count: 100 } })).data.list
  expect(rows).toBeLessThan(all.length / 2)
  const said = await Promise.all(all.map(({ uuid }) => call(ticketApi.messages, { params: { uuid }, body: {} })))
  const messages = said.flatMap(({ data }) => data.list)
  expect(messages.some(({ files }) => files.length > 0)).toBe(true)
  expect(messages.some(({ kind }) => kind === 'note')).toBe(role !== 'affiliate')
  if (role === 'affiliate') return
  expect((await call(ticketTemplateApi.list)).data.list).toHaveLength(4)
})

test('tickets of the demo: some forty, offers decided either way, one goes on from an older one, nothing waits to be mailed', async () => {
  const { rows } = await sql<Record<string, number>>`
    select count(*)::int as all, count(*) filter (where offer_answer = 'approved')::int as approved,
           count(*) filter (where offer_answer = 'rejected')::int as rejected, count(earlier_id)::int as later,
           (select count(*)::int from ticket_message where mail_due) as due, (select count(*)::int from ticket_message where at > ${new Date(NOW)}) as future
      from ticket`.execute(parts.db)
  expect(rows[0]).toMatchObject({ approved: 3, rejected: 2, later: 1, due: 0, future: 0 })
  expect(rows[0]?.['all']).toBeGreaterThanOrEqual(40)
})

test('the log tells of most conversions of the last days by which postback they came', async () => {
  const { rows } = await sql<{ all: number; told: number; misread: number }>`
    select count(*)::int as all, count(p.id)::int as told, count(*) filter (where p.click_id <> c.click_id or p.parsed->'problem' <> 'null')::int as misread
      from conversion c left join postback_in p on p.conversion_id = c.id and p.outcome = 'created'
     where c.created_at > ${new Date(NOW - 7 * 86_400_000)} and c.offer_id not in (select offer_id from api_offer)`.execute(parts.db)
  expect(rows[0]?.misread).toBe(0)
  expect(rows[0]?.told).toBeGreaterThan(0.9 * (rows[0]?.all ?? 0))
})

test('the traffic is the same in whatever order the database answers', async () => {
  const offers = (await readSnapshotOffers(parts.db, NOW, 'all')).map((offer) => {
    return { offer, vertical: 'finance', weight: 1, geos: [['DE', 1]] as const, ended: null }
  })
  const affiliates = (await readSnapshotAffiliates(parts.db, 'all')).toSorted((a, b) => a.id - b.id).map((one) => ({ ...one, ended: null }))
  const linesOfTraffic = (answered: typeof offers) => {
    const source = { offers: answered, affiliates, fullUntil: () => 0 }
    return [...makeTraffic(seededRandom(1), source, { from: NOW - 7_200_000, to: NOW, count: 300 })].map(({ made }) => encodeClick(made))
  }
  expect(linesOfTraffic(offers.toReversed())).toEqual(linesOfTraffic(offers))
})

test('landings are whose their offers are; those that are offered have a picture, one pays by a row of its own', async () => {
  const { rows } = await sql<Record<string, unknown>>`
    select l.name, (l.preview is not null or x.weight = 0) as shown, l.advertiser_id = o.advertiser_id as theirs,
           exists (select from payout_rule r join conversion c on c.offer_id = r.offer_id and c.landing = l.id and c.payout = r.payout_fixed
             where l.id = any(r.landing_ids)) as paid
    from landing l join offer_landing x on x.landing_id = l.id join offer o on o.id = x.offer_id`.execute(parts.db)
  expect(rows.length).toBeGreaterThan(10)
  expect(rows.every(({ theirs, shown }) => theirs && shown)).toBe(true)
  const { rows: proposed } = await sql`
    select l.id from landing l join account a on a.id = l.proposed_by where l.status = 'moderation' and a.role <> 'manager'`.execute(
    parts.db,
  )
  expect(proposed).toEqual([])
  expect(rows.filter(({ paid }) => paid)).toHaveLength(1)
  const kept = await parts.db.selectFrom('file').select(['uuid', 'size']).where('owner_id', 'is not', null).execute()
  expect(kept.length).toBeGreaterThan(30)
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
    // of leads that came without one it was made for them
    .where('offer_id', 'not in', parts.db.selectFrom('api_offer').select('offer_id'))
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
}, 120_000)

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
    select c.offer_id, k, c.used from cap_counter c join offer o on o.id = c.offer_id, jsonb_array_elements(o.caps) k
     where k->>'period' = c.period and k->>'measure' = c.measure and (k->>'scope' = 'offer') = (c.affiliate_id = 0)
       and c.used > (k->>'limit')::numeric`.execute(parts.db)
  expect(over.rows).toEqual([])
})

test('an office has left its traces: an import that may be taken back, links of advertisers, reports by mail, methods of each system, a month of notes', async () => {
  const { rows } = await sql<Record<string, number>>`select
    (select count(*)::int from import where state = 'done' and finished_at > ${new Date(NOW - 86_400_000)}) as imports,
    (select count(distinct state)::int from import_row) as fates,
    (select count(*)::int from advertiser_link) as links,
    (select count(*)::int from report_schedule) as schedules,
    (select count(distinct system)::int from payment_method where affiliate_id = 1) as systems,
    (select count(distinct actor_id)::int from audit where at > ${new Date(NOW - 30 * 86_400_000)} and after ? 'notes') as writers,
    (select count(distinct at::date)::int from audit where after ? 'notes') as days`.execute(api.db)
  expect(rows[0]).toMatchObject({ imports: 1, fates: 3, links: 3, schedules: 2 })
  expect(rows[0]?.['systems']).toBeGreaterThanOrEqual(3)
  expect(rows[0]?.['writers']).toBeGreaterThanOrEqual(4)
  expect(rows[0]?.['days']).toBeGreaterThan(15)
})

/** What the story of money has, and a statement that counts it: states, and how many there are at least. */
const MONEY: Record<string, { counts: string; least: Record<string, number> }> = {
  'payout files': {
    counts: `select case when state = 'released' and not exists (select from payout p where p.file_id = f.id and p.state = 'sent') then 'closed' else state end as value, count(*) from payout_file f group by 1`,
    least: { draft: 1, released: 1, closed: 1 },
  },
  payouts: { counts: 'select state as value, count(*) from payout group by 1', least: { planned: 1, sent: 1, settled: 1, returned: 1 } },
  'payout requests': {
    counts: 'select state as value, count(*) from payout_request group by 1',
    least: { open: 2, declined: 1, accepted: 1 },
  },
  runs: {
    counts: 'select state as value, count(*) from billing_run where schedule is not null group by 1',
    least: { proposed: 1, made: 1 },
  },
  invoices: {
    counts: 'select status as value, count(*) from invoice group by 1',
    least: { draft: 1, waiting: 2, approved: 2, partly_paid: 1, paid: 4, declined: 1, cancelled: 1 },
  },
  'invoices by what they are in law': {
    counts: `select mode || ' ' || vat_category as value, count(*) from invoice where mode is not null group by 1`,
    least: { 'statement O': 1, 'self_billing S': 1, 'self_billing AE': 1, 'self_billing O': 1 },
  },
  'tax profiles': {
    counts: `select coalesce(vat_category, 'undecided') as value, count(*) from tax_profile group by 1`,
    least: { S: 1, AE: 1, E: 1, O: 1, undecided: 1 },
  },
  objections: { counts: 'select state as value, count(*) from invoice_objection group by 1', least: { open: 1, answered: 1 } },
  'own invoices': { counts: 'select state as value, count(*) from own_document group by 1', least: { given: 1 } },
  proposals: { counts: `select kind as value, count(*) from proposal where state = 'open' group by 1`, least: { bonus: 1, write_off: 1 } },
  reconciliations: { counts: 'select state as value, count(*) from reconciliation group by 1', least: { matched: 1, applied: 1 } },
  differences: {
    counts: `select r.cause as value, count(*) from reconciliation_row r join reconciliation b on b.id = r.batch_id where b.state = 'matched' and r.cause is not null group by 1`,
    least: { duplicate_theirs: 1, time_zone: 1, unmatched: 1, status: 1, amount: 1, never_reported: 1, not_in_report: 1 },
  },
  'imports of conversions': { counts: 'select state as value, count(*) from conversion_import group by 1', least: { done: 1 } },
  'invoices to advertisers': {
    counts: 'select status as value, count(*) from advertiser_invoice group by 1',
    least: { draft: 2, issued: 2, partly_paid: 1, paid: 2 },
  },
  'receipts in another currency': { counts: `select 'moved' as value, count(*) from receipt where moved is not null`, least: { moved: 1 } },
  reminders: { counts: `select event as value, count(*) from advertiser_invoice_history group by 1`, least: { reminded: 2 } },
  credit: {
    counts: `select case when blocked_at is not null then 'blocked' when warned_at is not null then 'near' else 'good' end as value, count(*) from advertiser_credit group by 1`,
    least: { near: 1 },
  },
  'levels of referrals': { counts: 'select level::text as value, count(*) from referral group by 1', least: { 1: 5, 2: 2 } },
  'referrals by state': { counts: 'select state as value, count(*) from referral group by 1', least: { held: 1 } },
  'commission statements': { counts: `select 'all' as value, count(*) from commission_statement`, least: { all: 1 } },
}

test.for(Object.entries(MONEY))('the demo has %s in each state', async ([, { counts, least }]) => {
  const { rows } = await sql.raw<{ value: string; count: string }>(counts).execute(parts.db)
  const found = new Map(rows.map((row) => [row.value, Number(row.count)]))
  expect(
    Object.entries(least).flatMap(([value, rows]) => ((found.get(value) ?? 0) < rows ? [`${value}: ${found.get(value) ?? 0}`] : [])),
  ).toEqual([])
})

test('leads of the demo are such as the product writes: whatever their status, with people whose telephones are of their countries', async () => {
  const { rows } = await sql<Record<string, number | string[] | boolean[]>>`select
    (select count(*)::int from user_session) as leads, (select count(*)::int from product) as products,
    (select count(*)::int from api_offer) as offers, (select count(distinct integration_type)::int from api_offer) as types,
    (select count(distinct preset)::int from integration) as systems, (select count(*)::int from lead_word) as words,
    (select count(distinct call_status)::int from user_session) as calls,
    (select array_agg(distinct reason order by reason) from stuck_status where state = 'open') as stuck,
    (select array_agg(distinct other_country order by other_country) from lead_entry where used_at <= ${new Date(NOW)}) as visits,
    (select count(*)::int from lead_send where asked_at > ${new Date(NOW)} or answered_at > ${new Date(NOW + 60_000)}) as future`.execute(
    parts.db,
  )
  expect(rows[0]).toMatchObject({ offers: 5, types: 5, products: 12, systems: 5, future: 0 })
  expect(rows[0]?.['visits']).toEqual([false, true])
  expect(rows[0]?.['stuck']).toEqual(['amount', 'lead_missing', 'lead_unknown', 'rate_missing', 'status_missing'])
  expect(rows[0]?.['leads']).toBeGreaterThan(400)
  expect(rows[0]?.['words']).toBeGreaterThan(0)
  expect(rows[0]?.['calls']).toBeGreaterThan(8)
  const statuses = await sql<{ status: string }>`select distinct status from user_session`.execute(parts.db)
  const all = 'accepted ambiguous closed converted duplicate queued rejected test unsold'.split(' ')
  expect(statuses.rows.map(({ status }) => status).toSorted()).toEqual(all)
  const vault = openLeadVault(parts.secretKey ?? null)
  const people = await parts.db.selectFrom('person').select(['sealed', 'country', 'phone_hash']).execute()
  for (const { sealed, country, phone_hash } of people) {
    const { phone = '', email = '' } = sealed === null ? {} : vault.openTold(sealed)
    expect(canonicalPhone(phone, country)).toBe(phone)
    expect(vault.hash('phone', phone).equals(phone_hash ?? Buffer.alloc(0))).toBe(true)
    expect(email === '' || email.endsWith('.example')).toBe(true)
  }
})

test('two second sales went as the product sends them: one is over, one under way, each person once and under whom it says', async () => {
  const { rows } = await sql<Record<string, unknown>>`
    select r.status, count(i.session_id)::int > 0 as sent, bool_or(i.status = 'skipped') as skipped, bool_or(i.status = 'pending') as waiting,
           bool_and((i.session_id is null) = (i.sent_at is null)) as told, bool_and(s.id is null or s.traffic_type = 'cold') as cold,
           bool_and(s.id is null or (r.payout = 'original') = (s.affiliate_id = t.affiliate_id)) as theirs,
           bool_and(s.id is null or s.told ->> 'registered_at' is not null) as dated
      from recold r join recold_item i on i.recold_id = r.id join lead_list_item t on t.id = i.list_item_id
      left join user_session s on s.id = i.session_id group by r.id, r.status order by r.id`.execute(parts.db)
  const alike = { sent: true, skipped: true, told: true, cold: true, theirs: true, dated: true }
  expect(rows).toEqual([
    { ...alike, status: 'done', waiting: false },
    // of a tenth of the leads nobody may be left
    { ...alike, status: 'active', waiting: expect.any(Boolean) },
  ])
  // nobody who had them is asked again
  const twice = await sql`
    select from lead_send n join user_session s on s.id = n.session_id join lead_send b on b.person_id = n.person_id and b.advertiser_id = n.advertiser_id
     where s.traffic_type = 'cold' and b.session_id <> n.session_id and b.asked_at < n.asked_at and b.status in ('accepted', 'duplicate', 'ambiguous')`.execute(
    parts.db,
  )
  expect(twice.rows).toEqual([])
})

test('leads of the demo are booked as their sends and statuses say, and places in caps are those of leads that were taken', async () => {
  const { rows } = await sql`
    with said as (
      select n.uuid::text as send, 'first' as goal, 'approved' as status from lead_send n where n.status = 'accepted'
      union all
      select n.uuid::text, 'paid', case when u.status = 'sale' then 'approved' else 'declined' end
        from lead_status u join lead_send n on n.id = u.send_id where u.booked <> ''
    ), booked as (
      select c.transaction_id as send, case when g.position = 0 then 'first' else 'paid' end as goal,
             case when c.status = 'hold' then 'approved' else c.status end as status
        from conversion c join goal g on g.id = c.goal_id join api_offer a on a.offer_id = c.offer_id
    )
    select send, goal, status from (select * from said except all select * from booked) x
    union all select send, goal, status from (select * from booked except all select * from said) y`.execute(parts.db)
  expect(rows).toEqual([])
  const sold = await sql`
    select n.session_id from lead_send n join user_session s on s.id = n.session_id where n.status = 'accepted'
       and (s.status not in ('accepted', 'converted', 'closed') or n.redirect is null and n.external_id is null)`.execute(parts.db)
  expect(sold.rows).toEqual([])
  const places = await sql`
    select c.owner, c.used, taken.count from lead_counter c cross join lateral (
      select count(*)::int from lead_send n where c.owner in ('member ' || n.member_id, 'product ' || n.product_id) and n.status in ('accepted', 'ambiguous')
         and n.asked_at >= c.starts and n.asked_at < c.starts + case c.period when 'day' then interval '25 hours' else interval '32 days' end
    ) as taken where c.used > taken.count or c.used < 1`.execute(parts.db)
  expect(places.rows).toEqual([])
})

test('the nightly check of the books finds nothing', async () => {
  expect(await findDifferences(parts.db)).toEqual([])
})

test('a naive program that adds up what was sent, rows and papers comes to the same as ledger, invoices, statistics and PDFs', async () => {
  const [calls, referrals, papers] = [
    await recountCalls(parts.db),
    await recountReferrals(parts.db, 'Europe/Kyiv'),
    await recountPapers(parts.db),
  ]
  expect([...(await broken(parts.db)), ...calls.faults, ...referrals.faults, ...papers.faults]).toEqual([])
  expect(calls.counted).toBeGreaterThan(100)
  expect(referrals.counted).toBeGreaterThan(5)
  expect(Object.keys(papers.counted).toSorted()).toEqual(['advertiser_invoice', 'credit_note', 'invoice'])

  const { id } = await parts.db.selectFrom('account').select('id').where('role', '=', 'admin').executeTakeFirstOrThrow()
  const { token } = await openSession(parts.db, NOW, { accountId: id, device: 'test', address: '' })
  const statuses = ['approved', 'hold', 'pending', 'declined', 'trash'] as const
  const report = async (page: number) => {
    const { status, data } = await caller(api.url, token)(reportApi.run, {
      body: {
        period: { preset: 'custom', from: '2026-10-01', to: '2026-11-30' },
        currency: 'each',
        group: ['affiliate'],
        metrics: ['payout', 'revenue', ...statuses],
        page,
        count: 100,
      },
    })
    expect(status).toBe(200)
    return data.list
  }
  const reported = new Map(
    [...(await report(1)), ...(await report(2)), ...(await report(3))].flatMap(({ keys, values }) =>
      (['payout', 'revenue', ...statuses] as const).map((metric) => {
        const value = String(values[metric] ?? '0')
        const amount = metric === 'payout' || metric === 'revenue' ? parse(value) : BigInt(value)
        return [[...keys.map(({ id }) => id), metric].join(' '), amount] as const
      }),
    ),
  )
  expect(reported.size).toBeGreaterThan(100)
  expect(differing('statistics', await recountConversions(parts.db), reported)).toEqual([])
})

test('what the network keeps of an advertiser’s money is believable', async () => {
  const { rows } = await sql<{ name: string; margin: string }>`
    select v.name, round(100 * (1 - sum(c.payout) / sum(c.revenue)), 1)::text as margin
      from conversion c join advertiser v on v.id = c.advertiser_id where c.status in ('approved', 'hold') and c.revenue > 0
     group by 1 having count(*) >= 10`.execute(parts.db)
  expect(rows.length).toBeGreaterThan(8)
  expect(rows.filter(({ margin }) => Number(margin) < 15 || Number(margin) > 40)).toEqual([])
})

test('whatever waits of money is a task of the admin', async () => {
  const { id } = await parts.db.selectFrom('account').select('id').where('role', '=', 'admin').executeTakeFirstOrThrow()
  const { token } = await openSession(parts.db, NOW, { accountId: id, device: 'test', address: '' })
  const { data } = await caller(api.url, token)(inboxApi.list, { body: { kind: 'money', count: 100 } })
  const kinds = 'request run proposal credit_near returned objection invoice file report overdue'.split(' ')
  expect([...new Set(data.list.map(({ reason }) => reason))]).toEqual(expect.arrayContaining(kinds))
})
