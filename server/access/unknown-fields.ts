import type { z } from 'zod'

/**
 * The paths (`contacts.foo`, `goals.0.bar`) of what a caller sent and the schema does not know. What zod would drop without
 * a word is mostly a misspelt name, and the caller believes it was kept. Only the shape is looked at: wrong values are the
 * schema's business.
 */
export function unknownFields(schema: z.core.$ZodType, value: unknown, path: readonly (string | number)[] = []): string[] {
  const { def } = (schema as z.core.$ZodTypes)._zod // every schema of zod is one of these
  switch (def.type) {
    case 'object':
      return ofObject(def, value, path)
    case 'array':
      return Array.isArray(value) ? value.flatMap((item, index) => unknownFields(def.element, item, [...path, index])) : []
    case 'record':
      return entriesOf(value).flatMap(([name, item]) => unknownFields(def.valueType, item, [...path, name]))
    case 'union':
      // of the alternatives that which knows most is what the caller meant; an object is no list, whatever a list knows
      return (
        def.options
          .filter((option) => Array.isArray(value) || option._zod.def.type !== 'array')
          .map((option) => unknownFields(option, value, path))
          .toSorted((one, other) => one.length - other.length)[0] ?? []
      )
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'readonly':
      return unknownFields(def.innerType, value, path)
    case 'pipe':
      return unknownFields(def.in, value, path)
    // what does not fit is taken as it came ('catch'), and of all else only the value is looked at
    default:
      return []
  }
}

function ofObject(def: z.core.$ZodObjectDef, value: unknown, path: readonly (string | number)[]): string[] {
  if (def.catchall !== undefined) return []
  return entriesOf(value).flatMap(([name, item]) => {
    const field = Object.hasOwn(def.shape, name) ? def.shape[name] : undefined
    return field === undefined ? [[...path, name].join('.')] : unknownFields(field, item, [...path, name])
  })
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : []
}
