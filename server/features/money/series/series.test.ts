import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { numberBy, patternProblem, seriesApi, shapeOf, type SeriesPattern } from '#contract/money/series.ts'
import { makeIssued, makePayable } from '#test/support/make/invoices.ts'
import { makeAdvertiserIssued, makeDebtor } from '#test/support/make/receivables.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'

let api: TestApi
let admin: Caller
beforeAll(async () => {
  api = await startApi({ at: '2026-11-21T10:00:00Z' })
  admin = await api.as('admin')
})
afterAll(() => api.close())

const save = async (patterns: SeriesPattern[]) =>
  admin.call(seriesApi.updatePatterns, { body: { patterns, version: (await admin.call(seriesApi.patterns)).data.version } })

test('numbers are written as the pattern of their year says, and a year that has begun keeps its own', async () => {
  const affiliate = await api.as('affiliate')
  const own = () => makePayable(api.db, affiliate.affiliateId ?? 0, ['10'], { at: api.clock.now() - 86_400_000 })
  const debtor = () => makeDebtor(api.db, ['10'], { at: api.clock.now() - 86_400_000 })
  expect((await admin.call(seriesApi.begun)).data).toEqual({ year: 2026, begun: [] })
  const first: SeriesPattern = { series: 'INV', year: 2026, pattern: 'FV/{year}/{n}' }
  expect((await save([first])).status).toBe(200)
  expect((await makeAdvertiserIssued(admin, await debtor())).number).toBe('FV/2026/1')
  expect((await makeIssued(admin, await own())).number).toBe(`PS-${affiliate.affiliateId}-2026-1`)
  expect((await admin.call(seriesApi.begun)).data.begun.toSorted()).toEqual(['INV', 'PS'])
  expect((await save([{ ...first, pattern: 'R{year}-{n}' }])).fields).toHaveProperty('INV', 'This year has begun: choose a later one')
  expect((await save([])).fields).toBeDefined()
  const next: SeriesPattern = { series: 'INV', year: 2027, pattern: 'R{year}-{n}' }
  const statements: SeriesPattern = { series: 'PS', year: 2027, pattern: 'P.{year}.{affiliate}.{n}' }
  expect((await save([first, next, statements])).status).toBe(200)
  expect((await makeAdvertiserIssued(admin, await debtor())).number).toBe('FV/2026/2')
  api.clock.advance(60 * 86_400_000)
  admin = await api.as('admin')
  const period_to = '2027-01-20'
  expect((await makeAdvertiserIssued(admin, await debtor(), { period_to })).number).toBe('R2027-1')
  expect((await makeIssued(admin, await own())).number).toBe(`P.2027.${affiliate.affiliateId}.1`)
})

test.each([
  ['INV', 'INV-{n}', 'Name {year} and {n} once each'],
  ['PS', 'PS-{year}-{n}', 'Name {affiliate}, {year} and {n} once each'],
  ['INV', 'INV-{year}{n}', 'Put a letter or a sign between numbers'],
  ['INV', 'INV-{year}-7{n}', 'Put a letter or a sign between numbers'],
  ['INV', 'Рах-{year}-{n}', 'Latin letters, digits and / . _ - alone'],
  ['INV', 'CN-{year}-{n}', 'Another series is written like this'],
  ['SB', 'PS-{affiliate}-{year}-{n}', 'Another series is written like this'],
  ['PS', 'PS-{year}-{affiliate}-{n}', 'Numbers of another year could come out the same'],
] as const)('a pattern that could write a number twice is refused: %s %s', async (series, pattern, text) => {
  const { patterns } = (await admin.call(seriesApi.patterns)).data
  expect((await save([{ series, year: 2040, pattern }, ...patterns])).fields).toHaveProperty(series, text)
})

test('patterns of other shapes never write the same number, and one writes another for each affiliate, year and place', () => {
  const piece = fc.constantFrom('A', 'FV', '/', '-', '.', '2', 'x1', '')
  const pattern = fc
    .tuple(fc.shuffledSubarray(['{affiliate}', '{year}', '{n}'], { minLength: 3 }), fc.array(piece, { minLength: 4, maxLength: 4 }))
    .map(([names, pieces]) => names.reduce((text, name, at) => `${text}${name}${pieces[at + 1] ?? ''}`, pieces[0] ?? ''))
    .filter((text) => patternProblem({ series: 'SB', pattern: text }) === undefined)
  const of = fc.record({
    affiliate: fc.nat({ max: 3000 }),
    year: fc.integer({ min: 2020, max: 2030 }),
    n: fc.integer({ min: 1, max: 3000 }),
  })
  fc.assert(
    fc.property(pattern, pattern, of, of, (one, other, a, b) => {
      if (shapeOf(one) !== shapeOf(other)) expect(numberBy(one, a).toLowerCase()).not.toBe(numberBy(other, b).toLowerCase())
      if (JSON.stringify(a) !== JSON.stringify(b)) expect(numberBy(one, a)).not.toBe(numberBy(one, b))
    }),
  )
})
