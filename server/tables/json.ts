import type { ColumnType } from 'kysely'

/** What is written: the value, or JSON text; a list only as text, since the driver would make an array of PostgreSQL of it. */
type Written<Value> = Value extends readonly unknown[] ? string : Value | string

/** jsonb. */
export type Json<Value> = ColumnType<Value, Written<Value>, Written<Value>>
/** The same with a default in the database. */
export type GeneratedJson<Value> = ColumnType<Value, Written<Value> | undefined, Written<Value>>
