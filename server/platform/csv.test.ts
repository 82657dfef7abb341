import { expect, test } from 'vitest'
import { FORMULA } from './csv.ts'

test('what a spreadsheet runs is told from names and numbers, after spaces too', () => {
  const run = ['=1+1', ' =1+1', '\u00a0=1', '\n=1', '+380441234567', '@SUM(1)', '-1+cmd', ' -2-3', '\tx', '\rx']
  const kept = ['', '-5', '-5.0000', '0', 'A=1', 'name', "'=1", 'Ann - Ltd']
  expect(run.filter((text) => !FORMULA.test(text))).toEqual([])
  expect(kept.filter((text) => FORMULA.test(text))).toEqual([])
})
