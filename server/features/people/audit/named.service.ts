import type { z } from 'zod'
import type { named } from '#contract/fields.ts'
import type { Scope } from '#server/access/scope.ts'
import { entitiesBehind, type NamedDimension } from '#server/features/traffic/report/entity.queries.ts'
import { isNamed } from '#server/features/traffic/report/keys.service.ts'
import type { Db } from '#server/platform/pg/database.ts'

/**
 * What logged changes name in fields called after the kind and `_uuid`, `_uuids`, `_id` or `_ids`, for each change in turn. The log
 * keeps these keys, names change; of what the scope may not know the name is ''.
 */
export async function namedIn(
  db: Db,
  scope: Scope,
  changes: readonly { before: unknown; after: unknown }[],
): Promise<z.output<typeof named>[][]> {
  const keys = changes.map(({ before, after }) => [...keysIn([before, after])])
  const kinds = [...new Set(keys.flat().map(({ kind }) => kind))]
  const entities = await Promise.all(
    kinds.map(async (kind) => {
      const those = keys.flat().filter((one) => one.kind === kind)
      return (
        await entitiesBehind(
          db,
          scope,
          kind,
          those.map(({ key }) => key),
        )
      ).map((entity) => ({ kind, ...entity }))
    }),
  )
  const byKey = new Map(entities.flat().flatMap((one) => [one.id, one.uuid].map((key) => [`${one.kind} ${key}`, one])))
  return keys.map((those) => [...new Set(those.flatMap(({ kind, key }) => byKey.get(`${kind} ${key}`) ?? []))])
}

/** Fields that name somebody by what they are to it. */
const CALLED: Readonly<Record<string, NamedDimension>> = { team_lead: 'manager' }

function* keysIn(value: unknown): Generator<{ kind: NamedDimension; key: string | number }> {
  if (Array.isArray(value)) for (const one of value) yield* keysIn(one)
  else if (typeof value === 'object' && value !== null)
    for (const [name, held] of Object.entries(value)) {
      const called = /^([a-z_]+)_(?:uuid|id)s?$/.exec(name)?.[1]
      const kind = called === undefined ? undefined : ((CALLED[called] ?? called) as NamedDimension) // asked at once
      if (kind === undefined || !isNamed(kind)) yield* keysIn(held)
      else for (const key of [held].flat()) if (isKey(key)) yield { kind, key }
    }
}

/** Whether a value can be a number or uuid of a row: the log may hold anything. */
function isKey(value: unknown): value is string | number {
  return typeof value === 'string'
    ? /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)
    : Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 31
}
