import { z } from 'zod'

/*
 * What follows from the fields of a record, declared once in its contract: how answers carry them, what a new form
 * begins with, and what an editing form takes from an answer.
 */

type Fields = Record<string, z.ZodType>

/**
 * The fields as an answer carries them: of the same types, without the rules for what may be typed. A rule that is made
 * stricter must never make what was stored before unreadable. The words of a choice are its type and stay. Throws for a
 * kind of schema whose rules cannot be told from what it is, such as one with a transformation.
 */
export function stored<Shape extends Fields>(fields: Shape): StoredFields<Shape> {
  return mapped(fields) as StoredFields<Shape> // the same names, each of its own type
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

/** The kind a schema is of, with nothing said of its values but a choice's words. By `def.type`, so that the web carries no class it does not use. */
function withoutRules(schema: z.core.$ZodType, name: string): z.core.$ZodType {
  const bare = (inner: z.core.$ZodType) => withoutRules(inner, name)
  const { def } = (schema as z.core.$ZodTypes)._zod // every schema of zod is one of them
  switch (def.type) {
    case 'string':
      return z.string()
    case 'number':
      return z.number()
    case 'boolean':
    case 'enum':
    case 'literal':
    case 'null':
    case 'unknown':
    case 'any':
      return def.checks?.length ? remade(schema, {}) : schema
    case 'optional':
    case 'nonoptional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'catch':
    case 'readonly':
      return remade(schema, { innerType: bare(def.innerType) })
    case 'array':
      return remade(schema, { element: bare(def.element) })
    case 'tuple':
      return remade(schema, { items: def.items.map(bare), rest: def.rest && bare(def.rest) })
    case 'record':
      return remade(schema, { keyType: bare(def.keyType), valueType: bare(def.valueType) })
    case 'object':
      return remade(schema, { shape: mapped(def.shape), catchall: def.catchall && !isNever(def.catchall) ? bare(def.catchall) : undefined })
    case 'intersection':
      return remade(schema, { left: bare(def.left), right: bare(def.right) })
    case 'union':
      return z.union(def.options.map(bare))
    case 'pipe':
      if (!('reverseTransform' in def)) return bare(def.out)
  }
  throw new Error(`${name}: what is stored of a ${def.type} cannot be told from its rules`)
}

/** A schema of the same kind without checks, over other parts. */
function remade(schema: z.core.$ZodType, parts: object): z.core.$ZodType {
  return z.core.clone(schema, z.core.util.mergeDefs(schema._zod.def, { ...parts, checks: [] }))
}

function mapped(fields: Readonly<Record<string, z.core.$ZodType>>): Record<string, z.core.$ZodType> {
  return Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, withoutRules(schema, name)]))
}

function isNever(schema: z.core.$ZodType): boolean {
  return schema._zod.def.type === 'never'
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
