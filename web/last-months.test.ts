import { expect, test } from 'vitest'
import { lastMonths } from './last-months.ts'

test('months go back over the turn of a year', () => {
  expect(lastMonths('2027-02-01', 4)).toEqual(['2027-02', '2027-01', '2026-12', '2026-11'])
})
