import { sql, type RawBuilder } from 'kysely'
import type { STAFF_ROLES } from '#contract/access.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { containing } from '#server/platform/pg/paging.ts'

/** Things of one kind by what the log calls them: their numbers as text, or their keys. */
export type ThingKey = { entity: string; ids: readonly string[] }
export type Thing = { entity: string; entity_id: string; uuid: string; id: number; name: string }

/** A search finds so many of each kind by their names, the newest first. */
const MOST_FOUND = 200

/** Where each kind of thing that has a number and a name keeps them: a table or a join with `id`, `uuid` and `name`. */
const NAMED: Readonly<Record<string, RawBuilder<unknown>>> = {
  account: sql`select id, uuid, name from account`,
  affiliate: sql`select f.id, a.uuid, a.name from affiliate f join account a on a.id = f.account_id`,
  advertiser: sql`select id, uuid, name from advertiser`,
  manager: sql`select m.id, a.uuid, a.name from manager m join account a on a.id = m.account_id`,
  offer: sql`select id, uuid, title as name from offer`,
  landing: sql`select id, uuid, name from landing`,
  ticket: sql`select id, uuid, subject as name from ticket`,
  ticket_template: sql`select id, uuid, title as name from ticket_template`,
  news: sql`select id, uuid, coalesce(nullif(texts->'en'->>'title', ''), texts->'uk'->>'title', '') as name from news`,
  invitation: sql`select id, uuid, email as name from invitation`,
}

/** Kinds whose entries are found by their key alone, beside those that have names. */
const KEYED = [
  'setting',
  'mail_template',
  'legal_text',
  'currency',
  'currency_rate',
  'conversion',
  'link',
  'saved_view',
  'postback',
  'delivery',
  'mail',
]

/** What entries are about, as it is called now; what has no name or is gone is left out. One statement for each kind on the page. */
export async function thingsOf(db: DbOrTrx, entries: readonly { entity: string; entity_id: string }[]): Promise<Map<string, Thing>> {
  const kinds = Map.groupBy(
    entries.filter(({ entity, entity_id }) => NAMED[entity] !== undefined && /^[1-9]\d{0,8}$/.test(entity_id)),
    ({ entity }) => entity,
  )
  const found = await Promise.all(
    [...kinds].map(async ([entity, those]) => {
      const ids = [...new Set(those.map(({ entity_id }) => Number(entity_id)))]
      const { rows } = await sql<Omit<Thing, 'entity'>>`
        select e.id::text as entity_id, e.uuid, e.id, e.name from (${NAMED[entity] ?? sql``}) e where e.id = any(${ids}::int[])`.execute(db)
      return rows.map((row) => ({ ...row, entity }))
    }),
  )
  return new Map(found.flat().map((thing) => [`${thing.entity} ${thing.entity_id}`, thing]))
}

/** Things of all kinds whose number, key or uuid a search is, or whose name has it somewhere. */
export async function findThings(db: DbOrTrx, search: string): Promise<ThingKey[]> {
  const named = Object.entries(NAMED).map(async ([entity, source]) => {
    const { rows } = await sql<{ id: string }>`
      select e.id::text as id from (${source}) e
       where e.name ilike ${containing(search)} or e.id::text = ${search} or e.uuid::text = ${search.toLowerCase()}
       order by e.id desc limit ${MOST_FOUND}`.execute(db)
    // also what is gone by now has the number it had
    return { entity, ids: [...new Set([...rows.map(({ id }) => id), ...(/^[1-9]\d{0,8}$/.test(search) ? [search] : [])])] }
  })
  const keyed = KEYED.map((entity) => ({ entity, ids: [search] }))
  return [...(await Promise.all(named)), ...keyed].filter(({ ids }) => ids.length > 0)
}

/** Accounts to choose from; a search that is a uuid finds that one. */
export async function findAccounts(db: DbOrTrx, search: string) {
  const { rows } = await sql<{ uuid: string; id: number; name: string }>`
    select uuid, id, name from account
     where name ilike ${containing(search)} or email ilike ${containing(search)} or uuid::text = ${search.toLowerCase()} or id::text = ${search}
     order by (role = 'affiliate'), name, id limit 50`.execute(db)
  return rows
}

/** The numbers of accounts behind uuids. */
export async function accountIds(db: DbOrTrx, uuids: readonly string[]): Promise<number[]> {
  if (uuids.length === 0) return []
  return (
    await db
      .selectFrom('account')
      .select('id')
      .where('uuid', 'in', [...uuids])
      .execute()
  ).map(({ id }) => id)
}

/** The accounts and records of staff whose role is not among some, but for one's own: what is done to them is not told to those who do not manage them. */
export async function staffBeyond(db: DbOrTrx, roles: readonly (typeof STAFF_ROLES)[number][], accountId: number): Promise<ThingKey[]> {
  const found = await db
    .selectFrom('manager as m')
    .innerJoin('account as a', 'a.id', 'm.account_id')
    .select(['m.id', 'm.account_id'])
    .where('a.role', 'not in', [...roles])
    .where('a.id', '<>', accountId)
    .execute()
  return [
    { entity: 'manager', ids: found.map(({ id }) => String(id)) },
    { entity: 'account', ids: found.map(({ account_id }) => String(account_id)) },
  ].filter(({ ids }) => ids.length > 0)
}
