import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CONVERSION_STATUSES } from '#contract/traffic/conversion.ts'
import type { ClickIdKeys } from '#server/rules/click/click-id.ts'
import { cloneDatabase, type TestDatabase } from '#test/support/run/database.ts'
import { makeAffiliateId, makeClick, makeClickKeys, makeOffer } from '#test/support/make/money.ts'
import { applyReport, applyReports, type AskedReport } from './apply-report.service.ts'
import type { ReportOutcome } from './plan-report.service.ts'
import { loadTerms } from './terms.queries.ts'

const NOW = Date.parse('2026-11-21T10:00:00Z')
const HOUR = 3_600_000
const CHANGE = { at: NOW, now: NOW, origin: 'import', actorId: null } as const

let database: TestDatabase
let keys: ClickIdKeys
beforeAll(async () => {
  database = await cloneDatabase()
  keys = await makeClickKeys(database.db)
})
afterAll(() => database.drop())

/** What somebody may report of four clicks. */
const said = fc.record({
  click: fc.nat(3),
  status: fc.constantFrom(...CONVERSION_STATUSES),
  statusNamed: fc.boolean(),
  amount: fc.constantFrom(null, '10', '12.5', '0', '-3'),
  transaction: fc.constantFrom(null, 'a', 'b'),
  stored: fc.boolean(),
})
const KINDS = [
  { payout: '10', revenue: '15' },
  { payout: '0', revenue: '0', payoutPercent: '50', revenuePercent: '80' },
  { payout: '10', revenue: '15', holdDays: 7 },
  { payout: '10', revenue: '15', dailyCap: 2 },
] as const

/** An offer of its own with four clicks, and reports of them. */
async function world(kind: number, repeatable: boolean) {
  const { db } = database
  const offer = await makeOffer(db, KINDS[kind])
  if (repeatable) await db.updateTable('goal').set({ repeatable }).where('offer_id', '=', offer.id).execute()
  const terms = (await loadTerms(db, [offer.id])).get(offer.id)
  const [goal] = terms?.goals ?? []
  if (terms === undefined || goal === undefined) throw new Error('no offer')
  const affiliateId = await makeAffiliateId(db)
  const clicks = [0, 1, 2, 3].map(() => makeClick(keys, { offerId: offer.id, affiliateId, at: NOW - HOUR }))
  const asked = ({ click: index, transaction, stored, ...report }: typeof said extends fc.Arbitrary<infer T> ? T : never): AskedReport => {
    const click = clicks[index]
    if (click === undefined) throw new Error('no click')
    return {
      of: { terms, goal, clickId: click.id, clickAt: click.at, transactionId: transaction },
      click: stored ? click : null,
      report: { ...report, currency: null, transactionId: transaction, reason: '' },
    }
  }
  const rows = async () => {
    const found = await db
      .selectFrom('conversion')
      .select([
        'click_id',
        'status',
        'reason',
        'payout',
        'revenue',
        'amount',
        'transaction_id',
        'reported_status',
        'reported_amount',
        'within_cap',
      ])
      .where('offer_id', '=', offer.id)
      .execute()
    const place = ({ click_id, ...row }: (typeof found)[number]) => ({ click: clicks.findIndex(({ id }) => id === click_id), ...row })
    return found.map(place).toSorted((a, b) => a.click - b.click || (a.transaction_id ?? '').localeCompare(b.transaction_id ?? ''))
  }
  const balances = () =>
    db
      .selectFrom('ledger_account')
      .select(['kind', 'balance'])
      .where('owner_id', '=', affiliateId)
      .where('kind', 'in', ['affiliate_available', 'affiliate_hold', 'affiliate_pending', 'payout_cost'])
      .orderBy('kind')
      .execute()
  return { asked, rows, balances }
}

const told = (outcome: ReportOutcome) => [
  outcome.outcome,
  'reason' in outcome ? outcome.reason : '',
  'conversion' in outcome ? `${outcome.conversion.status} ${outcome.conversion.payout}` : '',
]

test('many reports at once come to what the same ones come to one after the other', async () => {
  const { db } = database
  await fc.assert(
    fc.asyncProperty(
      fc.array(said, { minLength: 1, maxLength: 12 }),
      fc.nat(KINDS.length - 1),
      fc.boolean(),
      async (all, kind, repeatable) => {
        const [one, many] = [await world(kind, repeatable), await world(kind, repeatable)]
        const expected: ReportOutcome[] = []
        for (const { of, click, report } of all.map(one.asked))
          expected.push(await db.transaction().execute((trx) => applyReport(trx, of, click, report, CHANGE)))
        const found = await db.transaction().execute((trx) => applyReports(trx, all.map(many.asked), CHANGE))
        expect(found.map(({ outcome }) => told(outcome))).toEqual(expected.map(told))
        expect(await many.rows()).toEqual(await one.rows())
        expect(await many.balances()).toEqual(await one.balances())
      },
    ),
    { numRuns: 60 },
  )
}, 120_000)

test('two who apply the same reports at once book each of them once', async () => {
  const { db } = database
  const { asked, rows } = await world(0, false)
  const all = [0, 1, 2, 3].map((click) =>
    asked({ click, status: 'approved', statusNamed: true, amount: null, transaction: null, stored: true }),
  )
  const apply = (list: AskedReport[]) => db.transaction().execute((trx) => applyReports(trx, list, CHANGE))
  const [first, second] = await Promise.all([apply(all), apply(all.toReversed())])
  expect([...first, ...second].map(({ outcome }) => outcome.outcome).toSorted()).toEqual([
    ...Array(4).fill('created'),
    ...Array(4).fill('repeat'),
  ])
  expect(await rows()).toHaveLength(4)
})
