import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { API } from '#server/access/api.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { startApi, type Caller, type TestApi } from '#test/support/run/api.ts'

/**
 * Every endpoint is called with bodies that nearly fit: each field keeps its name and now and then its kind, but holds
 * hostile text, odd numbers, wrong types, or nothing, and now and then there is a field nobody knows. Whatever comes, the
 * answer is an envelope and never a 500, and never a success where a field was not known.
 */
const endpoints = Object.entries(API).flatMap(([feature, group]) =>
  Object.entries<Endpoint>(group)
    .filter(([name]) => name !== 'logout' && name !== 'revokeSession')
    .map(([name, endpoint]) => ({ id: `${feature}.${name}`, endpoint })),
)
const SURPLUS = 'no_such_field'
// as many calls in all, however many endpoints there are
const RUNS = Number(process.env['FUZZ_RUNS'] ?? Math.ceil((process.env['TORTURE'] ? 1_000 : 400) / endpoints.length))
/** Where neither body nor address can differ, one call says what many would. */
const runsOf = ({ method, path }: Endpoint) => (method === 'GET' && !path.includes(':') ? 1 : RUNS)

let api: TestApi
let callers: Caller[]
beforeAll(async () => {
  api = await startApi({ clickhouse: true })
  callers = [await api.as('admin'), await api.as('affiliate')]
})
afterAll(() => api.close())

test.each(endpoints)('$id never answers 500', { timeout: 60_000 }, async ({ endpoint }) => {
  await fc.assert(
    fc.asyncProperty(
      nearly(z.toJSONSchema(endpoint.body, { io: 'input', unrepresentable: 'any' }) as Schema /* the parts zod writes */),
      nearlyKey,
      async (body, uuid) => {
        for (const caller of callers) {
          const answer = await caller.call(endpoint, { params: { uuid }, body: body as Record<string, unknown> }) // whatever it is: that is the point
          if (answer.status >= 500) throw new Error(`${answer.status} for ${JSON.stringify(body)}`)
          // a GET carries no body; where each of many is answered by itself the answer names the field
          const minded = JSON.stringify(answer.data ?? null).includes(SURPLUS)
          if (answer.status === 200 && endpoint.method !== 'GET' && JSON.stringify(body).includes(SURPLUS) && !minded)
            throw new Error(`nobody minded ${JSON.stringify(body)}`)
          if (answer.status !== 200) expect(Object.keys(answer.errors).length).toBeGreaterThan(0)
        }
      },
    ),
    { numRuns: runsOf(endpoint) },
  )
})

type Schema = {
  type?: unknown
  properties?: Record<string, Schema>
  items?: Schema
  enum?: unknown[]
  anyOf?: Schema[]
  const?: unknown
  pattern?: string
  format?: string
}

const hostile = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    '0',
    '-1',
    '1e999',
    'NaN',
    '\u0000',
    '\ud800',
    "'; drop table account; --",
    '<img src=x onerror=alert(1)>',
    '{{7*7}}',
    '../../etc/passwd',
    '%00',
    '=1+1',
    '𝕬'.repeat(50),
    'http://127.0.0.1/',
    '{click_id}',
    '{unknown}',
  ),
  fc.string({ maxLength: 300 }),
)
const anything = fc.oneof(
  hostile,
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 2 ** 31, 2 ** 53, 1e308, [], {}, [[]], { a: 1 }),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
  fc.uuid(),
)
const nearlyKey = fc.oneof(
  fc.uuid(),
  fc.constantFrom('1', '999999999', '0', '-1', 'x', '1e5', '%00', 'null'),
  hostile.filter((text) => text !== '' && text !== '.' && text !== '..' && text.isWellFormed()),
)

/** Days people mean, and the first and last that have four digits for the year. */
const moments = fc.oneof(
  fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('2100-01-01') }).map((date) => date.toISOString()),
  fc.constantFrom('0000-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'),
)

function nearly(schema: Schema): fc.Arbitrary<unknown> {
  const fitting = fits(schema)
  return fc.oneof({ weight: 8, arbitrary: fitting }, { weight: 1, arbitrary: anything })
}

function fits(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(nearly))
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.properties) {
    const known = fc.record(Object.fromEntries(Object.entries(schema.properties).map(([name, shape]) => [name, nearly(shape)])), {
      requiredKeys: Object.keys(schema.properties).filter((_name, index) => index % 3 !== 2),
    })
    return fc.oneof({ weight: 15, arbitrary: known }, { weight: 1, arbitrary: known.map((body) => ({ ...body, [SURPLUS]: 1 })) })
  }
  if (schema.type === 'array') return fc.array(schema.items ? nearly(schema.items) : anything, { maxLength: 4 })
  if (schema.type === 'boolean') return fc.boolean()
  if (schema.type === 'integer' || schema.type === 'number') return fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer())
  if (schema.type === 'null') return fc.constant(null)
  if (schema.format === 'uuid') return fc.uuid()
  if (schema.format === 'date-time') return moments
  if (schema.format === 'date') return moments.map((text) => text.slice(0, 10))
  if (schema.format === 'email') return fc.constantFrom('a@b.co', 'x@example.com')
  if (schema.pattern?.includes('A-Z]{2}')) return fc.constantFrom('UA', 'PL', 'ZZ')
  if (schema.pattern?.includes('\\d')) return fc.constantFrom('0', '1.5', '99999999999999.9999', '-3')
  return hostile
}
