import { z } from 'zod'

/**
 * The specification's response-shape check: each field the schema expects must be there and be an array exactly where
 * an array is expected. Deeper checks are the server's, which cannot answer anything else than its schema.
 */
export function hasShape(schema: z.ZodType, data: unknown): boolean {
  const expected = unwrap(schema)
  if (expected.inner instanceof z.ZodArray) return Array.isArray(data) || allowsAbsence(expected, data)
  if (!(expected.inner instanceof z.ZodObject)) return !Array.isArray(data)
  if (typeof data !== 'object' || data === null || Array.isArray(data)) return allowsAbsence(expected, data)
  const fields = new Map<string, unknown>(Object.entries(data))
  return Object.entries(expected.inner.shape).every(([name, field]) => fieldFits(unwrap(field), fields.get(name)))
}

type Unwrapped = { inner: z.core.$ZodType; optional: boolean; nullable: boolean }

function unwrap(schema: z.core.$ZodType): Unwrapped {
  const found: Unwrapped = { inner: schema, optional: false, nullable: false }
  for (;;) {
    const { inner } = found
    if (inner instanceof z.ZodOptional) found.optional = true
    else if (inner instanceof z.ZodNullable) found.nullable = true
    else if (!(inner instanceof z.ZodDefault || inner instanceof z.ZodReadonly)) return found
    found.inner = inner.unwrap()
  }
}

function fieldFits(expected: Unwrapped, value: unknown): boolean {
  if (value === undefined || value === null) return allowsAbsence(expected, value)
  if (expected.inner instanceof z.ZodUnion || expected.inner instanceof z.ZodUnknown || expected.inner instanceof z.ZodAny) return true
  return Array.isArray(value) === expected.inner instanceof z.ZodArray
}

function allowsAbsence(expected: Unwrapped, value: unknown): boolean {
  if (expected.inner instanceof z.ZodUnknown || expected.inner instanceof z.ZodAny) return true
  return value === undefined ? expected.optional : value === null && expected.nullable
}
