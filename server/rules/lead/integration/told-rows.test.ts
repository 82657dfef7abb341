import { expect, test } from 'vitest'
import type { PulledRow } from './read-rows.ts'
import { toldRows } from './told-rows.ts'

const row = (status: string, more: Partial<PulledRow> = {}): PulledRow => ({
  id: 'A',
  status,
  isSale: false,
  amount: '',
  transaction: '',
  nameless: false,
  at: '',
  ...more,
})
const told = (...rows: PulledRow[]) =>
  toldRows(rows, ({ status, isSale }) => isSale || ['FTD', 'Returned'].includes(status)).map(
    ({ status, transaction }) => `${status}${transaction}`,
  )

test('of what nothing tells apart the last counts, money before words, and each payment with a name by itself', () => {
  expect(told(row('New'), row('No Answer'))).toEqual(['No Answer'])
  expect(told(row('FTD'), row('No Answer'))).toEqual(['FTD'])
  expect(told(row('FTD'), row('Returned'), row('Called'))).toEqual(['Returned'])
  expect(told(row('Active', { isSale: true }), row('No Answer'))).toEqual(['Active'])
  expect(told(row('No Answer'), row('FTD', { transaction: '1' }), row('FTD', { transaction: '2' }))).toEqual(['FTD1', 'FTD2', 'No Answer'])
  expect(told(row('FTD', { transaction: '1' }), row('FTD'))).toEqual(['FTD', 'FTD1'])
  expect(told(row('FTD', { nameless: true }), row('New'))).toEqual(['FTD', 'New'])
})

test('where a list says when, the latest is the last', () => {
  expect(told(row('Returned', { at: '2026-11-02' }), row('FTD', { at: '2026-11-01' }))).toEqual(['Returned'])
  expect(told(row('Returned', { at: '02.11.2026' }), row('FTD', { at: '01.11.2026' }))).toEqual(['FTD'])
})
