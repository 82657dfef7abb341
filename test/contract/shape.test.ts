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

test.each<[string, z.ZodType, unknown, unknown?]>([
  ['a number', z.number().min(1).max(10), 5000],
  ['a whole number', z.int().positive(), -1.5],
  ['a flag', z.boolean().refine((on) => on), false],
  ['a choice', z.enum(['a', 'b']).refine((word) => word === 'a'), 'b'],
  ['one value', z.literal('a').refine(() => false), 'a'],
  ['anything', z.unknown().refine(() => false), { a: 1 }],
  ['an optional', line(2).optional(), 'long'],
  [
    'an optional that is absent',
    line(2)
      .optional()
      .refine(() => false),
    undefined,
  ],
  ['an exactly optional', z.exactOptional(line(2)), 'long'],
  ['a nullable', z.int().max(2).nullable(), 9],
  ['a default', line(2).default('x'), 'long'],
  ['a default that is taken', z.int().max(2).default(9), undefined, 9],
  ['a prefault', line(2).prefault('x'), 'long'],
  ['a prefault that is taken', z.object({ a: line(2).default('x') }).prefault({}), undefined, { a: 'x' }],
  ['a required', z.nonoptional(line(2).optional()), 'long'],
  ['a readonly', z.array(line(2)).max(1).readonly(), ['long', 'longer']],
  ['what is caught', z.int().max(2).catch(1), 9],
  ['a record', z.record(line(2), z.int().max(2)), { long: 9 }],
  ['a record of choices', z.partialRecord(z.enum(['a', 'b']), z.int().max(2)), { a: 9 }],
  ['a tuple', z.tuple([line(2), z.int().max(2)], line(2)), ['long', 9, 'longer']],
  ['an object in an object', z.strictObject({ a: z.object({ b: line(2) }) }).refine(() => false), { a: { b: 'long' } }],
  ['an object with more', z.object({ a: line(2) }).catchall(line(2)), { a: 'long', b: 'long' }],
  ['either', z.union([z.int().max(2), line(2)]), 9],
  ['one and no other', z.xor([z.int().max(2), line(2)]), 9],
  ['one of several', z.discriminatedUnion('is', [z.object({ is: z.literal('a'), n: z.int().max(2) })]), { is: 'a', n: 9 }],
  ['both', z.intersection(z.object({ a: line(2) }), z.object({ b: line(2) })), { a: 'long', b: 'long' }],
  ['what is read in two steps', z.preprocess(String, line(2)), 'long'],
])('%s is stored without its rules, and stays what it is', (_kind, schema, kept, answered = kept) => {
  const { field } = z.object(stored({ field: schema })).parse({ field: kept })
  expect(field).toEqual(answered)
  const other = z.object(stored({ field: schema })).safeParse({ field: Symbol('no value at all') })
  expect(other.success).toBe(schema instanceof z.ZodCatch || schema instanceof z.ZodUnknown)
})

test('a kind of field whose rules cannot be told from what it is, is no field of a record', () => {
  for (const schema of [
    z.string().transform(Number),
    z.custom<string>(),
    z.lazy(() => line()),
    z.stringbool(),
    z.date(),
    z.set(z.string()),
  ])
    expect(() => stored({ odd: schema })).toThrow('odd')
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
