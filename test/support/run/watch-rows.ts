import { sql } from 'kysely'
import type { Db } from '#server/platform/pg/database.ts'

/** What mere asking may write: when somebody was last seen, and what was tried. */
const BY_ASKING = ['session', 'api_key', 'audit']

/**
 * Tells every row of a database but those that mere asking may write, as text by table. To read them takes longer than most calls,
 * so triggers note where a statement wrote, and only such tables are read again.
 */
export async function watchRows(db: Db): Promise<() => Promise<Record<string, string>>> {
  const found = await sql<{ name: string }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(db)
  const tables = found.rows.map(({ name }) => name).filter((name) => !BY_ASKING.includes(name))
  // in a schema of its own, where no other test of what a database holds meets it
  await sql`create schema watch`.execute(db)
  await sql`create table watch.written (name text not null)`.execute(db)
  await sql`
    create function watch.note() returns trigger language plpgsql as
    $$ begin insert into watch.written values (tg_table_name); return null; end $$`.execute(db)
  for (const name of tables)
    await sql`
      create trigger watch after insert or update or delete or truncate on ${sql.table(name)}
      for each statement execute function watch.note()`.execute(db)
  let rows = await printsOf(db, tables)
  return async () => {
    // taken before they are read: what is written meanwhile is noted for the next time
    const noted = await sql<{ name: string }>`delete from watch.written returning name`.execute(db)
    const written = [...new Set(noted.rows.map(({ name }) => name))]
    if (written.length > 0) rows = { ...rows, ...(await printsOf(db, written)) }
    return rows
  }
}

async function printsOf(db: Db, tables: readonly string[]): Promise<Record<string, string>> {
  const prints = tables.map(
    (name) =>
      sql`select ${name}::text as name, coalesce(string_agg(t::text, e'\\n' order by t::text), '') as rows from ${sql.table(name)} t`,
  )
  const printed = await sql<{ name: string; rows: string }>`${sql.join(prints, sql` union all `)}`.execute(db)
  return Object.fromEntries(printed.rows.map(({ name, rows }) => [name, rows]))
}
