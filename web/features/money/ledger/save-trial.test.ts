import { expect, test } from 'vitest'
import type { TrialSum } from '#contract/money/ledger.ts'
import { trialCsv } from './save-trial.ts'

const t = ((key: string) => key) as never
const row = (currency: string, opening: string, closing: string): TrialSum => ({
  kind: 'receivable',
  currency,
  opening,
  debits: '0.0000',
  credits: '0.0000',
  closing,
  base: { opening: '1.5000', debits: '0.0000', credits: '0.0000', closing: '2.0000', difference: '0.5000' },
})
const of = (list: TrialSum[]) => ({
  month: '2026-10',
  base: 'USD',
  opening_day: '2026-09-30',
  closing_day: '2026-10-31',
  list,
  missing: [],
})
const cells = (csv: string) =>
  csv
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(',').filter((cell) => /^\d/.test(cell)))

test('amounts of one currency have the same decimals in the table of a month: as many as the longest of them needs', () => {
  const csv = trialCsv(
    of([row('EUR', '52.0000', '-10518.8973'), row('EUR', '1.12345678', '0.0000'), row('GBP', '7.5000', '8.0000')]),
    'own',
    t,
  )
  expect(cells(csv)).toEqual([
    ['52.00000000', '0.00000000', '0.00000000', '10518.89730000'],
    ['1.12345678', '0.00000000', '0.00000000', '0.00000000'],
    ['7.50', '0.00', '0.00', '8.00'],
  ])
  expect(cells(trialCsv(of([row('EUR', '52.0000', '1.12345678')]), 'base', t))).toEqual([['1.50', '0.00', '0.00', '0.50', '2.00']])
})
