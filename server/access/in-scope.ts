import { sql, type RawBuilder } from 'kysely'
import type { Scope } from '#server/access/scope.ts'

/**
 * The condition that keeps a query inside a scope. Name the columns that hold the affiliate's id, the affiliate's
 * manager and the advertiser's manager; a column that the query does not have is left out and grants nothing.
 */
export function inScope(
  scope: Scope,
  columns: { affiliateId?: string; affiliateManager?: string; advertiserManager?: string },
): RawBuilder<boolean> {
  if (scope.kind === 'all') return sql`true`
  if (scope.kind === 'affiliate') {
    return columns.affiliateId === undefined ? sql`false` : sql`${sql.ref(columns.affiliateId)} = ${scope.affiliateId}`
  }
  const sides = [columns.affiliateManager, columns.advertiserManager]
    .filter((column) => column !== undefined)
    .map((column) => sql`${sql.ref(column)} = any(${scope.managerIds}::int[])`)
  return sides.length === 0 ? sql`false` : sql`(${sql.join(sides, sql` or `)})`
}

/** The same as a value to select: false, never null, where a row belongs to nobody. */
export function isInScope(scope: Scope, columns: Parameters<typeof inScope>[1]): RawBuilder<boolean> {
  return sql<boolean>`coalesce(${inScope(scope, columns)}, false)`
}
