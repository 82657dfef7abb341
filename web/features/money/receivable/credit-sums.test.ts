import { expect, test } from 'vitest'
import { creditSums } from './credit-sums.ts'

const of = (open: string, written_off: string, notes: { net: string; vat: string; total: string }[] = []) =>
  creditSums({ net: '100.0000', vat: '20.0000', total: '120.0000', open, written_off, credit_notes: notes })

test('an open invoice is owed no longer', () => {
  expect(of('120.0000', '0.0000')).toMatchObject({ net: '100.0000', vat: '20.0000', total: '120.0000', open: '120.0000', ahead: '0.0000' })
})

test('of one credited in part only the rest is taken back, and what was paid of it is paid in advance', () => {
  const notes = [{ net: '25.0000', vat: '5.0000', total: '30.0000' }]
  expect(of('40.0000', '0.0000', notes)).toEqual({
    net: '75.0000',
    vat: '15.0000',
    total: '90.0000',
    before: '30.0000',
    open: '40.0000',
    forgiven: '0.0000',
    ahead: '50.0000',
  })
})

test('a note that added is taken back too', () => {
  const notes = [{ net: '-10.0000', vat: '-2.0000', total: '-12.0000' }]
  expect(of('132.0000', '0.0000', notes)).toMatchObject({ net: '110.0000', total: '132.0000', ahead: '0.0000' })
})

test('what was given up is no loss any more before anything is paid in advance', () => {
  expect(of('0.0000', '50.0000')).toMatchObject({ open: '0.0000', forgiven: '50.0000', ahead: '70.0000' })
})
