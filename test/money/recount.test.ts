import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { generalSetting } from '#contract/network/setting.ts'
import { reportApi } from '#contract/traffic/report.ts'
import { findDifferences } from '#server/features/money/ledger/check.service.ts'
import { releaseHolds } from '#server/features/traffic/conversion/hold.jobs.ts'
import { sendOutbox } from '#server/features/traffic/fact/outbox.service.ts'
import { makeClick, makeClickKeys, storeClicks, type MadeClick } from '#test/support/make/money.ts'
import { makeRates } from '#test/support/make/rates.ts'
import { linesOfPdf } from '#test/support/pdf.ts'
import { startApi, type TestApi } from '#test/support/run/api.ts'
import { answer, type Ask } from './ask.ts'
import { openDoor, type Door } from './door.ts'
import { fixed, parse, plain, readRaw, recount, type Decision, type Paper } from './naive.ts'
import { readPaper } from './printed-paper.ts'
import { CURRENCIES, makeWorld, newKey, type World } from './world.ts'

/**
 * A quarter of a network, from raw calls to paper: what advertisers sent over HTTP to a tracker, as it was kept, is added up a second time
 * by a naive program, and every account of the ledger, invoices and credit notes of both sides, statistics and what is printed must say the
 * same. The quarter is made for this test, in currencies of 0 to 8 decimals; the demo holds thirty days, and is recounted where it is built.
 */
const ZONE = 'Europe/Kyiv'
const FIRST = Date.parse('2026-07-01T00:00:00+03:00')
const ENDS = ['2026-07-31', '2026-08-31', '2026-09-30']
const HOUR = 3_600_000
const CLICKS = 120
const endOf = (until: string) => Date.parse(`${until}T23:59:59.999+03:00`) + 1

let api: TestApi
let door: Door
let world: World
let clicks: MadeClick[]
let drawn = 20_260_930
const random = (below: number) => Math.floor(((drawn = (drawn * 48_271) % 2_147_483_647) / 2_147_483_647) * below)

beforeAll(async () => {
  api = await startApi({ clickhouse: true, at: '2026-07-01T00:00:00Z' })
  const values = JSON.stringify({ ...generalSetting.defaults, time_zone: ZONE })
  await api.db.insertInto('setting').values({ key: generalSetting.key, value: values }).execute()
  world = await makeWorld(api.db, { clicks: 0, affiliates: 3 })
  await api.db
    .updateTable('advertiser_billing')
    .set({ document_language: 'uk' })
    .where('advertiser_id', '=', world.advertisers[1]!.id)
    .execute()
  // papers tell VAT at home by them
  await makeRates(api.db, { JPY: '0.0065', KWD: '3.2', SAT: '0.006' })
  const keys = await makeClickKeys(api.db)
  const quarter = Date.parse('2026-10-01T00:00:00+03:00') - FIRST
  clicks = Array.from({ length: CLICKS }, (_value, at) => {
    const offer = world.offers[random(world.offers.length)]!
    const affiliate = world.affiliates[random(3)]!
    return makeClick(keys, { offerId: offer.terms.id, affiliateId: affiliate.id, at: FIRST + Math.floor((quarter * at) / CLICKS) })
  })
  // and some whose conversions come between the end of a month and its invoices
  for (const until of ENDS)
    for (let place = 0; place < 6; place++) {
      const offer = world.offers[(place * 2) % world.offers.length]!
      clicks.push(
        makeClick(keys, { offerId: offer.terms.id, affiliateId: world.affiliates[place % 3]!.id, at: endOf(until) - HOUR + place * 1000 }),
      )
    }
  await storeClicks(api.clickhouse, clicks)
  door = await openDoor(api, FIRST)
})
afterAll(async () => {
  await door.close()
  await api.close()
})

/** What is sent of a click, each at its time: a conversion, and what becomes of it later. */
function callsOf(click: MadeClick): { at: number; query: Record<string, string> }[] {
  const token = world.offers.find(({ terms }) => terms.id === click.offerId)!.terms.advertiser_token
  const call = (at: number, query: Record<string, string>) => ({ at, query: { click_id: click.id, token, ...query } })
  const amount = () => `${1 + random(900)}.${String(random(100)).padStart(2, '0')}`
  const isLate = clicks.indexOf(click) >= CLICKS
  const at = click.at + HOUR * (1 + random(isLate ? 5 : 60))
  const first = random(4) === 0 ? 'pending' : 'approved'
  const calls = [call(at, { status: first, amount: amount() })]
  const later = () => at + HOUR * 24 * (1 + random(45))
  if (first === 'pending' && random(3) > 0) calls.push(call(later(), { status: random(3) === 0 ? 'declined' : 'approved' }))
  if (first === 'approved') {
    const fate = random(8)
    if (fate === 0) calls.push(call(later(), { status: 'declined' }))
    if (fate === 1) calls.push(call(later(), { status: 'approved', amount: amount() }))
    if (fate === 2) calls.push(call(later(), { status: 'approved' }))
    // between the end of a month and its invoices: it belongs to the next
    const end = ENDS.map(endOf).find((moment) => moment > at + 20 * 24 * HOUR)
    if (fate > 5 && end !== undefined) calls.push(call(end + HOUR * (1 + random(5)), { status: 'declined' }))
  }
  return calls
}

const ask = async (asked: Ask) => {
  const told = await answer(world, api.db, world.staff[0], asked)
  return told.done ? told.made : told.code === 'nothing_to_invoice' ? [] : Promise.reject(new Error(`${asked.do}: ${told.code}`))
}

/** The end of a month: affiliates' invoices are made and approved, and advertisers' issued. */
async function endMonth(until: string): Promise<void> {
  await releaseHolds(api.db, world.now)
  for (const invoice of await ask({ do: 'run', key: newKey(), affiliates: [], until })) {
    const { revision } = await api.db.selectFrom('invoice').select('revision').where('uuid', '=', invoice).executeTakeFirstOrThrow()
    await ask({ do: 'send', invoice, revision })
    await ask({ do: 'approve', invoice, revision: revision + 1, leave: false, owing: true })
  }
  for (const { uuid } of world.advertisers)
    for (const currency of Object.keys(CURRENCIES)) {
      const [invoice] = await ask({ do: 'bill', key: newKey(), advertiser: uuid, currency, until })
      if (invoice === undefined) continue
      const { revision, net } = await api.db
        .selectFrom('advertiser_invoice')
        .select(['revision', 'net'])
        .where('uuid', '=', invoice)
        .executeTakeFirstOrThrow()
      await ask({ do: 'issue', invoice, revision, net })
    }
}

/** Somebody takes an invoice back, where there is one, or what its conversions have lost since. */
async function takeBack({ side, whose, currency, until, kind }: Extract<Decision, { do: 'take back' }>): Promise<void> {
  const table = side === 'affiliate' ? 'invoice' : 'advertiser_invoice'
  const { rows } = await sql<{ invoice: string; revision: number }>`
    select uuid as invoice, revision from ${sql.table(table)} where ${sql.ref(`${side}_id`)} = ${whose} and currency = ${currency} and period_to = ${until}`.execute(
    api.db,
  )
  const [invoice] = rows
  if (invoice === undefined) return
  const told = await answer(
    world,
    api.db,
    world.staff[0],
    side === 'affiliate' ? { do: 'cancel', ...invoice } : { do: 'credit', kind, ...invoice },
  )
  // what is refused here and not by the recount shows below
  if (!told.done && !['nothing_to_credit', 'status_not_allowed'].includes(told.code)) throw new Error(`credit note: ${told.code}`)
}

/** Every invoice and credit note as the tables have it. */
async function kept(): Promise<(Paper & { id: number; document: string; number: string })[]> {
  const { rows } = await sql<Paper & { id: number; document: string; number: string }>`
    select id, 'invoice' as document, 'invoice' as what, 'affiliate' as side, affiliate_id as whose, currency, period_to as until, number, net::text, vat::text, total::text from invoice
    union all
    select n.id, 'credit_note', 'credit note', 'affiliate', i.affiliate_id, i.currency, i.period_to, n.number, n.net::text, n.vat::text, n.total::text from credit_note n join invoice i on i.id = n.invoice_id
    union all
    select id, 'advertiser_invoice', 'invoice', 'advertiser', advertiser_id, currency, period_to, number, net::text, vat::text, total::text from advertiser_invoice
    union all
    select n.id, 'advertiser_credit_note', 'credit note', 'advertiser', i.advertiser_id, i.currency, i.period_to, n.number, n.net::text, n.vat::text, n.total::text from advertiser_credit_note n join advertiser_invoice i on i.id = n.invoice_id`.execute(
    api.db,
  )
  return rows
}

const say = ({ what, side, whose, currency, until, net, vat, total }: Paper) =>
  [
    what,
    side,
    whose,
    currency,
    until,
    ...[net, vat, total].map((amount) => fixed(parse(amount), CURRENCIES[currency as keyof typeof CURRENCIES])),
  ].join(' ')

/** The ends of the months, and what is taken back later: whole invoices of both sides, and what those of advertisers have lost. */
function decisionsOf(): Decision[] {
  const { affiliates, advertisers } = world
  const currencies = Object.keys(CURRENCIES)
  const back = (day: string, side: Paper['side'], whose: number, currency: string, until: string, kind: 'whole' | 'changed'): Decision => ({
    at: Date.parse(`${day}T12:00:00+03:00`),
    do: 'take back',
    side,
    whose,
    currency,
    until,
    kind,
  })
  return [
    ...ENDS.map((until): Decision => ({ at: endOf(until) + 6 * HOUR, do: 'end month', until })),
    ...affiliates.map(({ id }, at) => back('2026-08-20', 'affiliate', id, currencies[at] ?? 'USD', ENDS[0]!, 'whole')),
    ...advertisers.map(({ id }, at) => back('2026-09-15', 'advertiser', id, currencies[at * 2] ?? 'USD', ENDS[1]!, 'whole')),
    ...advertisers.flatMap(({ id }) =>
      currencies.flatMap((currency) => ENDS.map((until) => back('2026-10-20', 'advertiser', id, currency, until, 'changed'))),
    ),
  ]
}

test(
  'a quarter of raw calls, added up by a naive program, is what ledger, invoices, statistics and papers say',
  { timeout: 300_000 },
  async () => {
    const calls = clicks.flatMap(callsOf).toSorted((one, other) => one.at - other.at)
    const end = Date.parse('2026-11-25T00:00:00+02:00')
    const decisions = decisionsOf()
    const moments = [
      ...calls.map(({ at, query }) => ({ at, act: () => door.call(at, query) })),
      ...decisions.map((decision) => ({
        at: decision.at,
        act: () => (decision.do === 'end month' ? endMonth(decision.until) : takeBack(decision)),
      })),
    ].toSorted((one, other) => one.at - other.at)
    for (const { at, act } of moments) {
      world.now = at
      await releaseHolds(api.db, at)
      await act()
    }
    world.now = end
    api.clock.set(end)
    await releaseHolds(api.db, end)
    while ((await sendOutbox(api.db, api.clickhouse)) !== 0) {
      // until nothing waits
    }

    const counted = recount(await readRaw(api.db), new Map(clicks.map((click) => [click.id, click])), decisions, ZONE, end)
    expect(counted.calls).toBe(calls.length)
    expect(counted.corrections).toBeGreaterThan(5)
    const many = (what: Paper['what'], side: Paper['side']) =>
      counted.papers.filter((paper) => paper.what === what && paper.side === side).length
    expect(many('invoice', 'affiliate')).toBeGreaterThan(12)
    expect(many('invoice', 'advertiser')).toBeGreaterThan(12)
    expect(many('credit note', 'affiliate')).toBeGreaterThan(1)
    expect(many('credit note', 'advertiser')).toBeGreaterThan(3)

    // the ledger: every account
    const { rows: balances } = await sql<{ key: string; balance: string }>`
      select kind || ' ' || owner_id || ' ' || currency as key, balance::text from ledger_account where balance <> 0`.execute(api.db)
    expect(Object.fromEntries(balances.map(({ key, balance }) => [key, plain(balance)]))).toEqual(counted.balances)

    // invoices and credit notes of both sides
    const told = counted.papers.map(say).toSorted()
    const rows = await kept()
    expect(rows.map(say).toSorted()).toEqual(told)

    // and what is printed of them
    const printed: string[] = []
    for (const { id, document, side, whose, number, ...row } of rows) {
      const { bytes } = await api.db
        .selectFrom('document')
        .select('bytes')
        .where('kind', '=', document as 'invoice') // one of the four above
        .where('subject_id', '=', id)
        .executeTakeFirstOrThrow()
      const paper = readPaper(await linesOfPdf(new Uint8Array(bytes)))
      const same = rows.find(
        (one) =>
          one.what === 'invoice' && one.side === side && one.whose === whose && one.currency === row.currency && one.until === row.until,
      )
      expect(paper).toMatchObject({ number, credits: row.what === 'invoice' ? null : same?.number })
      // its lines add up to its net
      expect(paper.amounts.reduce((sum, amount) => sum + parse(amount), 0n)).toBe(parse(paper.net))
      printed.push(`${say({ ...paper, side, whose, until: row.until })}, supplied ${paper.supply}`)
    }
    expect(printed.toSorted()).toEqual(counted.papers.map((paper) => `${say(paper)}, supplied ${paper.supply}`).toSorted())

    // statistics
    const admin = await api.as('admin')
    const { data } = await admin.call(reportApi.run, {
      body: {
        period: { preset: 'custom', from: '2026-07-01', to: '2026-10-31' },
        zone: ZONE,
        currency: 'each',
        group: ['month', 'affiliate'],
        metrics: ['payout', 'revenue', 'approved', 'pending', 'declined'],
        count: 100,
      },
    })
    const reported = data.list.map(({ keys, values }) => {
      const { payout, revenue, approved, pending, declined } = values as Record<string, string> // the metrics that were asked for
      return [...keys.map(({ id }) => id), plain(payout ?? ''), plain(revenue ?? ''), approved, pending, declined].join(' ')
    })
    expect(reported.toSorted()).toEqual(counted.statistics.toSorted())
    expect(await findDifferences(api.db)).toEqual([])
  },
)
