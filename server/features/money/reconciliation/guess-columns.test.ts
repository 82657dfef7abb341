import { expect, test } from 'vitest'
import { guessColumns, isOfSales } from './guess-columns.ts'

test('one remembered column leaves the others to be guessed', () => {
  expect(guessColumns(['Clicked', 'Order ID', 'Payout', 'Status'], { click_id: 'Clicked' })).toEqual({
    click_id: 0,
    transaction_id: 1,
    amount: 2,
    status: 3,
  })
  // what was named last time wins over what is usual
  expect(guessColumns(['Payout', 'Net'], { amount: 'Net' })).toEqual({ amount: 1 })
})

test('the number of a transaction is the column that is called so', () => {
  for (const name of ['Transaction ID', 'transaction_id', 'txn_id', 'TransactionId'])
    expect(guessColumns(['Conversion ID', 'Order ID', name])).toMatchObject({ transaction_id: 2 })
  expect(guessColumns(['Conversion ID', 'Payout'])).toMatchObject({ transaction_id: 0 })
})

test('a column called like an event that holds yes or no names no goal', () => {
  const columns = ['Click ID', 'registration', 'ftd']
  const of = (...values: string[]) => guessColumns(columns, {}, (place) => (place === 0 ? ['x'] : values))
  for (const values of [
    ['1', '0', ''],
    ['yes', 'No'],
    ['TRUE', 'false'],
  ])
    expect(of(...values)).toEqual({ click_id: 0 })
  expect(of('basic', '1')).toEqual({ click_id: 0, goal: 1 })
})

test.each([
  ['Sale amount', true],
  ['Order Total', true],
  ['Payout', false],
  ['Sale commission', false],
  ['Revenue', false],
  ['Amount', false],
])('a column of amounts is that of sales where it is called so: %s', (column, isOne) => {
  expect(isOfSales(column)).toBe(isOne)
})
