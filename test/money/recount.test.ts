import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { generalSetting } from '#contract/network/setting.ts'
import { reportApi } from '#contract/traffic/report.ts'
import { findDifferences } from '#server/features/money/ledger/check.service.ts'
import { openClickFinder } from '#server/features/traffic/click/click.queries.ts'
import { releaseHolds } from '#server/features/traffic/conversion/hold.jobs.ts'
import { sendOutbox } from '#server/features/traffic/fact/outbox.service.ts'
import { openReceiveParts, receivePostback } from '#server/features/traffic/postback/incoming/receive.service.ts'
import { handOver, makeClick, makeClickKeys, storeClicks, type MadeClick } from '#test/support/make/money.ts'
import { textOfPdf } from '#test/support/pdf.ts'
import { startApi, type TestApi } from '#test/support/run/api.ts'
import { answer, type Ask } from './ask.ts'
import { readRaw, recount, type Month } from './naive.ts'
import { CURRENCIES, makeWorld, newKey, type World } from './world.ts'

/**
 * A quarter of a network, from raw calls to paper: what advertisers sent, as it was kept, is added up a second time by a naive program,
 * and ledger, invoices of both sides, statistics and the text of the PDFs must say the same.
 */
const ZONE = 'Europe/Kyiv'
const FIRST = Date.parse('2026-07-01T00:00:00+03:00')
const ENDS = ['2026-07-31', '2026-08-31', '2026-09-30']
const HOUR = 3_600_000
const CLICKS = 120
const endOf = (until: string) => Date.parse(`${until}T23:59:59.999+03:00`) + 1

let api: TestApi
let world: World
let clicks: MadeClick[]
let drawn = 20_260_930
const random = (below: number) => Math.floor(((drawn = (drawn * 48_271) % 2_147_483_647) / 2_147_483_647) * below)

beforeAll(async () => {
  api = await startApi({ clickhouse: true, at: '2026-07-01T00:00:00Z' })
  const values = JSON.stringify({ ...generalSetting.defaults, time_zone: ZONE })
  await api.db.insertInto('setting').values({ key: generalSetting.key, value: values }).execute()
  world = await makeWorld(api.db, { clicks: 0, affiliates: 3 })
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
})
afterAll(() => api.close())

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
    await ask({ do: 'approve', invoice, revision: revision + 1, leave: false })
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

const plain = (text: string) => text.replace(/\.?0+$/, '')

test(
  'a quarter of raw calls, added up by a naive program, is what ledger, invoices, statistics and papers say',
  { timeout: 300_000 },
  async () => {
    const parts = openReceiveParts({ db: api.db, findClick: openClickFinder(api.clickhouse), clock: { now: () => world.now } })
    const calls = clicks.flatMap(callsOf).toSorted((one, other) => one.at - other.at)
    const months = ENDS.map((until): Month => ({ until, at: endOf(until) + 6 * HOUR }))
    const end = Date.parse('2026-11-25T00:00:00+02:00')
    const moments = [
      ...calls.map(({ at, query }) => ({
        at,
        act: () => receivePostback(parts, handOver(query, { received_at: new Date(at).toISOString() })),
      })),
      ...months.map(({ at, until }) => ({ at, act: () => endMonth(until) })),
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

    const counted = recount(await readRaw(api.db), months, ZONE, end)
    expect(counted.calls).toBe(calls.length)
    expect(counted.invoices.length).toBeGreaterThan(12)
    expect(counted.corrections).toBeGreaterThan(5)

    // the ledger
    const { rows: balances } = await sql<{ key: string; balance: string }>`
    select kind || ' ' || owner_id || ' ' || currency as key, balance::text from ledger_account where balance <> 0
       and kind in ('payout_cost', 'network_revenue', 'affiliate_invoiced', 'affiliate_available', 'affiliate_correction', 'receivable', 'advertiser_invoiced', 'affiliate_pending')`.execute(
      api.db,
    )
    expect(Object.fromEntries(balances.map(({ key, balance }) => [key, plain(balance)]))).toEqual(counted.balances)

    // invoices of both sides
    const { rows: invoices } = await sql<{ row: string }>`
    select 'affiliate ' || affiliate_id || ' ' || currency || ' ' || period_to || ' ' || trim_scale(net) || ' ' || trim_scale(vat) || ' ' || trim_scale(total) as row from invoice
    union all
    select 'advertiser ' || advertiser_id || ' ' || currency || ' ' || period_to || ' ' || trim_scale(net) || ' ' || trim_scale(vat) || ' ' || trim_scale(total) from advertiser_invoice`.execute(
      api.db,
    )
    expect(invoices.map(({ row }) => row).toSorted()).toEqual(counted.invoices.toSorted())

    // statistics
    const admin = await api.as('admin')
    const { data } = await admin.call(reportApi.run, {
      body: {
        period: { preset: 'custom', from: '2026-07-01', to: '2026-10-31' },
        zone: ZONE,
        currency: 'each',
        group: ['month', 'affiliate'],
        metrics: ['payout', 'revenue'],
        count: 100,
      },
    })
    const reported = data.list.flatMap(({ keys, values }) => {
      const { payout, revenue } = values as { payout: string; revenue: string } // the metrics that were asked for
      const isNothing = Number(payout) === 0 && Number(revenue) === 0
      return isNothing ? [] : [[...keys.map(({ id }) => id), plain(payout), plain(revenue)].join(' ')]
    })
    expect(reported.toSorted()).toEqual(counted.statistics.toSorted())

    // what is printed
    const papers = await api.db
      .selectFrom('document as d')
      .innerJoin('invoice as i', 'i.id', 'd.subject_id')
      .select(['d.bytes', 'i.total', 'i.currency'])
      .where('d.kind', '=', 'invoice')
      .execute()
    for (const { bytes, total, currency } of papers) {
      const text = (await textOfPdf(new Uint8Array(bytes))).join(' ').replaceAll(',', '')
      expect(text).toContain(Number(total).toFixed(CURRENCIES[currency as keyof typeof CURRENCIES]))
    }
    expect(papers).toHaveLength(counted.invoices.filter((row) => row.startsWith('affiliate')).length)
    expect(await findDifferences(api.db)).toEqual([])
  },
)
