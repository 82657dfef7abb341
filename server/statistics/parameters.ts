/**
 * Values of one statement, each under a name of its own: what a request says reaches the engine as a typed parameter and
 * never as text of the statement.
 */
export type Parameters = {
  /** Takes a value and answers what stands for it in the SQL, such as `{p3:Array(UInt32)}`. */
  add(type: ParameterType, value: unknown): string
  values: Record<string, unknown>
}

export type ParameterType =
  | 'UInt32'
  | 'Int64'
  | 'UInt64'
  | 'String'
  | 'Array(UInt8)'
  | 'Array(UInt32)'
  | 'Array(String)'
  | 'Array(Int64)'
  | 'Array(Int128)'

/** An empty set of parameters. */
export function parameters(): Parameters {
  const values: Record<string, unknown> = {}
  return {
    values,
    add(type, value) {
      const name = `p${Object.keys(values).length}`
      values[name] = value
      return `{${name}:${type}}`
    },
  }
}
