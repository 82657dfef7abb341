import { guessStatus } from './guess.ts'
import { expect, test } from 'vitest'
import { BLANK_DIALECT, type Dialect } from '#contract/traffic/dialect.ts'
import { understand } from '../postback-meaning.ts'
import { pairsOf, readParameters } from '../postback-reading.ts'
import { isOnPath, namedBy } from './naming.ts'
import { PRESETS } from './presets.ts'
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
  const { said: mentions } = readParameters(pairsOf(said), { named: namedBy(dialect, undefined) })
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
  ['amount_eur=100', undefined, 'EUR'],
  ['amount_eur=100&currency=USD', undefined, null],
  ['amount_net=100', undefined, null],
  ['profit=10,50', 'comma', null],
])('an amount is read in the units its name says, and no other name is: %s', (said, numbers, currency) => {
  const { dialect } = proposed(said)
  expect(dialect).toMatchObject({ numbers: 'auto', currency })
  expect(dialect.names.find(({ name }) => said.startsWith(`${name}=`))?.numbers).toBe(numbers)
})

test('a name that is mapped beside others in hundredths is none of them, unless all amounts are said to be', () => {
  const numbersOf = (said: string, current: Dialect) => {
    const query = `click_id=${CLICK}&${said}`
    const samples = [{ call: { method: 'GET', path: '/postback', query, body: '' }, clickId: CLICK }]
    const { dialect } = proposeDialect(samples, { goals: GOALS, words: new Set(), current, presets: [] })
    return [dialect.numbers, ...dialect.names.map(({ name, numbers }) => `${name} ${numbers ?? 'as said'}`)].join()
  }
  const saved: Dialect = { ...BLANK_DIALECT, numbers: 'minor', names: [{ name: 'fee', means: 'amount' }] }
  expect(numbersOf('fee=500', saved)).toBe('auto,fee minor')
  expect(numbersOf('profit=120', saved)).toBe('auto,fee minor,profit as said')
  expect(numbersOf('profit=120', { ...saved, names: [] })).toBe('minor,profit minor')
  expect(numbersOf('profit=1.20', { ...saved, names: [] })).toBe('minor,profit point')
})

test('hundredths are those of the names they are said of', () => {
  const amountOf = (said: string, dialect: Partial<Dialect> | null) => {
    const by = dialect === null ? undefined : { named: namedBy({ ...BLANK_DIALECT, ...dialect }, undefined) }
    const { said: mentions } = readParameters(pairsOf(said), by)
    const meant = understand(mentions, { goals: GOALS, words: [], statuses: {}, unnamedStatus: 'approved', currency: 'USD' })
    return 'refusal' in meant ? `${meant.refusal}: ${meant.detail}` : meant.amount
  }
  const cents: Partial<Dialect> = { names: [{ name: 'fee', means: 'amount', numbers: 'minor' }] }
  expect([amountOf('fee=5000', cents), amountOf('amount=100', cents), amountOf('fee=5000&amount=50', cents)]).toEqual([
    '50.00',
    '100',
    '50.00',
  ])
  // as it was saved before names said so themselves
  const before: Partial<Dialect> = { numbers: 'minor', names: [{ name: 'fee', means: 'amount' }] }
  expect([amountOf('fee=5000', before), amountOf('amount=0', before), amountOf('fee=5000&amount=50', before)]).toEqual([
    '50.00',
    '0',
    '50.00',
  ])
  expect(amountOf('amount=100', before)).toMatch('amount_ambiguous: amount=100 may be 100 or 1.00')
  expect(amountOf('amount=10.50', before)).toBe('10.50')
  expect(amountOf('amount=100', { numbers: 'minor' })).toBe('1.00')
  // one that says so by its own name
  expect(amountOf('amount=50&amount_cents=5000', null)).toBe('50')
  const named = (numbers?: 'auto' | 'point'): Partial<Dialect> => ({ names: [{ name: 'amount_cents', means: 'amount', numbers }] })
  expect([amountOf('amount_cents=5000', named()), amountOf('amount_cents=50.00', named('point'))]).toEqual(['50.00', '50.00'])
  expect(amountOf('amount_cents=5000', named('auto'))).toBe('5000')
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

test.each([
  ['refunded', 'declined'],
  ['chargeback', 'declined'],
  ['charged_back', 'declined'],
  ['paid', 'approved'],
])('of a status without a dialect a meaning is proposed for its word, and none is booked before: %s', (word, status) => {
  expect(proposed(`status=${word}`).words).toEqual([expect.objectContaining({ word, field: 'status', status })])
  const { said } = readParameters(pairsOf(`click_id=${CLICK}&status=${word}`))
  const asked = { goals: GOALS, words: [], statuses: {}, unnamedStatus: 'approved' as const, currency: 'USD' }
  expect(understand(said, asked)).toMatchObject({ refusal: 'status_unknown' })
})

test('calls are read as one system reports, whatever was saved of another, and what was said of the same one stands', () => {
  const word = { word: 'ok', status: 'approved', goal: null } as const
  const current: Dialect = {
    ...BLANK_DIALECT,
    path: '/mine',
    numbers: 'comma',
    names: [
      { name: 'amount', means: 'ignored' },
      { name: 'price', means: 'amount' },
    ],
    words: [word],
  }
  const call = (path: string) => ({
    call: { method: 'GET', path, query: `transaction_id=${CLICK}&amount=5&adv_sub=o1`, body: '' },
    clickId: CLICK,
  })
  const known = { goals: GOALS, words: new Set<string>(), current, presets: PRESETS }
  const tune = PRESETS.find(({ id }) => id === 'tune')?.dialect
  expect(proposeDialect([call('/aff_lsr')], known).dialect).toEqual({ ...tune, words: [] })
  const own: Dialect = { ...current, preset: 'tune' }
  expect(proposeDialect([call('/aff_lsr')], { ...known, current: own }).dialect).toMatchObject({
    path: '/mine /aff_lsr',
    numbers: 'comma',
    words: [word],
    names: expect.arrayContaining([...current.names, { name: 'transaction_id', means: 'click_id' }]),
  })

  // a place nobody knows is taken beside the one that is known
  expect(proposeDialect([call('/in/7'), call('/in/8')], { ...known, presets: [] }).dialect.path).toBe('/mine /in/*')
  expect(proposeDialect([call('/mine')], { ...known, presets: [] }).dialect.path).toBe('/mine')
})

test.each([
  ['/aff_* /SP#', '/sp12/', true],
  ['/aff_* /SP#', '/aff_goal', true],
  ['/aff_* /SP#', '/SPring', false],
  ['/aff_* /SP#', '/SP', false],
  ['/aff_* /SP#', '/', false],
  ['/a*bc*cd', '/axbcd', false],
  ['/a*bc*cd', '/axbccd', true],
  ['/ab*ba', '/aba', false],
  ['/ab*ba', '/abba', true],
  ['/*a*a*a*a*a*a*a*a*b', `/${'a'.repeat(2_000)}`, false],
])('%s is where %s comes: %s', (path, called, is) => {
  expect(isOnPath({ path }, called)).toBe(is)
})

test('what went back in part is no decline: only an amount says what is left', () => {
  expect(['partially_refunded', 'Partial refund', 'refunded'].map((word) => guessStatus(word, 'order_status'))).toEqual([
    null,
    null,
    'declined',
  ])
})
