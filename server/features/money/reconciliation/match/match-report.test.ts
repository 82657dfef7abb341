import { describe, expect, test } from 'vitest'
import { RECONCILIATION_CAUSES } from '#contract/money/reconciliation-cause.ts'
import { matchReport } from './match-report.ts'
import type { MatchedRow, MatchSettings, OurConversion, RefusedCall, TheirLine } from './sides.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** October in Kyiv, which is three hours ahead until the 25th and two from then on. */
const FROM = Date.parse('2026-09-30T21:00:00Z')
const TO = Date.parse('2026-10-31T22:00:00Z')
const NOON = Date.parse('2026-10-10T12:00:00Z')
const SETTINGS: MatchSettings = {
  period: { from: FROM, to: TO },
  offset: 0,
  minutes: 15,
  decimals: new Map([
    ['USD', 2],
    ['EUR', 2],
    ['JPY', 0],
  ]),
  convert: (amount, from, to) => (from === 'EUR' && to === 'USD' ? `${(Number(amount) * 1.1).toFixed(4)}` : null),
}

const theirs = (more: Partial<TheirLine> = {}): TheirLine => ({
  line: 2,
  at: NOON,
  dayOnly: false,
  transactionId: 'T1',
  clickId: '',
  click: '',
  subId: '',
  offerId: null,
  goalId: null,
  goalUnknown: false,
  status: 'approved',
  amount: '10.0000',
  currency: null,
  reason: '',
  ...more,
})
const ours = (more: Partial<OurConversion> = {}): OurConversion => ({
  id: '1',
  at: NOON + 20_000,
  clickAt: NOON - HOUR,
  transactionId: 'T1',
  clickId: 'c1',
  subId: '',
  offerId: 5,
  goalId: 50,
  status: 'approved',
  reason: '',
  amount: '10.0000',
  currency: 'USD',
  invoiced: false,
  test: false,
  repeatable: false,
  decidedBy: 'postback',
  ...more,
})
const call = (more: Partial<RefusedCall> = {}): RefusedCall => ({
  at: NOON + MINUTE,
  transactionId: 'T1',
  clickId: '',
  reason: 'status_unknown',
  ...more,
})
const match = (lines: TheirLine[], conversions: OurConversion[], calls: RefusedCall[] = [], more: Partial<MatchSettings> = {}) =>
  matchReport(lines, conversions, calls, { ...SETTINGS, ...more }).rows
const only = (line: Partial<TheirLine> | null, our: Partial<OurConversion> | null, calls: RefusedCall[] = []): MatchedRow => {
  const rows = match(line ? [theirs(line)] : [], our ? [ours(our)] : [], calls)
  expect(rows).toHaveLength(1)
  return rows[0] as MatchedRow
}

describe('a line is about a conversion', () => {
  test.each<[string, Partial<TheirLine>, Partial<OurConversion>, string | null]>([
    ['by its transaction', {}, {}, 'transaction'],
    ['by its transaction in other letters', { transactionId: 't1' }, {}, 'transaction_case'],
    ['by our click id', { transactionId: '', clickId: 'C1' }, {}, 'click'],
    ['by the affiliate’s click id', { transactionId: '', subId: 's' }, { subId: 's' }, 'aff_click'],
    ['by offer, amount and time', { transactionId: '', offerId: 5 }, {}, 'likeness'],
    [
      'by goal, amount and time, a cent and a quarter of an hour apart',
      { transactionId: '', goalId: 50, amount: '10.01', at: NOON - 14 * MINUTE },
      {},
      'likeness',
    ],
    ['not by amount and time alone', { transactionId: '' }, {}, null],
    ['not by likeness where the time is further off', { transactionId: '', offerId: 5, at: NOON - 16 * MINUTE }, {}, null],
    ['not by likeness where the amount is another', { transactionId: '', offerId: 5, amount: '10.02' }, {}, null],
    ['not by likeness where it names another click of ours', { transactionId: '', offerId: 5, clickId: 'c2', click: 'known' }, {}, null],
    ['not where another offer is named and nothing else is alike', { offerId: 6, amount: '3', at: NOON - HOUR }, {}, null],
  ])('%s', (_, line, our, key) => {
    expect(match([theirs(line)], [ours(our)])[0]).toMatchObject({ key, conversionId: key === null ? null : '1' })
  })

  test('within its goal: the same transaction may stand for a lead and for a sale', () => {
    const both = [ours({ id: '1', goalId: 50 }), ours({ id: '2', goalId: 51, amount: '90.0000' })]
    expect(
      match([theirs({ goalId: 51, amount: '90.0000' }), theirs({ line: 3, goalId: 50 })], both).map((row) => [row.conversionId, row.cause]),
    ).toEqual([
      ['2', null],
      ['1', null],
    ])
    // without a goal that of its amount is meant, and none where nothing tells them apart
    expect(match([theirs({ amount: '90.0000' })], both)[0]).toMatchObject({ conversionId: '2', key: 'transaction' })
    const [unsure] = match([theirs({ amount: null, at: null })], both)
    expect(unsure).toMatchObject({ conversionId: null, key: 'ambiguous', cause: 'unknown', detail: '1 2', proposal: 'ask' })
  })

  test('once: a transaction twice in the file counts the first time, and a click without one too', () => {
    const rows = match([theirs(), theirs({ line: 3 }), theirs({ line: 4, status: 'declined' })], [ours()])
    expect(rows.map(({ cause, detail, proposal }) => [cause, detail, proposal])).toEqual([
      [null, '', 'none'],
      ['duplicate_theirs', '2', 'none'],
      ['duplicate_theirs', '2', 'ask'],
    ])
    const clicks = match([theirs({ transactionId: '', clickId: 'c1' }), theirs({ line: 3, transactionId: '', clickId: 'c1' })], [ours()])
    expect(clicks.map(({ cause }) => cause)).toEqual([null, 'duplicate_theirs'])
    // nothing is made twice either
    const unknown = [theirs({ clickId: 'c9', click: 'known' }), theirs({ line: 3, clickId: 'c9', click: 'known' })]
    expect(match(unknown, []).map(({ proposal }) => proposal)).toEqual(['create', 'none'])
  })

  test('or is ambiguous, where two are as like: both sides say so and a person is asked', () => {
    const lines = [theirs({ transactionId: '', offerId: 5 })]
    const rows = match(lines, [ours({ id: '1', at: NOON + MINUTE }), ours({ id: '2', clickId: 'c2', at: NOON - MINUTE })])
    expect(rows.map(({ line, key, cause, detail, proposal }) => [line, key, cause, detail, proposal])).toEqual([
      [2, 'ambiguous', 'unknown', '1 2', 'ask'],
      [null, 'ambiguous', 'unknown', '2', 'ask'],
      [null, 'ambiguous', 'unknown', '2', 'ask'],
    ])
    // nearest on one side only
    const two = match(
      [theirs({ transactionId: '', offerId: 5 }), theirs({ line: 3, transactionId: '', offerId: 5, at: NOON + 3 * MINUTE })],
      [ours({ id: '1', at: NOON }), ours({ id: '2', clickId: 'c2', at: NOON + 13 * MINUTE })],
    )
    expect(two.map(({ line, conversionId, key }) => [line, conversionId, key])).toEqual([
      [2, '1', 'likeness'],
      [3, null, 'ambiguous'],
      [null, '2', 'ambiguous'],
    ])
  })

  test('by an id that thousands share it is not, and they take no time', () => {
    const many = Array.from({ length: 5000 }, (_, at) =>
      ours({ id: String(at), transactionId: '', clickId: `c${at}`, subId: 'x', at: NOON + at }),
    )
    const lines = Array.from({ length: 5000 }, (_, at) => theirs({ line: at + 2, transactionId: '', subId: 'x', at: null }))
    const rows = match(lines, many)
    expect(rows.filter(({ key }) => key !== null)).toEqual([])
  })
})

describe('the cause of a difference', () => {
  const LATER = Date.parse('2026-11-02T00:00:00Z')
  const examples: [string, string | null, Partial<TheirLine> | null, Partial<OurConversion> | null, RefusedCall[], string?][] = [
    ['they agree', null, {}, {}, []],
    ['what is on hold is approved to an advertiser', null, {}, { status: 'hold' }, []],
    ['what both declined has no amount', null, { status: 'declined', amount: '0' }, { status: 'trash' }, []],
    ['a unit of the decimals is no difference', null, { amount: '10.01' }, {}, []],
    ['1 % of a converted amount is none', null, { amount: '9.1', currency: 'EUR' }, {}, []],
    ['declined and not in the report is none', null, null, { status: 'declined' }, []],
    ['test', 'test', {}, { test: true }, []],
    ['test', 'test', { clickId: 'c7', click: 'test' }, null, []],
    ['refused', 'refused', {}, null, [call()], 'status_unknown'],
    ['refused', 'refused', {}, { status: 'pending' }, [call()], 'status_unknown'],
    [
      'refused',
      'refused',
      { transactionId: '', clickId: 'C1' },
      null,
      [call({ transactionId: '', clickId: 'c1', reason: 'too_late' })],
      'too_late',
    ],
    ['refused', 'refused', { clickId: 'c7', click: 'refused' }, null, [], 'click_refused'],
    ['what was refused before the conversion explains nothing', 'status', {}, { status: 'pending' }, [call({ at: NOON })]],
    ...(['not_taken', 'open', 'not_sent'] as const).map((stands): (typeof examples)[number] => [
      'what came of a lead',
      `lead_${stands}`,
      { clickId: 'c7', click: 'unknown', lead: { id: '12', stands } },
      null,
      [call({ reason: 'click_id_unknown' })],
      '12',
    ]),
    ['refused, of a lead too', 'refused', { clickId: 'c7', click: 'unknown', lead: { id: '12', stands: 'open' } }, null, [call()]],
    ['unmatched', 'unmatched', { clickId: 'c7', click: 'unknown' }, null, [], 'click_id_unknown'],
    ['unmatched', 'unmatched', {}, null, [call({ reason: 'click_id_unknown' })], 'click_id_unknown'],
    ['late', 'late', { at: TO - HOUR }, { at: LATER }, [], '1620'],
    ['early', 'early', { at: FROM + 4 * HOUR }, { at: FROM - HOUR }, [], '300'],
    ['cap', 'cap', {}, { status: 'declined', reason: 'cap_reached', decidedBy: 'rule' }, []],
    ['status', 'status', {}, { status: 'pending' }, []],
    ['status', 'status', { status: 'declined' }, { status: 'hold' }, []],
    ['status', 'status', { status: 'pending' }, {}, []],
    ['status comes before the amount', 'status', { status: 'declined', amount: '1' }, {}, []],
    ['amount', 'amount', { amount: '10.02' }, {}, []],
    ['amount', 'amount', { amount: '12', currency: 'EUR' }, {}, []],
    ['currency: without a rate nothing can be compared', 'currency', { amount: '12', currency: 'JPY' }, {}, []],
    ['currency: the same figure under another sign', 'currency', { currency: 'EUR' }, {}, []],
    ['goal', 'goal', { goalId: 51 }, {}, []],
    ['goal', 'goal', { transactionId: '', clickId: 'c1', offerId: 6 }, {}, []],
    ['never reported', 'never_reported', {}, null, []],
    ['not in the report', 'not_in_report', null, {}, []],
    ['not in the report', 'not_in_report', null, { status: 'pending' }, []],
    ['unknown', 'unknown', { transactionId: '' }, null, []],
  ]
  test('is not borrowed from a refused call of another goal of the same click', () => {
    const calls = [
      { at: NOON + MINUTE, transactionId: '', clickId: 'c1', reason: 'goal_unknown' },
      { at: NOON + MINUTE, transactionId: 'T9', clickId: 'c1', reason: 'goal_unknown' },
    ]
    for (const transactionId of ['T1', ''])
      expect(only({ status: 'declined', transactionId, clickId: 'c1' }, { transactionId }, calls)).toMatchObject({ cause: 'status' })
    const named = [{ at: NOON + MINUTE, transactionId: 'T1', clickId: 'c1', reason: 'goal_unknown' }]
    expect(only({ status: 'declined' }, {}, named)).toMatchObject({ cause: 'refused', detail: 'goal_unknown' })
  })
  test.each(examples)('%s: %s', (_, cause, line, our, calls, detail) => {
    expect(only(line, our, calls)).toMatchObject({ cause, ...(detail !== undefined && { detail }) })
  })

  test('duplicate_ours: another of the same click and goal is in the report', () => {
    const rows = match([theirs()], [ours(), ours({ id: '2', transactionId: 'T2', at: NOON + HOUR })])
    expect(rows[1]).toMatchObject({ conversionId: '2', cause: 'duplicate_ours', detail: '1', proposal: 'ask' })
    expect(match([], [ours(), ours({ id: '2', transactionId: 'T2' })]).map(({ cause }) => cause)).toEqual([
      'not_in_report',
      'duplicate_ours',
    ])
    // a goal that may come again has one of each transaction: what the report leaves out is only that
    const again = match([theirs()], [ours({ repeatable: true }), ours({ id: '2', transactionId: 'T2', at: NOON + HOUR, repeatable: true })])
    expect(again[1]).toMatchObject({ conversionId: '2', cause: 'not_in_report' })
    // one that is declined anyway is none
    expect(match([], [ours({ status: 'declined' }), ours({ id: '2', transactionId: 'T2' })]).map(({ cause }) => cause)).toEqual([
      null,
      'not_in_report',
    ])
  })

  test('time_zone: of the period by one clock and not by the other', () => {
    // the file writes UTC: its October begins three hours later than ours and ends two hours later
    const first = FROM + HOUR
    expect(match([], [ours({ at: first })])[0]).toMatchObject({ cause: 'time_zone', detail: '0', proposal: 'none' })
    const after = TO + HOUR
    expect(match([theirs({ at: after })], [ours({ at: after })])[0]).toMatchObject({ cause: 'time_zone', proposal: 'none' })
    // what is of its October and not in it is missing, though it is not of ours
    expect(match([], [ours({ at: after })])[0]).toMatchObject({ cause: 'not_in_report', proposal: 'ask' })
    expect(match([], [ours({ at: TO + 3 * HOUR })])).toEqual([])
    // without a time the clock that was confirmed says so; where none is known nothing is said of it
    expect(match([theirs({ at: null })], [ours({ at: after })])[0]).toMatchObject({ cause: 'time_zone' })
    expect(match([], [ours({ at: first })], [], { offset: null })[0]).toMatchObject({ cause: 'not_in_report' })
  })

  test('in a file that names days only, times of that day agree', () => {
    const day = Date.parse('2026-10-10T00:00:00Z')
    expect(only({ at: day, dayOnly: true }, { at: day + 23 * HOUR })).toMatchObject({ cause: null })
    expect(only({ at: TO - 22 * HOUR, dayOnly: true }, { at: TO + 3 * HOUR })).toMatchObject({ cause: 'late', detail: '60' })
  })

  test('each cause there is has its example', () => {
    const shown = new Set([...examples.map(([, cause]) => cause), 'duplicate_theirs', 'duplicate_ours', 'time_zone'])
    expect(RECONCILIATION_CAUSES.filter((cause) => !shown.has(cause))).toEqual([])
  })
})

describe('the proposal', () => {
  const KNOWN = { clickId: 'c7', click: 'known' as const }
  test.each<[string, Partial<TheirLine> | null, Partial<OurConversion> | null, Partial<MatchedRow>]>([
    ['approved → pending', {}, { status: 'pending' }, { proposal: 'approve', status: 'approved', amount: null }],
    ['approved → pending of another amount', { amount: '12.0000' }, { status: 'pending' }, { proposal: 'approve', amount: '12.0000' }],
    ['approved → hold', {}, { status: 'hold' }, { proposal: 'approve', status: 'approved', becomesCorrection: false }],
    [
      'approved → declined by a cap',
      {},
      { status: 'declined', reason: 'cap_reached', decidedBy: 'rule' },
      { proposal: 'ask', status: null },
    ],
    ['approved → declined by staff', {}, { status: 'declined', decidedBy: 'staff' }, { proposal: 'ask', status: null }],
    ['approved → declined by a rule', {}, { status: 'declined', decidedBy: 'rule' }, { proposal: 'ask', status: null }],
    ['approved → declined by themselves', {}, { status: 'declined' }, { proposal: 'approve', status: 'approved' }],
    ['approved → trash', {}, { status: 'trash' }, { proposal: 'ask' }],
    ['approved → nothing, its click known', KNOWN, null, { proposal: 'create', status: 'approved' }],
    [
      'approved → nothing, of a click with another goal',
      { clickId: 'c1', transactionId: 'T9', goalId: 51, amount: '3' },
      { transactionId: 'T1' },
      { proposal: 'create' },
    ],
    [
      'approved → nothing, its click of a lead',
      { clickId: 'c7', click: 'unknown', lead: { id: '12', stands: 'open' } },
      null,
      { proposal: 'ask' },
    ],
    [
      'declined → nothing, its click of a lead',
      { status: 'declined', clickId: 'c7', click: 'unknown', lead: { id: '12', stands: 'not_taken' } },
      null,
      { proposal: 'none' },
    ],
    ['approved → nothing, its click unknown', { clickId: 'c7', click: 'unknown' }, null, { proposal: 'ask' }],
    ['approved → nothing, without a click', {}, null, { proposal: 'ask' }],
    ['approved → nothing, of a goal nobody knows', { ...KNOWN, goalUnknown: true }, null, { proposal: 'ask' }],
    ['approved → a test click', { clickId: 'c7', click: 'test' }, null, { proposal: 'ask' }],
    ['declined → pending', { status: 'declined' }, { status: 'pending' }, { proposal: 'decline', status: 'declined' }],
    ['declined → hold', { status: 'declined' }, { status: 'hold' }, { proposal: 'decline', status: 'declined' }],
    ['declined → approved', { status: 'declined' }, {}, { proposal: 'decline', status: 'declined', becomesCorrection: false }],
    ['declined → approved and invoiced', { status: 'declined' }, { invoiced: true }, { proposal: 'decline', becomesCorrection: true }],
    ['declined → declined', { status: 'declined' }, { status: 'declined' }, { proposal: 'none' }],
    ['declined → nothing', { status: 'declined' }, null, { proposal: 'none' }],
    ['another amount', { amount: '12.0000' }, {}, { proposal: 'correct', status: null, amount: '12.0000' }],
    ['another amount, invoiced', { amount: '12.0000' }, { invoiced: true }, { proposal: 'correct', becomesCorrection: true }],
    ['another amount in another currency', { amount: '20', currency: 'EUR' }, {}, { proposal: 'correct', amount: '22.0000' }],
    ['an amount nobody can convert', { amount: '20', currency: 'JPY' }, { status: 'pending' }, { proposal: 'ask', amount: null }],
    ['another goal', { goalId: 51 }, { status: 'pending' }, { proposal: 'ask', status: null }],
    ['pending → approved', { status: 'pending' }, {}, { proposal: 'ask' }],
    ['pending → pending', { status: 'pending' }, { status: 'pending' }, { proposal: 'none' }],
    ['no word → another amount', { status: null, amount: '12.0000' }, {}, { proposal: 'correct' }],
    ['nothing → approved', null, {}, { proposal: 'ask', status: null }],
    ['nothing → hold', null, { status: 'hold' }, { proposal: 'ask', status: null }],
    ['nothing → pending', null, { status: 'pending' }, { proposal: 'none' }],
    ['nothing → test', null, { test: true }, { proposal: 'none' }],
  ])('%s', (_, line, our, row) => {
    const [first] = match(line ? [theirs(line)] : [], our ? [ours(our)] : [])
    expect(first).toMatchObject(row)
  })

  test.each([
    ['goal_unknown', 'create'],
    ['token_wrong', 'create'],
    ['click_expired', 'ask'],
    ['transaction_of_other_click', 'ask'],
  ])('of what was refused as %s is %s', (reason, proposal) => {
    expect(only(KNOWN, null, [call({ reason })])).toMatchObject({ cause: 'refused', proposal })
  })

  test('made true leaves nothing to propose', () => {
    const lines = [
      theirs({ amount: '12.0000' }),
      theirs({ line: 3, transactionId: 'T2', status: 'declined' }),
      theirs({ line: 4, transactionId: 'T3' }),
    ]
    const before = [
      ours(),
      ours({ id: '2', transactionId: 'T2', clickId: 'c2' }),
      ours({ id: '3', transactionId: 'T3', clickId: 'c3', status: 'pending' }),
    ]
    const rows = match(lines, before)
    const after = before.map((our) => {
      const row = rows.find(({ conversionId }) => conversionId === our.id)
      return { ...our, status: row?.status ?? our.status, amount: row?.amount ?? our.amount }
    })
    expect(rows.map(({ proposal }) => proposal)).toEqual(['correct', 'decline', 'approve'])
    expect(match(lines, after).map(({ cause, proposal }) => [cause, proposal])).toEqual([
      [null, 'none'],
      [null, 'none'],
      [null, 'none'],
    ])
  })
})
