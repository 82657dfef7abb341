import type { ColumnType } from 'kysely'

/** jsonb: a value when read, JSON text when written. */
export type Json<Value> = ColumnType<Value, string, string>
/** The same with a default in the database. */
export type GeneratedJson<Value> = ColumnType<Value, string | undefined, string>
