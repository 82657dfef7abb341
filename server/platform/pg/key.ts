import { sql, type RawBuilder } from 'kysely'

/** The condition that finds a row by its uuid or by its numeric id; the contract lets nothing else through as a key. */
export function keyIs(key: string, columns: { uuid: string; id: string }): RawBuilder<boolean> {
  return /^\d+$/.test(key) ? sql`${sql.ref(columns.id)} = ${Number(key)}` : sql`${sql.ref(columns.uuid)} = ${key}::uuid`
}
