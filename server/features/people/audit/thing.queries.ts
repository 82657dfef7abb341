import { sql, type RawBuilder } from 'kysely'
import type { STAFF_ROLES } from '#contract/access.ts'
import { AUDIT_KINDS, type AuditKind } from '#contract/people/audit.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { containing } from '#server/platform/pg/paging.ts'

/** Things of one kind by what the log calls them: their numbers as text, or their keys. */
export type ThingKey = { entity: string; ids: readonly string[] }
export type Thing = { entity: string; entity_id: string; uuid: string; id: number; name: string }

const NUMBER = /^[1-9]\d{0,8}$/
/** A search finds so many of each kind by their names, the newest first. */
const MOST_FOUND = 200

/**
 * Where each kind of thing the log tells of keeps its number and name: a table or a join with `id`, `uuid` and `name`. Null where
 * entries call it by a key (a word, a code, a uuid) and it is found by that alone.
 */
const THINGS: Readonly<Record<AuditKind, RawBuilder<unknown> | null>> = {
  account: sql`select id, uuid, name from account`,
  advertiser: sql`select id, uuid, name from advertiser`,
  advertiser_invoice: sql`select id, uuid, coalesce(number, '') as name from advertiser_invoice`,
  affiliate: sql`select f.id, a.uuid, a.name from affiliate f join account a on a.id = f.account_id`,
  affiliate_postback: sql`select id, uuid, url as name from affiliate_postback`,
  webhook: sql`select id, uuid, url as name from webhook`,
  api_key: sql`select id, uuid, name from api_key`,
  billing_run: null,
  blacklist_entry: sql`select id, uuid, shown as name from blacklist_entry`,
  blacklist_import: sql`select id, uuid, file_name as name from blacklist_import`,
  cold_rule: sql`select id, uuid, title as name from cold_rule`,
  contact_export: null,
  conversion: null,
  currency: null,
  currency_rate: null,
  delivery: null,
  domain: sql`select id, uuid, host as name from domain`,
  conversion_import: sql`select id, uuid, file_name as name from conversion_import`,
  import: sql`select id, uuid, file_name as name from import`,
  integration: sql`select id, uuid, title as name from integration`,
  invitation: sql`select id, uuid, email as name from invitation`,
  invoice: sql`select id, uuid, coalesce(number, '') as name from invoice`,
  landing: sql`select id, uuid, name from landing`,
  lead_list: sql`select id, uuid, title as name from lead_list`,
  legal_text: null,
  link: null,
  mail: null,
  mail_template: null,
  manager: sql`select m.id, a.uuid, a.name from manager m join account a on a.id = m.account_id`,
  news: sql`select id, uuid, coalesce(nullif(texts->'en'->>'title', ''), texts->'uk'->>'title', '') as name from news`,
  // the choices of an account
  notification: sql`select id, uuid, name from account`,
  offer: sql`select id, uuid, title as name from offer`,
  payment_source: sql`select id, uuid, name from payment_source`,
  payout_file: sql`select id, uuid, coalesce(name, '') as name from payout_file`,
  payout_request: null,
  // nobody is named here
  person: null,
  postback: null,
  product: sql`select id, uuid, title as name from product`,
  recold: sql`select id, uuid, title as name from recold`,
  reconciliation: sql`select id, uuid, file_name as name from reconciliation`,
  receipt: sql`select id, uuid, external_id as name from receipt`,
  report_schedule: null,
  saved_view: null,
  setting: null,
  suppression: sql`select id, uuid, shown as name from suppression`,
  ticket: sql`select id, uuid, subject as name from ticket`,
  ticket_template: sql`select id, uuid, title as name from ticket_template`,
  user_session: null,
}

/** What entries are about, as it is called now; what has no name or is gone is left out. One statement for each kind on the page. */
export async function thingsOf(db: DbOrTrx, entries: readonly { entity: string; entity_id: string }[]): Promise<Map<string, Thing>> {
  const kinds = Map.groupBy(
    entries.filter(({ entity_id }) => NUMBER.test(entity_id)),
    ({ entity }) => entity,
  )
  const found = await Promise.all(
    AUDIT_KINDS.map(async (entity) => {
      const [source, those] = [THINGS[entity], kinds.get(entity)]
      if (source === null || those === undefined) return []
      const ids = [...new Set(those.map(({ entity_id }) => Number(entity_id)))]
      const { rows } = await sql<Omit<Thing, 'entity'>>`
        select e.id::text as entity_id, e.uuid, e.id, e.name from (${source}) e where e.id = any(${ids}::int[])`.execute(db)
      return rows.map((row) => ({ ...row, entity }))
    }),
  )
  return new Map(found.flat().map((thing) => [`${thing.entity} ${thing.entity_id}`, thing]))
}

/** Things whose number, key or uuid a search is, or whose name has it somewhere: of some kinds, of all where none is named. */
export async function findThings(db: DbOrTrx, search: string, kinds: readonly string[]): Promise<ThingKey[]> {
  const asked = AUDIT_KINDS.filter((kind) => kinds.length === 0 || kinds.includes(kind))
  const found = asked.map(async (entity) => {
    const source = THINGS[entity]
    if (source === null) return { entity, ids: [search] }
    const { rows } = await sql<{ id: string }>`
      select e.id::text as id from (${source}) e
       where e.name ilike ${containing(search)} or e.id::text = ${search} or e.uuid::text = ${search.toLowerCase()}
       order by e.id desc limit ${MOST_FOUND}`.execute(db)
    // also what is gone by now has the number it had
    return { entity, ids: [...new Set([...rows.map(({ id }) => id), ...(NUMBER.test(search) ? [search] : [])])] }
  })
  return (await Promise.all(found)).filter(({ ids }) => ids.length > 0)
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
