import type { z } from 'zod'
import type { DimensionId } from '#contract/traffic/dimension.ts'
import type { reportKey } from '#contract/traffic/report.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import type { Scope } from '#server/access/scope.ts'
import { namesOf, type NamedDimension } from './entity.queries.ts'

export type Key = z.output<typeof reportKey>

/** What to call an entity whose name the caller may not see. */
const MASKED: Readonly<Record<NamedDimension, string>> = {
  offer: 'Offer',
  goal: 'Goal',
  landing: 'Landing',
  prelanding: 'Pre-landing',
  affiliate: 'Affiliate',
  advertiser: 'Advertiser',
  product: 'Product',
  manager: 'Manager',
}

/** What an entity is called to those who may not see its name: "Affiliate #12". */
export function maskedKey(dimension: NamedDimension, id: string): Key {
  return { id, label: id === '0' ? '' : `${MASKED[dimension]} #${id}`, uuid: null }
}

/** Names the ids of one dimension in one query: id → key. Other people's partners become "Affiliate #12". */
export async function keysOf(db: DbOrTrx, scope: Scope, dimension: DimensionId, ids: readonly string[]): Promise<Map<string, Key>> {
  const different = [...new Set(ids)]
  if (!isNamed(dimension)) return new Map(different.map((id) => [id, { id, label: id, uuid: null }]))
  const known = new Map(
    (
      await namesOf(
        db,
        scope,
        dimension,
        different.map(Number).filter((id) => id > 0),
      )
    ).map((entity) => [String(entity.id), entity]),
  )
  return new Map(
    different.map((id) => {
      const entity = known.get(id)
      return [id, entity === undefined ? maskedKey(dimension, id) : { id, label: entity.name, uuid: entity.uuid }]
    }),
  )
}

/** What the entities of one column of some rows are called, in one query however many rows there are; one the caller may not name by its number. */
export async function namesIn<Column extends NamedDimension>(
  db: DbOrTrx,
  scope: Scope,
  rows: readonly Readonly<Record<Column, number>>[],
  column: Column,
): Promise<(id: number) => Key> {
  const known = await keysOf(
    db,
    scope,
    column,
    rows.map((row) => String(row[column])),
  )
  return (id) => known.get(String(id)) ?? { id: String(id), label: String(id), uuid: null }
}

/** Whether the ids of a dimension have names in PostgreSQL. */
export function isNamed(dimension: DimensionId): dimension is NamedDimension {
  return dimension in MASKED
}
