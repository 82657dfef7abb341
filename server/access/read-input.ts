import type { z } from 'zod'
import type { FieldErrors } from '#server/platform/errors.ts'
import { unknownFields } from './unknown-fields.ts'

/** So many fields are named in a refusal: nobody reads more, and an answer must not outgrow its question. */
const MOST_NAMED = 50

/** What a schema makes of what somebody sent, or what of it does not fit and which fields it does not know, each by its path. */
export function readInput<Schema extends z.ZodType>(schema: Schema, value: unknown): { data: z.output<Schema> } | { fields: FieldErrors } {
  const result = schema.safeParse(value)
  const unknown = unknownFields(schema, value)
  if (result.success && unknown.length === 0) return { data: result.data }
  // without a prototype: a caller may name a field `constructor`
  const fields: FieldErrors = Object.create(null)
  for (const issue of result.error?.issues.slice(0, MOST_NAMED) ?? []) fields[issue.path.join('.')] ??= issue.message
  for (const path of unknown.slice(0, MOST_NAMED)) fields[path] ??= 'Unknown field'
  return { fields }
}
