import { isDeepStrictEqual } from 'node:util'

/** Whether two values are the same once they are JSON, whatever the order of their keys: jsonb keeps them in one of its own. */
export function sameJson(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(asJson(one), asJson(other))
}

function asJson(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}
