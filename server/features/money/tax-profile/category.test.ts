import { expect, test } from 'vitest'
import { proposedCategory } from './category.ts'

const of = (country: string | null, vat_id = '') => ({ country, vat_id })

test.each([
  ['one country with a VAT id', of('PL', 'PL1'), of('PL', 'PL2'), 'S', 'same_country'],
  ['one country without', of('PL'), of('PL', 'PL2'), 'E', 'no_vat_id'],
  ['two of the Union with both ids', of('PL', 'PL1'), of('DE', 'DE1'), 'AE', 'both_ids'],
  ['two of the Union with one id', of('PL', 'PL1'), of('DE'), null, 'by_hand'],
  ['from outside of the Union', of('UA'), of('DE', 'DE1'), 'O', 'outside'],
  ['to outside of it', of('PL', 'PL1'), of('GB', 'GB1'), 'O', 'outside'],
  ['a country nobody named', of(null), of('DE', 'DE1'), null, 'no_country'],
])('%s', (_, supplier, customer, category, reason) => {
  expect(proposedCategory(supplier, customer)).toEqual({ category, reason })
})
