import { sql, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import { MOST_ADDED, type leadListApi } from '#contract/leads/lead-list.ts'
import { inScope, isInScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'
import type { Contacts } from '#server/features/leads/user-session/user-session.queries.ts'
import type { DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { keyOf } from '#server/platform/pg/list-page.ts'
import { reference } from '#server/platform/pg/reference.ts'
import { isSeen } from './lead-list.queries.ts'

type Filters = z.output<typeof leadListApi.items.body>

/** One page of who is in a list, as far as the caller sees: the rows are found first, and only theirs is looked up. */
export function listItems(db: DbOrTrx, scope: Scope, listId: number, asked: Filters, contacts: Contacts) {
  const by = asked.sort === 'country' ? 'i.country' : 'i.id'
  const page = found(db, scope, listId, asked, contacts)
    .select('i.id')
    .orderBy(keyOf(by), asked.direction)
    .orderBy('i.id', asked.direction)
    .limit(asked.count)
    .offset((asked.page - 1) * asked.count)
  return db
    .selectFrom(page.as('k'))
    .innerJoin('lead_list_item as i', 'i.id', 'k.id')
    .innerJoin('person as p', 'p.id', 'i.person_id')
    .leftJoin('user_session as s', 's.id', 'i.session_id')
    .leftJoin('offer as o', 'o.id', 's.offer_id')
    .leftJoin('affiliate as f', 'f.id', 'i.affiliate_id')
    .leftJoin('account as a', 'a.id', 'f.account_id')
    .leftJoin('conversion as c', 'c.id', 'i.conversion_id')
    .leftJoin('account as b', 'b.id', 'i.added_by')
    .leftJoin('lead_list_import as m', 'm.id', 'i.import_id')
    .select(['i.id', 'i.source', 'i.via', 'i.added_at', 'i.removed_at', 'i.country', 'i.sealed as own_sealed', 'i.person_id'])
    .select(['p.sealed as person_sealed', 'p.erased_at', 'p.restricted_at', 'p.suppressed_at', 'p.test'])
    .select(['s.uuid as session_uuid', 's.id as session_id', 's.received_at', 's.status', 's.call_status', 's.sealed as session_sealed'])
    .select(['c.uuid as conversion_uuid', 'c.id as conversion_id', 'c.status as conversion_status', 'c.reason as conversion_reason'])
    .select(['b.name as added_by', 'm.file_name'])
    .select([
      reference({ uuid: 'o.uuid', id: 'o.id', name: 'o.title' }).as('offer'),
      reference({ uuid: 'a.uuid', id: 'f.id', name: 'a.name' }).as('affiliate'),
      sentTo(scope).as('sends'),
    ])
    .orderBy(keyOf(by), asked.direction)
    .orderBy('i.id', asked.direction)
    .execute()
}
export type ItemRow = Awaited<ReturnType<typeof listItems>>[number]

/** How many there are; of a list that is narrowed by nothing the counts kept of it say so. */
export async function countItems(db: DbOrTrx, scope: Scope, listId: number, asked: Filters, contacts: Contacts): Promise<number> {
  if (asked.via.length === 0 && asked.search === '' && asked.affiliate_uuid.length === 0) {
    const kept = { present: sql`c.items`, removed: sql`c.removed`, all: sql`c.items + c.removed` }[asked.shown]
    const { rows } = await db
      .selectFrom('lead_list_count as c')
      .select(sql<number>`coalesce(sum(${kept}), 0)::int`.as('rows'))
      .where('c.list_id', '=', listId)
      .where(isSeen(scope, sql`c.affiliate_id`))
      .$if(asked.source.length > 0, (query) => query.where('c.source', 'in', asked.source))
      .$if(asked.country.length > 0, (query) => query.where('c.country', 'in', asked.country))
      .executeTakeFirstOrThrow()
    return rows
  }
  const { rows } = await found(db, scope, listId, asked, contacts)
    .select(sql<number>`count(*)::int`.as('rows'))
    .executeTakeFirstOrThrow()
  return rows
}

function found(db: DbOrTrx, scope: Scope, listId: number, asked: Filters, contacts: Contacts) {
  return db
    .selectFrom('lead_list_item as i')
    .where('i.list_id', '=', listId)
    .where(isSeen(scope, sql`coalesce(i.affiliate_id, 0)`))
    .$if(asked.shown !== 'all', (query) => query.where('i.removed_at', asked.shown === 'present' ? 'is' : 'is not', null))
    .$if(asked.source.length > 0, (query) => query.where('i.source', 'in', asked.source))
    .$if(asked.via.length > 0, (query) => query.where('i.via', 'in', asked.via))
    .$if(asked.country.length > 0, (query) => query.where('i.country', 'in', asked.country))
    .$if(asked.affiliate_uuid.length > 0, (query) => query.where(sql<boolean>`i.affiliate_id in (${affiliatesOf(asked.affiliate_uuid)})`))
    .$if(asked.search !== '', (query) => query.where(isCalled(listId, asked.search, contacts)))
}

function affiliatesOf(uuids: readonly string[]) {
  return sql`select e.id from affiliate e join account u on u.id = e.account_id where u.uuid = any(${[...uuids]}::uuid[])`
}

/** People or leads of that name, each found by an index of its own; of whom those in the list. */
function isCalled(listId: number, text: string, { phone, email }: Contacts): RawBuilder<boolean> {
  const leads = [sql`select s.id from user_session s where s.click_id = ${text.toLowerCase()}`]
  if (/^\d{1,18}$/.test(text)) leads.push(sql`select s.id from user_session s where s.id = ${text}::bigint`)
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text))
    leads.push(sql`select s.id from user_session s where s.uuid = ${text}::uuid`)
  const people: RawBuilder<unknown>[] = []
  // who was erased has none
  if (phone !== null) people.push(sql`select p.id from person p where p.phone_hash = ${phone} and p.erased_at is null`)
  if (email !== null) people.push(sql`select p.id from person p where p.email_hash = ${email}`)
  const found = [
    sql`select e.id from lead_list_item e where e.list_id = ${listId} and e.session_id in (${sql.join(leads, sql` union all `)})`,
    ...(people.length === 0
      ? []
      : [sql`select e.id from lead_list_item e where e.list_id = ${listId} and e.person_id in (${sql.join(people, sql` union all `)})`]),
  ]
  return sql`i.id in (${sql.join(found, sql` union all `)})`
}

/** The sends of a person the caller sees: of affiliates or to advertisers of theirs. */
function sentTo(scope: Scope): RawBuilder<number> {
  return sql<number>`(select count(*)::int from lead_send e join user_session es on es.id = e.session_id join affiliate ef on ef.id = es.affiliate_id
    join advertiser ev on ev.id = e.advertiser_id
    where e.person_id = i.person_id and ${inScope(scope, { affiliateManager: 'ef.manager_id', advertiserManager: 'ev.manager_id' })})`
}

/** To whom a person of a list was offered, as far as the caller sees, the latest first. */
export function listSendsTo(db: DbOrTrx, scope: Scope, listId: number, itemId: string) {
  return db
    .selectFrom('lead_list_item as i')
    .innerJoin('lead_send as n', 'n.person_id', 'i.person_id')
    .innerJoin('user_session as s', 's.id', 'n.session_id')
    .innerJoin('offer as o', 'o.id', 's.offer_id')
    .innerJoin('affiliate as f', 'f.id', 's.affiliate_id')
    .innerJoin('product as d', 'd.id', 'n.product_id')
    .innerJoin('advertiser as v', 'v.id', 'n.advertiser_id')
    .select(['n.uuid', 'n.asked_at', 'n.status', 'n.reason', 's.uuid as session_uuid', 's.id as session_id', 's.origin', 's.call_status'])
    .select([
      reference({ uuid: 'o.uuid', id: 'o.id', name: 'o.title' }).$notNull().as('offer'),
      reference({ uuid: 'v.uuid', id: 'v.id', name: 'v.name' }).as('advertiser'),
      reference({ uuid: 'd.uuid', id: 'd.id', name: 'd.title' }).as('product'),
      isInScope(scope, { advertiserManager: 'v.manager_id' }).as('sees_advertiser'),
    ])
    .where('i.list_id', '=', listId)
    .where('i.id', '=', itemId)
    .where(isSeen(scope, sql`coalesce(i.affiliate_id, 0)`))
    .where(inScope(scope, { affiliateManager: 'f.manager_id', advertiserManager: 'v.manager_id' }))
    .orderBy('n.id', 'desc')
    .limit(200)
    .execute()
}

/** Whether somebody sees a person of a list. */
export async function isItem(db: DbOrTrx, scope: Scope, listId: number, itemId: string): Promise<boolean> {
  const item = await db
    .selectFrom('lead_list_item as i')
    .select('i.id')
    .where('i.list_id', '=', listId)
    .where('i.id', '=', itemId)
    .where(isSeen(scope, sql`coalesce(i.affiliate_id, 0)`))
    .executeTakeFirst()
  return item !== undefined
}

/** Takes people out of a list, or in again; answers how many that changed. */
export async function markItems(
  trx: Trx,
  scope: Scope,
  listId: number,
  itemIds: readonly string[],
  removedAt: Date | null,
): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('lead_list_item as i')
    .set({ removed_at: removedAt })
    .where('i.list_id', '=', listId)
    .where(sql<boolean>`i.id = any(${[...itemIds]}::bigint[])`)
    .where('i.removed_at', removedAt === null ? 'is not' : 'is', null)
    .where(isSeen(scope, sql`coalesce(i.affiliate_id, 0)`))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Which people of a list are meant: some rows, those of countries, or a share of all, drawn in the same way however often. */
export type Picked = { itemIds: readonly string[] } | { countries: readonly string[] } | { percent: number } | 'all'

/** How many people are meant, as many as may be copied at once and one more. */
export async function countPicked(trx: Trx, scope: Scope, listId: number, picked: Picked): Promise<number> {
  const { rows } = await sql<{ rows: number }>`select count(*)::int as rows from (${pick(scope, listId, picked)}) e`.execute(trx)
  return rows[0]?.rows ?? 0
}

/** Copies people of one list to another, with where they came from; whoever is there in whatever way stays as they are. Answers how many were new. */
export async function copyItems(
  trx: Trx,
  scope: Scope,
  { from, to, picked }: { from: number; to: number; picked: Picked },
  { via, accountId, at }: { via: 'manual' | 'merge' | 'split'; accountId: number; at: Date },
): Promise<number> {
  const { rows } = await sql`
    insert into lead_list_item (list_id, person_id, source, session_id, conversion_id, import_id, affiliate_id, country, sealed, consent, via, added_by, added_at)
    select ${to}, i.person_id, i.source, i.session_id, i.conversion_id, i.import_id, i.affiliate_id, i.country, i.sealed, i.consent,
           ${via}, ${accountId}::int, ${at}::timestamptz
      from lead_list_item i join (${pick(scope, from, picked)}) e on e.id = i.id order by i.id
    on conflict (list_id, person_id) do nothing returning 1`.execute(trx)
  return rows.length
}

/** Takes those out of one list who are in another now; answers how many. */
export async function leaveTo(
  trx: Trx,
  scope: Scope,
  { from, to, picked }: { from: number; to: number; picked: Picked },
  at: Date,
): Promise<number> {
  const { numAffectedRows } = await sql`
    update lead_list_item i set removed_at = ${at}
      from (${pick(scope, from, picked)}) e
     where i.id = e.id and exists (select from lead_list_item t where t.list_id = ${to} and t.person_id = i.person_id and t.removed_at is null)`.execute(
    trx,
  )
  return Number(numAffectedRows ?? 0)
}

function pick(scope: Scope, listId: number, picked: Picked): RawBuilder<unknown> {
  const present = sql`i.list_id = ${listId} and i.removed_at is null and ${isSeen(scope, sql`coalesce(i.affiliate_id, 0)`)}`
  const most = sql.lit(MOST_ADDED + 1)
  if (picked === 'all') return sql`select i.id from lead_list_item i where ${present} limit ${most}`
  if ('itemIds' in picked) return sql`select i.id from lead_list_item i where ${present} and i.id = any(${[...picked.itemIds]}::bigint[])`
  if ('countries' in picked)
    return sql`select i.id from lead_list_item i where ${present} and i.country = any(${[...picked.countries]}::text[]) limit ${most}`
  // at least one of some, and never all of them
  return sql`select e.id from (select i.id, row_number() over (order by hashint8extended(i.id, ${listId}), i.id) as place, count(*) over () as items
      from lead_list_item i where ${present}) e where e.place <= greatest(round(e.items * ${picked.percent}::numeric / 100), 1) limit ${most}`
}
