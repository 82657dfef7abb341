import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OfferCap } from '#contract/offers/offer-cap.ts'
import { fromUnits, toUnits, UNITS } from '#contract/money/amount.ts'
import type { ConversionStatus } from '#contract/traffic/conversion.ts'
import type { ClickIdKeys } from '#server/rules/click/click-id.ts'
import { cloneDatabase, type TestDatabase } from '#test/support/run/database.ts'
import { createClickhouseDatabase, type TestClickhouse } from '#test/support/run/clickhouse.ts'
import {
  handOver,
  inParallel,
  makeAffiliateId,
  makeClick,
  makeClickKeys,
  makeOffer,
  storeClicks,
  type MadeClick,
} from '#test/support/make/money.ts'
import { openClickFinder } from '../click/click.queries.ts'
import { applyReport } from '../conversion/apply-report.service.ts'
import { repaid } from '../conversion/plan-report.service.ts'
import { recordChanges } from '../conversion/change.service.ts'
import type { ConversionRow } from '../conversion/change.ts'
import { openReceiveParts, receivePostback } from '../postback/incoming/receive.service.ts'
import { loadTerms, type OfferTerms } from '../conversion/terms.queries.ts'
import { capLevels, ownCapLevels } from './level.service.ts'
import { lockCaps } from './cap.queries.ts'
import { recountCaps } from './cap.service.ts'

const HALF_HOUR = 1_800_000
const DAY = 86_400_000
const ZONE = 'Europe/Kyiv'
/** When whatever happens is applied: the times of what is drawn are in no order. */
const LATER = Date.parse('2026-12-31T00:00:00Z')
/** Clocks go forward at the first and back at the second. */
const SPRING = Date.parse('2026-03-29T01:00:00Z')
const AUTUMN = Date.parse('2026-10-25T01:00:00Z')

let database: TestDatabase
let events: TestClickhouse
let keys: ClickIdKeys
beforeAll(async () => {
  ;[database, events] = await Promise.all([cloneDatabase(), createClickhouseDatabase()])
  keys = await makeClickKeys(database.db)
})
afterAll(async () => {
  await database.drop()
  await events.drop()
})

const cap = (period: OfferCap['period'], limit: string, more: Partial<OfferCap> = {}): OfferCap => ({
  period,
  scope: 'offer',
  measure: 'conversions',
  limit,
  ...more,
})

async function world(caps: OfferCap[], overCap: 'decline' | 'unpaid' = 'decline', affiliates = 1, clicks = 12, payoutPercent = '0') {
  const offer = await makeOffer(database.db, { caps, overCap, timeZone: ZONE, payout: '10', payoutPercent })
  const people: number[] = []
  for (let made = 0; made < affiliates; made++) people.push(await makeAffiliateId(database.db))
  const terms = (await loadTerms(database.db, [offer.id])).get(offer.id)
  if (terms === undefined) throw new Error('no terms')
  const made = Array.from({ length: clicks }, (_value, index) =>
    makeClick(keys, { offerId: offer.id, affiliateId: people[index % affiliates] ?? 0, at: SPRING - 30 * DAY }),
  )
  return { terms, clicks: made, people, token: offer.token }
}

function report(terms: OfferTerms, click: MadeClick, status: ConversionStatus, amount: string | null, at: number) {
  const [goal] = terms.goals
  if (goal === undefined) throw new Error('no goal')
  const of = { terms, goal, clickId: click.id, clickAt: click.at, transactionId: null }
  const told = { status, amount, currency: null, transactionId: null, reason: '' }
  return database.db.transaction().execute((trx) =>
    applyReport(
      trx,
      of,
      click,
      told, // a file: below zero after above, a postback would be refused as ambiguous
      { at, now: LATER, origin: 'import', actorId: null },
    ),
  )
}

/** Gives one conversion a status as staff do. */
function decide(terms: OfferTerms, click: MadeClick, status: ConversionStatus, now: number) {
  return database.db.transaction().execute(async (trx) => {
    const before = await trx.selectFrom('conversion').selectAll().where('click_id', '=', click.id).forUpdate().executeTakeFirst()
    if (before === undefined || before.status === status) return
    const after = repaid(terms.scale, before, { ...before, status, reason: 'staff', updated_at: new Date(now) })
    await recordChanges(trx, [{ before, after, origin: 'staff', actorId: null }], now)
  })
}

/** The caps as one would count them by hand: no counters, periods out of what a clock on the wall shows. */
function createModel(caps: readonly OfferCap[], unpaid: boolean) {
  type Row = {
    affiliate: number
    at: number
    status: ConversionStatus
    within: boolean
    payout: bigint
    amount: bigint | null
    reported: string
    /** Declined by a full cap and by nobody since. */
    capped: boolean
  }
  const rows = new Map<string, Row>()
  const isOpen = (status: ConversionStatus) => status !== 'declined'
  const payoutOf = (amount: bigint | null) => 10n * UNITS + (amount ?? 0n) / 2n
  const used = (one: OfferCap, affiliate: number, at: number, but?: Row) =>
    [...rows.values()]
      .filter((row) => row !== but && row.within && isOpen(row.status))
      .filter((row) => one.scope === 'offer' || row.affiliate === affiliate)
      .filter((row) => wallPeriod(one.period, row.at) === wallPeriod(one.period, at))
      .reduce((sum, row) => sum + (one.measure === 'conversions' ? UNITS : row.payout > 0n ? row.payout : 0n), 0n)
  const fits = (row: Row) => (one: OfferCap) => {
    const others = used(one, row.affiliate, row.at, row)
    if (one.measure === 'conversions' || row.payout > 0n)
      return others + (one.measure === 'payout' ? row.payout : UNITS) <= toUnits(one.limit)
    return others < toUnits(one.limit)
  }
  const enter = (row: Row, owed: boolean) => {
    row.within = owed || caps.every(fits(row))
    if (row.within || row.payout < 0n) return
    if (row.payout === 0n && caps.filter((one) => one.measure === 'conversions').every(fits(row))) return
    if (unpaid) row.payout = 0n
    else Object.assign(row, { status: 'declined', capped: true })
  }
  return {
    rows,
    used,
    report(click: MadeClick, status: ConversionStatus, amount: string | null, at: number) {
      const units = amount === null ? null : toUnits(amount)
      const known = rows.get(click.id)
      if (known === undefined) {
        const row = {
          affiliate: click.affiliateId,
          at,
          status,
          within: false,
          payout: payoutOf(units),
          amount: units,
          reported: status,
          capped: false,
        }
        if (isOpen(status)) enter(row, false)
        rows.set(click.id, row)
        return
      }
      const sameAmount = units === null || units === known.amount
      // an approval asks again for the place there was none of
      const sameStatus = known.reported === status && !(status === 'approved' && known.status === 'declined' && known.capped)
      if (sameStatus && sameAmount) return
      const next = sameStatus ? known.status : status
      known.reported = status
      if (status !== 'declined' && !sameAmount) known.amount = units
      move(known, next, false)
    },
    decide(click: MadeClick, status: ConversionStatus) {
      const known = rows.get(click.id)
      if (known !== undefined && known.status !== status) move(known, status, true)
    },
  }
  function move(row: Row, next: ConversionStatus, byStaff: boolean) {
    const comesIn = !isOpen(row.status) && isOpen(next)
    const wasUnpaid = isOpen(row.status) && !row.within
    if (isOpen(row.status)) row.capped = false
    row.status = next
    if (!isOpen(next)) return
    const payout = payoutOf(row.amount)
    row.payout = wasUnpaid && payout > 0n ? 0n : payout
    if (comesIn) enter(row, row.within || byStaff)
  }
}

const CLOCK = new Intl.DateTimeFormat('sv-SE', { timeZone: ZONE, dateStyle: 'short', timeStyle: 'medium' })
const NAMED = new Intl.DateTimeFormat('en-US', { timeZone: ZONE, hour: 'numeric', timeZoneName: 'longOffset' })

/** A name for the period in which a moment lies, read off a clock in Kyiv. */
function wallPeriod(period: OfferCap['period'], at: number): string {
  const [date = '', time = ''] = CLOCK.format(at).split(' ')
  if (period === 'total') return ''
  if (period === 'month') return date.slice(0, 7)
  if (period === 'hour') return `${date} ${time.slice(0, 2)} ${NAMED.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value}`
  const midnight = Date.parse(`${date}T00:00:00Z`)
  return period === 'day' ? date : new Date(midnight - ((new Date(midnight).getUTCDay() + 6) % 7) * DAY).toISOString().slice(0, 10)
}

const operation = fc.record({
  kind: fc.constantFrom('report', 'report', 'report', 'report', 'decide'),
  click: fc.nat({ max: 11 }),
  status: fc.constantFrom<ConversionStatus>('pending', 'approved', 'approved', 'declined', 'declined'),
  amount: fc.option(
    fc.oneof(fc.integer({ min: -6_000, max: 4_000 }), fc.constant(-2_000)).map((cents) => fromUnits(BigInt(cents) * 1_000_000n)),
    { freq: 2 },
  ),
  /** Half hours around a change of the clocks. */
  around: fc.constantFrom(SPRING, AUTUMN),
  step: fc.integer({ min: -50, max: 50 }),
})
const someCaps = fc.uniqueArray(
  fc.record({
    period: fc.constantFrom('hour', 'day', 'day', 'week', 'month', 'total'),
    scope: fc.constantFrom('offer', 'affiliate'),
    measure: fc.constantFrom('conversions', 'payout'),
    limit: fc.integer({ min: 1, max: 5 }),
  }),
  { minLength: 1, maxLength: 3, selector: ({ period, scope, measure }) => `${period} ${scope} ${measure}` },
)

test('reports, approvals and declines in any order and around both changes of the clocks leave what a plain model says', async () => {
  await fc.assert(
    fc.asyncProperty(
      someCaps,
      fc.boolean(),
      fc.array(operation, { minLength: 15, maxLength: 30 }),
      fc.nat({ max: 29 }),
      async (drawn, unpaid, operations, savedAt) => {
        const caps: OfferCap[] = drawn.map((one) => ({ ...one, limit: String(one.measure === 'payout' ? one.limit * 15 : one.limit) }))
        const { terms, clicks, people } = await world(caps, unpaid ? 'unpaid' : 'decline', 2, 12, '50')
        const model = createModel(caps, unpaid)
        for (const [index, { kind, click: place, status, amount: drawnAmount, around, step }] of operations.entries()) {
          const click = clicks[place]
          const at = around + step * HALF_HOUR
          if (click === undefined) continue
          // a share of nothing known is refused
          const amount = drawnAmount ?? (model.rows.has(click.id) ? null : '3.0000')
          if (kind === 'report') {
            await report(terms, click, status, amount, at)
            model.report(click, status, amount, at)
          } else {
            await decide(terms, click, status, at)
            model.decide(click, status)
          }
          // what was counted may be forgotten at any moment, as saving the offer does
          if (index === savedAt) await database.db.deleteFrom('cap_counter').where('offer_id', '=', terms.id).execute()
        }
        const stored = await database.db.selectFrom('conversion').selectAll().where('offer_id', '=', terms.id).execute()
        const told = (rows: Iterable<[string, string, boolean, string]>) => [...rows].toSorted()
        const ofRow = (row: ConversionRow): [string, string, boolean, string] => [
          row.click_id,
          row.status,
          row.within_cap,
          row.status === 'declined' ? '' : fromUnits(toUnits(row.payout)),
        ]
        expect(told(stored.map(ofRow))).toEqual(
          told([...model.rows].map(([id, row]) => [id, row.status, row.within, row.status === 'declined' ? '' : fromUnits(row.payout)])),
        )
        const counters = await database.db.selectFrom('cap_counter').selectAll().where('offer_id', '=', terms.id).execute()
        for (const { affiliate_id: affiliate, period, measure, starts, used } of counters) {
          const one = caps.find((one) => one.period === period && one.measure === measure && (one.scope === 'offer') === (affiliate === 0))
          expect(toUnits(used)).toBe(one && model.used(one, affiliate, starts.getTime()))
        }
        // counted anew it is the same, and that is what people read
        await database.db.transaction().execute(async (trx) => {
          await lockCaps(trx, terms.id)
          await recountCaps(trx, terms.id, AUTUMN)
        })
        const offer = { id: terms.id, caps, time_zone: ZONE }
        const [own, levels] = [await ownCapLevels(database.db, AUTUMN, offer, people[0] ?? 0), await capLevels(database.db, AUTUMN, offer)]
        caps.forEach((one, index) => {
          const [most] = people.map((id) => model.used(one, id, AUTUMN)).toSorted((a, b) => (a > b ? -1 : 1))
          expect(toUnits(levels[index]?.used ?? '')).toBe(most)
          if (one.scope === 'offer') expect(own[index]?.used).toBeNull()
          else expect(toUnits(own[index]?.used ?? '')).toBe(model.used(one, people[0] ?? 0, AUTUMN))
        })
      },
    ),
    { numRuns: process.env['TORTURE'] ? 200 : 5, endOnFailure: true },
  )
})

test('two hundred postbacks at once take exactly the places there are, each cap for itself; the approvals after them need none', async () => {
  const [places, week] = [46, 15]
  const caps = [
    cap('day', String(places + 4)),
    cap('week', String(week), { scope: 'affiliate' }),
    cap('month', '60'),
    cap('total', String(places * 10), { measure: 'payout' }),
  ]
  const { terms, clicks, people, token } = await world(caps, 'decline', 4, 200)
  await storeClicks(events.clickhouse, clicks)
  let now = AUTUMN
  const parts = openReceiveParts({ db: database.db, findClick: openClickFinder(events.clickhouse), clock: { now: () => now } })
  const send = async (click: MadeClick, status: ConversionStatus) => {
    const received_at = new Date(now).toISOString()
    const { body } = await receivePostback(parts, handOver({ click_id: click.id, token, status }, { received_at }))
    return body.conversion_status
  }
  const received = await inParallel(clicks, 25, (click) => send(click, 'pending'))
  // as many payouts of 10 fit into the last one
  expect(received.filter((status) => status === 'pending')).toHaveLength(places)
  expect(received.filter((status) => status === 'declined')).toHaveLength(clicks.length - places)
  const offer = { id: terms.id, caps, time_zone: ZONE }
  const used = async () => (await capLevels(database.db, AUTUMN, offer)).map((level) => level.used)
  expect(await used()).toEqual([String(places), expect.any(String), String(places), `${places * 10}.0000`])
  for (const id of people) expect(Number((await ownCapLevels(database.db, AUTUMN, offer, id))[1]?.used)).toBeLessThanOrEqual(week)
  // those that were taken are approved at once, on the next day: none needs a second place
  now += DAY
  const taken = clicks.filter((_click, index) => received[index] === 'pending')
  const before = await used()
  expect(await inParallel(taken, 25, (click) => send(click, 'approved'))).toEqual(taken.map(() => 'approved'))
  expect(await used()).toEqual(before)
})

test('a cap of two and four pending: two are taken, both can be approved, and one declined and approved again is taken beyond it', async () => {
  const { terms, clicks } = await world([cap('day', '2')])
  const [first, second, third] = clicks
  if (first === undefined || second === undefined || third === undefined) throw new Error('no clicks')
  const status = async (click: MadeClick, reported: ConversionStatus) => {
    const result = await report(terms, click, reported, null, AUTUMN)
    return 'conversion' in result ? `${result.conversion.status} ${result.conversion.reason}`.trim() : result.outcome
  }
  expect(await status(first, 'pending')).toBe('pending')
  expect(await status(second, 'pending')).toBe('pending')
  expect(await status(third, 'pending')).toBe('declined cap_reached')
  expect(await status(first, 'approved')).toBe('approved')
  expect(await status(first, 'declined')).toBe('declined by_postback')
  // the place that became free is taken by the next one that asks
  expect(await status(third, 'approved')).toBe('approved')
  expect(await status(first, 'approved')).toBe('approved')
  const offer = { id: terms.id, caps: [cap('day', '2')], time_zone: ZONE }
  expect(await capLevels(database.db, AUTUMN, offer)).toMatchObject([{ used: '3', limit: '2' }])
})

test('what came declined never had a place: its first approval asks for one like a new conversion', async () => {
  const caps = [cap('day', '1')]
  const { terms, clicks } = await world(caps, 'decline', 2)
  for (const click of clicks) await report(terms, click, 'declined', null, AUTUMN)
  const approved = await inParallel(clicks, 12, (click) => report(terms, click, 'approved', null, AUTUMN))
  const told = approved.map((result) => ('conversion' in result ? `${result.conversion.status} ${result.conversion.reason}`.trim() : ''))
  expect(told.toSorted()).toEqual(['approved', ...Array.from({ length: 11 }, () => 'declined cap_reached')])
  const [used] = await capLevels(database.db, AUTUMN, { id: terms.id, caps, time_zone: ZONE })
  expect(used).toMatchObject({ used: '1' })
})

test('what came declined before that was kept claims no place either, unless it once had one', async () => {
  const caps = [cap('day', '1')]
  const { terms, clicks } = await world(caps)
  const [came, had, holder] = clicks
  if (came === undefined || had === undefined || holder === undefined) throw new Error('no clicks')
  await report(terms, came, 'declined', null, AUTUMN)
  await report(terms, had, 'pending', null, AUTUMN)
  // a decline frees the place for the next
  await report(terms, had, 'declined', null, AUTUMN)
  expect(await report(terms, holder, 'pending', null, AUTUMN)).toMatchObject({ conversion: { status: 'pending' } })
  // as they were stored
  await database.db.updateTable('conversion').set({ within_cap: true }).where('click_id', '=', came.id).execute()
  const claims = readFileSync(new URL('../../../migrations/pg/0034_declined_claims.sql', import.meta.url), 'utf8')
  await sql.raw(claims).execute(database.db)
  expect(await report(terms, came, 'approved', null, AUTUMN)).toMatchObject({ conversion: { status: 'declined', reason: 'cap_reached' } })
  expect(await report(terms, had, 'approved', null, AUTUMN)).toMatchObject({ conversion: { status: 'approved' } })
  expect(await capLevels(database.db, AUTUMN, { id: terms.id, caps, time_zone: ZONE })).toMatchObject([{ used: '2' }])
})

test('a payout within a cap may be raised beyond it, which is shown; one below zero makes no room for others', async () => {
  const caps = [cap('day', '20', { measure: 'payout' })]
  const { terms, clicks } = await world(caps, 'decline', 1, 6, '50')
  const [first, second, third, free, below, late] = clicks
  const used = async () => (await capLevels(database.db, AUTUMN, { id: terms.id, caps, time_zone: ZONE }))[0]?.used
  const told = async (click: MadeClick | undefined, amount: string, status: ConversionStatus = 'approved') => {
    const result = click && (await report(terms, click, status, amount, AUTUMN))
    return result && 'conversion' in result ? `${result.conversion.status} ${result.conversion.payout}` : ''
  }
  expect(await told(first, '0', 'pending')).toBe('pending 10.0000')
  expect(await told(first, '5000')).toBe('approved 2510.0000')
  expect(await used()).toBe('2510.0000')
  expect(await told(second, '0')).toBe('declined 10.0000')
  // what pays nothing is never refused by a full cap, nor does it pay anything later
  expect(await told(free, '-20', 'pending')).toBe('pending 0.0000')
  expect(await told(below, '-40', 'pending')).toBe('pending -10.0000')
  expect(await told(free, '5000')).toBe('approved 0.0000')
  expect(await told(below, '5000')).toBe('approved 0.0000')
  // it holds nothing any more, and no less than that
  expect(await told(first, '-9000')).toBe('approved -4490.0000')
  expect(await used()).toBe('0.0000')
  expect(await told(third, '20')).toBe('approved 20.0000')
  expect(await told(late, '0')).toBe('declined 10.0000')
  expect(await used()).toBe('20.0000')
})
