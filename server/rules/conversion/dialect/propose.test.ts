import { guessStatus } from './guess.ts'
import { expect, test } from 'vitest'
import { understand } from '../postback-meaning.ts'
import { pairsOf, readParameters } from '../postback-reading.ts'
import { namedBy } from './naming.ts'
import { proposeDialect } from './propose.ts'

const GOALS = ['deposit', 'lead'].map((code) => ({ code, title: code, type: 'CPA', is_default: code === 'deposit', retired: false }))
const CLICK = '0123456789abcdefghjkmnpqrstvwxyz01234567'

/** What is proposed for calls that say so three times over, with the words the network has. */
function proposed(said: string, words: readonly string[] = []) {
  const samples = [1, 2, 3].map((number) => ({
    call: { method: 'GET', path: '/postback', query: `click_id=${CLICK}&txn_id=t${number}&${said}`, body: '' },
    clickId: CLICK,
    unknown: said.replace(/=.*/, ''),
  }))
  return proposeDialect(samples, { goals: GOALS, words: new Set(words), current: null, presets: [] })
}

/** How a call is read once the proposal is applied, by a network whose 1 is approved. */
function booked(said: string, statuses: Parameters<typeof understand>[1]['statuses'] = {}): string {
  const { dialect } = proposed(said, Object.keys(statuses))
  const { said: mentions } = readParameters(pairsOf(said), { named: namedBy(dialect, undefined), format: null })
  const meant = understand(mentions, { goals: GOALS, words: dialect.words, statuses, unnamedStatus: 'approved', currency: 'USD' })
  return 'refusal' in meant ? meant.refusal : meant.status
}

test.each(['chargeback=1', 'refund=1', 'fraud=1', 'reversed=1', 'rejected=1', 'declined=1', 'cancelled=true', 'is_refund=yes'])(
  'a yes to something bad is never proposed as approved: %s',
  (said) => {
    expect(proposed(said).words.map(({ status }) => status)).toEqual(['declined'])
    expect(booked(said)).toBe('declined')
    expect(booked(said, { 1: 'approved', true: 'approved', yes: 'approved' })).toBe('status_unknown')
  },
)

test.each(['paid=0', 'confirmed=0', 'is_ftd=0', 'success=false'])('a no to something good is left to a person: %s', (said) => {
  expect(proposed(said).words).toEqual([expect.objectContaining({ status: null, goal: null, calls: 3 })])
  expect(booked(said, { 0: 'approved' })).toBe('status_unknown')
})

test('a yes to something good is an approval', () => {
  expect(proposed('paid=1').words).toMatchObject([{ word: '1', status: 'approved' }])
})

test.each(['sale_status=No+answer', 'lead_status=Callback+on+monday', 'sale_status=Ring+later'])(
  'what was not understood is the status, and a person says what its word means: %s',
  (said) => {
    const { fields, words } = proposed(said)
    expect(fields).toContainEqual(expect.objectContaining({ name: said.replace(/=.*/, ''), means: 'status' }))
    expect(words.map(({ status, goal }) => status ?? goal)).not.toContain('approved')
    expect(booked(said)).not.toBe('approved')
  },
)

test.each([
  ['amount_cents=10000', 'minor', null],
  ['amountCents=10000', 'minor', null],
  ['amount_cents=10.50', 'point', null],
  ['amount_eur=100', 'auto', 'EUR'],
  ['amount_eur=100&currency=USD', 'auto', null],
  ['amount_net=100', 'auto', null],
])('an amount is read in the units its name says: %s', (said, numbers, currency) => {
  expect(proposed(said).dialect).toMatchObject({ numbers, currency })
})

test('a yes to an event is its goal and no status; a no, and the amount of an event nobody names, are left to a person', () => {
  const meant = (said: string) => proposed(said).dialect.names.map(({ name, means }) => `${name} ${means}`)
  expect(proposed('ftd=1').words).toMatchObject([{ word: '1', status: null, goal: 'deposit' }])
  expect(proposed('ftd=yes').words).toMatchObject([{ word: 'yes', status: null, goal: 'deposit' }])
  for (const no of ['0', 'no', 'false']) expect(proposed(`ftd=${no}`).words).toMatchObject([{ word: no, status: null, goal: null }])
  expect(meant('ftd=1&ftd_amount=0')).toEqual(expect.arrayContaining(['ftd goal', 'ftd_amount amount']))
  expect(booked('ftd=1&ftd_amount=0')).toBe('amount_ambiguous')
  expect(booked('ftd=0')).toBe('goal_unknown')
  // of an offer without such a goal it says nothing
  expect(meant('install=1').filter((one) => /install|amount|status/.test(one))).toEqual([])
  expect(booked('install=1')).toBe('goal_unknown')
  expect(meant('ftd_amount=50').filter((one) => one.startsWith('ftd'))).toEqual([])
  expect(booked('ftd_amount=50')).toBe('amount_unknown')
})

test('of a goal that shares an amount only the sale is proposed as it, and what it brought is left to a person', () => {
  const names = (said: string, sharing: boolean) => {
    const samples = [1, 2, 3].map((number) => ({
      call: { method: 'GET', path: '/postback', query: `click_id=${CLICK}&${said.replaceAll('#', String(number))}`, body: '' },
      clickId: CLICK,
    }))
    const { dialect } = proposeDialect(samples, { goals: GOALS, words: new Set(), current: null, presets: [], sharing })
    return Object.fromEntries(dialect.names.map(({ name, means }) => [name, means]))
  }
  expect(names('order_value=10#&payout=1#', true)).toEqual({ order_value: 'amount', payout: 'ignored' })
  expect(names('payout=1#', true)).toEqual({})
  expect(names('commission_total=1#', true)).toEqual({})
  expect(names('payout=1#', false)).toEqual({ payout: 'amount' })
})

test('what went back in part is no decline: only an amount says what is left', () => {
  expect(['partially_refunded', 'Partial refund', 'refunded'].map((word) => guessStatus(word, 'order_status'))).toEqual([
    null,
    null,
    'declined',
  ])
})
