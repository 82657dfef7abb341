import { expect, test } from 'vitest'
import { leadInput } from '#contract/leads/lead.ts'

test.each([
  [{ full_name: ' Anna  Maria Rossi ' }, { first_name: 'Anna', last_name: 'Maria Rossi' }],
  [{ full_name: 'Anna' }, { first_name: 'Anna' }],
  [{ full_name: 'Anna Rossi', first_name: 'Ada' }, { first_name: 'Ada' }],
  [
    { country: 'de', language: 'en-GB' },
    { country: 'DE', language: 'en' },
  ],
])('a lead that brings %o is read as %o', (told, read) => {
  expect(leadInput.parse({ offer_uuid: '62', ...told })).toEqual({ offer_uuid: '62', ...read })
})

test('what is wrong is said in words one can act on', () => {
  const { error } = leadInput.safeParse({ offer_uuid: 62, country: 'Germany' })
  expect(error?.issues.map(({ message }) => message)).toEqual([
    'The uuid or the number of the offer, as a text',
    'The two letters of a country, such as DE',
  ])
})
