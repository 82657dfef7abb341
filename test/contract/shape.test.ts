import { expect, test } from 'vitest'
import { z } from 'zod'
import { affiliateInput, blankAffiliate } from '#contract/people/affiliate.ts'
import { contacts, countryCode, email, line, requiredLine, tags, uuid } from '#contract/fields.ts'
import { blankOf, stored, valuesOf } from '#contract/shape.ts'

test('what was stored under a looser rule can still be answered', () => {
  const answer = z.object(stored({ email, phone: line(40), country: countryCode.nullable(), tags, contacts }))
  const kept = { email: 'Not An Address', phone: '1'.repeat(100), country: 'europe', tags: [''], contacts: {} }
  expect(answer.parse(kept)).toEqual({ ...kept, contacts: { skype: '', telegram: '', linkedin: '' } })
  expect(answer.safeParse({ ...kept, tags: 'none' }).success).toBe(false)
})

test('a new form is empty but for what is stated, and a choice must be stated', () => {
  const input = z.object({ name: requiredLine(), email, status: z.enum(['on', 'off']), flag: z.boolean(), manager_uuid: uuid.nullable() })
  expect(blankOf(input, { status: 'off' })).toEqual({ name: '', email: '', status: 'off', flag: false, manager_uuid: null })
  expect(() => blankOf(input, {})).toThrow('status')
})

test('an editing form takes exactly the fields of its input, a reference by its uuid', () => {
  const input = z.object({ name: line(), manager_uuid: uuid.nullable() })
  const manager = { uuid: '00000000-0000-4000-8000-000000000001', id: 7, name: 'Olha' }
  const answer = { name: 'Ann', manager, created_at: 'yesterday' }
  expect(valuesOf(input, answer)).toEqual({ name: 'Ann', manager_uuid: manager.uuid })
  expect(valuesOf(input, { name: 'Ann', manager: null })).toEqual({ name: 'Ann', manager_uuid: null })
  expect(Object.keys(blankAffiliate)).toEqual(Object.keys(affiliateInput.shape))
})
