import { expect, test } from 'vitest'
import { date, dateTime, day, exactTime, integer, money, percent, relativeTime, shorten } from '#web/format.ts'
import { setCurrencyFormats } from '#web/notation.ts'

const en = { locale: 'en-GB' }
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ')

test('money has the narrow currency sign and a minus sign, and keeps every digit', () => {
  expect(money('1234.5000', 'EUR', en)).toBe('€1,234.50')
  expect(money('1234.5', 'UAH', en)).toBe('₴1,234.50')
  expect(plain(money('1234.5', 'EUR', { locale: 'uk-UA' }))).toBe('1 234,50 €')
  expect(money('-12.3', 'USD', en)).toBe('\u2212$12.30')
  expect(plain(money('-1234.5', 'EUR', { locale: 'uk-UA' }))).toBe('\u22121 234,50 €')
  expect(money('99999999999999.99', 'EUR', en)).toBe('€99,999,999,999,999.99')
  expect(money('0', 'JPY', en)).toBe('¥0')
  expect(money('0.0125', 'EUR', { ...en, decimals: 4 })).toBe('€0.0125')
})

test('money has the decimals of its currency, and a price as many more as it needs', () => {
  expect(money('0.00085', 'USD', { ...en, exact: true })).toBe('$0.00085')
  expect(money('12.5000', 'USD', { ...en, exact: true })).toBe('$12.50')
  expect(money('12345678901234.12345678', 'USD', { ...en, exact: true })).toBe('$12,345,678,901,234.12345678')
  expect(money('1234.5', 'KWD', en)).toMatch(/1,234\.500/)
  expect(money('1500.0000', 'JPY', { ...en, exact: true })).toMatch(/1,500$/)
})

test('what would be rounded to nothing keeps its two first digits', () => {
  expect(money('0.00120000', 'USD', en)).toBe('$0.0012')
  expect(money('-0.00012500', 'USD', en)).toBe('\u2212$0.00013')
  expect(money('0.00000001', 'USD', en)).toBe('$0.00000001')
  expect(money('0.4', 'JPY', en)).toMatch(/0\.4$/)
  expect(money('0.00500000', 'USD', en)).toBe('$0.01')
  expect(money('0.00000000', 'USD', en)).toBe('$0.00')
  expect(money('0.00003', 'EUR', { ...en, decimals: 4 })).toBe('€0.00003')
})

test('an amount of more decimals than its currency is rounded half away from zero; of many decimals only two zeros stay', () => {
  setCurrencyFormats({ UAH: { decimals: 2, sign: '' }, USDT: { decimals: 6, sign: '₮' }, CLF: { decimals: 4, sign: '' } })
  expect(money('137.13420000', 'UAH', en)).toBe('₴137.13')
  expect(plain(money('137.13420000', 'UAH', { locale: 'uk-UA' }))).toBe('137,13 ₴')
  expect(money('0.125', 'UAH', en)).toBe('₴0.13')
  expect(money('-0.125', 'UAH', en)).toBe('\u2212₴0.13')
  expect(plain(money('28.037500', 'USDT', en))).toBe('₮ 28.0375')
  expect(plain(money('28', 'USDT', en))).toBe('₮ 28.00')
  expect(plain(money('28.03750049', 'USDT', { ...en, exact: true }))).toBe('₮ 28.03750049')
  expect(plain(money('1.5', 'CLF', en))).toMatch(/1\.5000/)
  setCurrencyFormats({})
})

test('a currency of the network’s own is written with its sign or its code, and its own decimals', () => {
  setCurrencyFormats({ USDT: { decimals: 2, sign: '₮' }, POINTS: { decimals: 0, sign: '' }, BTC: { decimals: 8, sign: '' } })
  expect(plain(money('-12.5', 'USDT', en))).toBe('\u2212₮ 12.50')
  expect(plain(money('1200.4', 'POINTS', en))).toBe('POINTS 1,200')
  expect(plain(money('1200.4', 'POINTS', { locale: 'uk-UA', exact: true }))).toBe('1 200,4 POINTS')
  expect(plain(money('0.015', 'BTC', en))).toMatch(/0\.015$/)
  setCurrencyFormats({})
})

test('zero is "0", unknown is a dash', () => {
  expect(integer(0, en)).toBe('0')
  expect(integer(null)).toBe('–')
  expect(money(null, 'EUR')).toBe('–')
  expect(percent(undefined)).toBe('–')
  expect(dateTime(null, 'UTC')).toBe('–')
})

test('integers are grouped and percentages have two decimals', () => {
  expect(integer(123456789012, en)).toBe('123,456,789,012')
  expect(integer('9007199254740993', en)).toBe('9,007,199,254,740,993')
  expect(integer(-1234, en)).toBe('\u22121,234')
  expect(percent('12.5', en)).toBe('12.50%')
  expect(percent('-12.5', en)).toBe('\u221212.50%')
  expect(plain(percent('0.005', { locale: 'uk-UA' }))).toMatch(/^0,01 ?%$/)
})

test('moments are shown in the zone asked for', () => {
  expect(dateTime('2026-11-21T22:30:00Z', 'Europe/Kyiv', en)).toBe('22 Nov 2026, 00:30')
  expect(date('2026-11-21T22:30:00Z', 'Europe/Kyiv', en)).toBe('22 Nov 2026')
  expect(exactTime('2026-11-21T22:30:05Z', 'America/New_York', en)).toBe('21 Nov 2026, 17:30:05 (America/New York)')
  expect(day('2026-03-29', en)).toBe('29 Mar 2026')
})

test('times are told relative to now', () => {
  const now = Date.parse('2026-11-21T10:00:00Z')
  expect(relativeTime('2026-11-21T09:59:50Z', now, en)).toBe('now')
  expect(relativeTime('2026-11-21T09:55:00Z', now, en)).toBe('5 minutes ago')
  expect(relativeTime('2026-11-24T11:00:00Z', now, en)).toBe('in 3 days')
  expect(relativeTime('2026-11-20T09:00:00Z', now, { locale: 'uk-UA' })).toBe('учора')
})

test('long text is shortened to 10 characters plus an ellipsis', () => {
  expect(shorten('1234567890')).toBe('1234567890')
  expect(shorten('12345678901')).toBe('1234567890…')
  expect(shorten('👩‍👩‍👧‍👦'.repeat(11))).toBe(`${'👩‍👩‍👧‍👦'.repeat(10)}…`)
})

test('in a column every figure has the decimals of its currency, however little it is, and nothing has no sign', () => {
  setCurrencyFormats({ BTC: { decimals: 8, sign: '' } })
  expect(money('43.5499', 'USD', { ...en, column: true })).toBe('$43.55')
  expect(money('0.00450000', 'USD', { ...en, column: true })).toBe('$0.00')
  expect(money('-0.0012', 'USD', { ...en, column: true })).toBe('$0.00')
  expect(money('367.4', 'JPY', { ...en, column: true })).toMatch(/367$/)
  expect(plain(money('0.5', 'BTC', { ...en, column: true }))).toMatch(/0\.50000000$/)
  expect(money('70.45295714', 'USD', { ...en, column: true, exact: true })).toBe('$70.45295714')
  setCurrencyFormats({})
})

test('a change has its sign, and none where nothing changes', () => {
  expect(money('43.5499', 'USD', { ...en, signed: true })).toBe('+$43.55')
  expect(money('-26.9031', 'USD', { ...en, signed: true })).toBe('\u2212$26.90')
  expect(money('0', 'USD', { ...en, signed: true })).toBe('$0.00')
})
