import { z } from 'zod'

/*
 * What follows from the fields of a record, declared once in its contract: how answers carry them, what a new form
 * begins with, and what an editing form takes from an answer.
 */

type Fields = Record<string, z.ZodType>

/**
 * The fields as an answer carries them: of the same types, without the rules for what may be typed. A rule that is made
 * stricter must never make what was stored before unreadable.
 */
export function stored<Shape extends Fields>(fields: Shape): StoredFields<Shape> {
  const entries = Object.entries(fields).map(([name, schema]) => [name, withoutRules(schema)])
  return Object.fromEntries(entries) as StoredFields<Shape> // the same names, each of its own type
}
type StoredFields<Shape extends Fields> = { [Name in keyof Shape]: z.ZodType<z.output<Shape[Name]>, z.input<Shape[Name]>> }

/** What a form for a new record begins with: empty but for the values stated. Throws for a field that has no empty value, such as a choice. */
export function blankOf<Input extends z.ZodObject>(input: Input, statedValues: Partial<z.output<Input>>): z.output<Input> {
  const told = new Map<string, unknown>(Object.entries(statedValues))
  const entries = Object.entries(input.shape).map(([name, schema]) => [name, told.has(name) ? told.get(name) : emptyOf(schema, name)])
  return Object.fromEntries(entries) as z.output<Input> // each field stated or empty
}

/** The values an editing form begins with: the fields of its input as an answer holds them, `manager_uuid` from its `manager`. */
export function valuesOf<Input extends z.ZodObject>(input: Input, answer: AnswerOf<z.output<Input>>): z.output<Input> {
  const told = new Map<string, unknown>(Object.entries(answer))
  const entries = Object.keys(input.shape).map((name) => [name, told.has(name) ? told.get(name) : uuidOf(told.get(name.slice(0, -5)))])
  return Object.fromEntries(entries) as z.output<Input> // AnswerOf asks for each of them
}
type AnswerOf<Values> = {
  [Name in keyof Values as Name extends `${infer Reference}_uuid` ? Reference : Name]: Name extends `${string}_uuid`
    ? { uuid: string } | null
    : Values[Name]
}

function withoutRules(schema: z.core.$ZodType): z.ZodType {
  if (schema instanceof z.ZodString || schema instanceof z.ZodStringFormat) return z.string()
  if (schema instanceof z.ZodPipe) return withoutRules(schema.out)
  if (schema instanceof z.ZodNullable) return withoutRules(schema.unwrap()).nullable()
  if (schema instanceof z.ZodDefault) return withoutRules(schema.unwrap()).default(schema.def.defaultValue)
  if (schema instanceof z.ZodArray) return z.array(withoutRules(schema.element))
  if (schema instanceof z.ZodUnion) return z.union(schema.options.map(withoutRules))
  if (schema instanceof z.ZodObject) return z.object(stored(schema.shape))
  if (schema instanceof z.ZodType) return schema
  throw new Error('not a schema of zod')
}

function emptyOf(schema: z.core.$ZodType, name: string): unknown {
  if (schema instanceof z.ZodString) return ''
  if (schema instanceof z.ZodPipe) return emptyOf(schema.in, name)
  if (schema instanceof z.ZodNullable) return null
  if (schema instanceof z.ZodDefault) return schema.def.defaultValue
  if (schema instanceof z.ZodArray) return []
  if (schema instanceof z.ZodBoolean) return false
  if (schema instanceof z.ZodUnion) return emptyOf(schema.options[0] ?? z.never(), name)
  if (schema instanceof z.ZodLiteral) return schema.value
  if (schema instanceof z.ZodObject) return blankOf(schema, {})
  throw new Error(`a new form has to be told what ${name} begins with`)
}

function uuidOf(reference: unknown): string | null {
  return typeof reference === 'object' && reference !== null && 'uuid' in reference ? String(reference.uuid) : null
}
