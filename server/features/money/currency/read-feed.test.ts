import { expect, test } from 'vitest'
import { readFeed } from './read-feed.ts'

/** As the documentation of the banks shows it; not seen live. */
const ECB = `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
<gesmes:subject>Reference rates</gesmes:subject><gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender>
<Cube><Cube time='2026-11-20'><Cube currency='USD' rate='1.25'/><Cube currency='JPY' rate='160.5'/><Cube currency='PLN' rate='4.5'/></Cube></Cube>
</gesmes:Envelope>`
const NBU = JSON.stringify([
  { r030: 840, txt: 'Долар США', rate: 40, cc: 'USD', exchangedate: '23.11.2026' },
  { r030: 978, txt: 'Євро', rate: 46.5, cc: 'EUR', exchangedate: '23.11.2026' },
  { r030: 392, txt: 'Єна', rate: 0.2631, cc: 'JPY', exchangedate: '23.11.2026' },
])
const ratesOf = (read: ReturnType<typeof readFeed>) =>
  'problem' in read ? read : Object.fromEntries(read.map(({ currency, day, rate }) => [`${currency} ${day}`, rate]))

test('the European Central Bank tells how much one euro is worth: each is told in the base currency, rounded once', () => {
  expect(ratesOf(readFeed('ecb', ECB, 'USD'))).toEqual({
    'EUR 2026-11-20': '1.2500',
    'JPY 2026-11-20': '0.00778816',
    'PLN 2026-11-20': '0.27777778',
  })
  expect(ratesOf(readFeed('ecb', ECB, 'EUR'))).toMatchObject({ 'USD 2026-11-20': '0.8000', 'PLN 2026-11-20': '0.22222222' })
})

test('the National Bank of Ukraine tells how many hryvnias one unit is worth', () => {
  expect(ratesOf(readFeed('nbu', NBU, 'USD'))).toEqual({
    'UAH 2026-11-23': '0.0250',
    'EUR 2026-11-23': '1.1625',
    'JPY 2026-11-23': '0.0065775',
  })
  expect(ratesOf(readFeed('nbu', NBU, 'UAH'))).toMatchObject({ 'USD 2026-11-23': '40.0000', 'JPY 2026-11-23': '0.2631' })
})

test.each([
  ['ecb', ''],
  ['ecb', '<html><body>Not found</body></html>'],
  ['ecb', ECB.replace("time='2026-11-20'", "time='today'")],
  ['ecb', `<!DOCTYPE x [<!ENTITY a "b">]>${ECB}`],
  ['ecb', ECB.slice(0, 420)],
  ['nbu', '{}'],
  ['nbu', '[]'],
  ['nbu', '[null]'],
  ['nbu', NBU.replace('23.11.2026', '22.11.2026')],
  ['nbu', NBU.replaceAll('23.11.2026', '2026-11-23')],
] as const)('an answer of %s that is none is told from one without the base currency', (feed, text) => {
  expect(readFeed(feed, text, 'USD')).toEqual({ problem: 'not_understood' })
  expect(readFeed(feed, feed === 'ecb' ? ECB : NBU, 'USDT')).toEqual({ problem: 'base_missing' })
})

test('a figure that is no rate is passed over, the others stand', () => {
  const odd = NBU.replace('46.5', '"46,5"').replace('0.2631', '-1')
  expect(ratesOf(readFeed('nbu', odd, 'USD'))).toEqual({ 'UAH 2026-11-23': '0.0250' })
})
