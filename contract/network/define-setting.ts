import { z } from 'zod'
import type { Access } from '#contract/access.ts'
import { endpoint, type Endpoint } from '#contract/endpoint.ts'
import { moment, version } from '#contract/fields.ts'
import { stored } from '#contract/shape.ts'

type Nothing = z.ZodObject<Record<never, never>>
type Exactly<Value> = z.ZodType<Value, Value>

/** Who changed a section last, and when; null while nobody has. `by` is '' where that was no person. */
export const lastChange = z.object({ by: z.string(), at: moment }).nullable()
export type LastChange = z.output<typeof lastChange>
/** A section as it is sent: what was read may be sent back whole, `changed` is read past. */
type Sent<Values> = Exactly<Values & { version: number; changed?: LastChange | undefined }>
/** A section as it is answered. */
type Told<Values> = Exactly<Values & { version: number; changed: LastChange }>

/** A section of the settings of the whole network: one row. */
export type Section<Values extends object> = {
  key: string
  /** What holds until somebody sets it. */
  defaults: Values
  /** What stands in the row: any part of the values. */
  stored: z.ZodType<Partial<Values>>
}

/** A section with its endpoints: one row, one form. */
export type Setting<Values extends object, Rule extends Access = Access> = Section<Values> & {
  read: Endpoint<Nothing, Nothing, Nothing, Told<Values>, Rule>
  update: Endpoint<Nothing, Nothing, Sent<Values>, Told<Values>, Rule>
}

/**
 * Declares a section: its fields, what they are until somebody sets them, and from both the endpoints
 * `/api/setting/v1/<key>` and `/api/setting/v1/update-<key>`. The server answers them by `serveSetting`.
 * `about` completes "Reads …" and "Changes …" in the API reference.
 */
export function defineSetting<const Rule extends Access, Fields extends Record<string, z.ZodType>>(
  key: string,
  { access, about, key: byKey }: { access: Rule; about: string; /** Whether an API key may change it. */ key?: 'never' },
  fields: Fields,
  defaults: z.output<z.ZodObject<Fields>>,
): Setting<z.output<z.ZodObject<Fields>>, Rule> {
  type Values = z.output<z.ZodObject<Fields>>
  // the very fields, by the names their values have
  const body = z.object({ ...fields, version, changed: lastChange.optional() }) as unknown as Sent<Values>
  const response = z.object({ ...stored(fields), version, changed: lastChange }) as unknown as Told<Values>
  const path = `/api/setting/v1/${key}`
  const change = `/api/setting/v1/update-${key}`
  return {
    ...sectionOf(key, fields, defaults),
    read: endpoint({ method: 'GET', path, access, summary: `Reads ${about}.`, response }),
    update: endpoint({ method: 'POST', path: change, access, summary: `Changes ${about}.`, body, response, ...(byKey && { key: byKey }) }),
  }
}

/** A section without endpoints, for a feature that has its own: its key, its fields, and what they are until somebody sets them. */
export function sectionOf<Fields extends Record<string, z.ZodType>>(
  key: string,
  fields: Fields,
  defaults: z.output<z.ZodObject<Fields>>,
): Section<z.output<z.ZodObject<Fields>>> {
  // the very fields, by the names their values have
  const row = z.object(stored(fields)).partial() as unknown as z.ZodType<Partial<z.output<z.ZodObject<Fields>>>>
  return { key, defaults, stored: row }
}
