/** The layout of backup files this version writes. */
export const BACKUP_FORMAT = 1

/** What a table held: its rows, and a figure over their whole content that two equal tables share. */
export type TableTotal = { rows: string; content: string }

/** The first entry of a backup: what is needed before the first row is read. */
export type BackupHeader = {
  format: number
  version: string
  created_at: string
  /** Migrations of PostgreSQL that the tables had seen. */
  migrations: string[]
  business: { table: string; columns: string[] }[]
  sequences: { name: string; last_value: string | null }[]
  statistics: { table: string; columns: string[] }[]
}

/** The last entry: its presence says that the file is whole, its figures that a restore is. */
export type BackupManifest = { business: Record<string, TableTotal>; statistics: Record<string, TableTotal>; files: Record<string, string> }

/** Names the tables whose figures differ; empty when a restore is exact. */
export function differences(expected: Record<string, TableTotal>, found: Record<string, TableTotal>): string[] {
  return Object.entries(expected)
    .filter(([table, total]) => found[table]?.rows !== total.rows || found[table]?.content !== total.content)
    .map(([table, total]) => `${table}: ${total.rows} rows expected, ${found[table]?.rows ?? 'none'} found`)
}
