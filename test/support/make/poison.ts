import { sql } from 'kysely'
import type { Db } from '#server/platform/pg/database.ts'

/** Tried one after the other: what is too long for a column may fit in short. Each marks what it becomes as an element. */
const HOSTILE = [
  `javascript:self.hit=1//"'><img src=x onerror="self.hit=1"><i data-stored>x</i>`,
  `"><img src=x onerror=self.hit=1><i data-stored>`,
  '<i data-stored>',
]

/**
 * Puts hostile text into every text and every string within jsonb that the database holds, whoever wrote it, but for what is
 * named with a reason: by `table.column`, `table.column.leaf` or, for any table, `*.column`. What a check of the database refuses
 * cannot be stored. Answers which columns hold some now, and which reasons named nothing.
 */
export async function poison(db: Db, except: Readonly<Record<string, string>>): Promise<{ poisoned: string[]; unused: string[] }> {
  const columns = await textColumns(db)
  const unused = new Set(Object.keys(except))
  const isExcept = (name: string) => (unused.delete(name), Object.hasOwn(except, name))
  const poisoned: string[] = []
  await db.connection().execute(async (one) => {
    await sql.raw(POISON_JSON).execute(one)
    for (const { table, name, type } of columns) {
      if ([`${table}.${name}`, `*.${name}`].map(isExcept).includes(true)) continue
      const prefix = `${table}.${name}.`
      const leaves = Object.keys(except)
        .filter((key) => key.startsWith(prefix))
        .map((key) => (unused.delete(key), key.slice(prefix.length)))
      // what may only be added to is poisoned all the same: it was added by people
      await sql`alter table ${sql.table(table)} disable trigger user`.execute(one)
      // words of a list are short
      for (const text of type === 'text[]' ? HOSTILE.slice(-1) : HOSTILE) {
        const unique = sql<string>`${text}::text || ' ' || ctid::text`
        const value =
          type === 'jsonb'
            ? sql`pg_temp.poisoned(${sql.ref(name)}, ${text}, ${leaves}::text[])`
            : type === 'text[]'
              ? sql`array[${unique}]`
              : unique
        const changed = await sql`update ${sql.table(table)} set ${sql.ref(name)} = ${value} where ${sql.ref(name)} is not null`
          .execute(one)
          .then(({ numAffectedRows = 0n }) => numAffectedRows > 0n)
          .catch(() => undefined)
        if (changed === undefined) continue
        if (changed) poisoned.push(`${table}.${name}`)
        break
      }
      await sql`alter table ${sql.table(table)} enable trigger user`.execute(one)
    }
  })
  return { poisoned, unused: [...unused] }
}

/** All columns that can hold text, out of the catalogue. */
async function textColumns(db: Db) {
  const { rows } = await sql<{ table: string; name: string; type: 'text' | 'text[]' | 'jsonb' }>`
    select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type
      from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
     where n.nspname = 'public' and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
       and format_type(a.atttypid, null) in ('text', 'text[]', 'jsonb')
     order by 1, a.attnum`.execute(db)
  return rows
}

const POISON_JSON = `
create or replace function pg_temp.poisoned(value jsonb, text text, kept text[]) returns jsonb language plpgsql as $$
begin
  return case jsonb_typeof(value)
    when 'string' then to_jsonb(text)
    when 'array' then (select coalesce(jsonb_agg(pg_temp.poisoned(v, text, kept)), '[]') from jsonb_array_elements(value) v)
    when 'object' then (
      select coalesce(jsonb_object_agg(k, case when k = any(kept) then v else pg_temp.poisoned(v, text, kept) end), '{}')
        from jsonb_each(value) as e (k, v))
    else value
  end;
end $$`
