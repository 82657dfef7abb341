import { sql, type Insertable, type RawBuilder } from 'kysely'
import type { z } from 'zod'
import type { suppressionApi, SuppressionKind, SuppressionReason } from '#contract/leads/suppression.ts'
import { recordsAsText, recordsFrom, recordsOf } from '#server/platform/pg/bulk.ts'
import { writeOnce } from '#server/platform/pg/compile-once.ts'
import type { DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'
import { listPage } from '#server/platform/pg/list-page.ts'
import { containing } from '#server/platform/pg/paging.ts'

type Filters = z.output<typeof suppressionApi.list.body>
export type SuppressedHash = { kind: SuppressionKind; hash: Buffer }
export type SuppressionScope = { advertiser_id: number | null; offer_id: number | null }
type NewSuppression = Insertable<Tables['suppression']>

/** Entries in force that are one of these. */
export async function listSuppressed(db: DbOrTrx, keys: readonly SuppressedHash[], now: Date) {
  return suppressedNow(db, { keys: recordsAsText(keys), now })
}
const suppressedNow = writeOnce(
  ({ keys, now }: { keys: string; now: Date }) => sql<SuppressionScope & SuppressedHash & { reason: string }>`
    select s.kind, s.reason, s.hash, s.advertiser_id, s.offer_id
      from suppression s join ${recordsFrom('suppression', keys)} v on v.kind = s.kind and v.hash = s.hash
     where s.expires_at is null or s.expires_at > ${now}`,
)

/** One page of the list; `hashes` = what the search is as a whole value of each kind. */
export function listSuppressions(db: DbOrTrx, asked: Filters, hashes: readonly SuppressedHash[]) {
  const scopes = {
    everywhere: sql`s.advertiser_id is null and s.offer_id is null`,
    advertiser: sql`s.advertiser_id is not null`,
    offer: sql`s.offer_id is not null`,
  }
  return listPage(
    suppressions(db)
      .$if(asked.kind.length > 0, (query) => query.where('s.kind', 'in', asked.kind))
      .$if(asked.reason.length > 0, (query) => query.where('s.reason', 'in', asked.reason))
      .$if(asked.source.length > 0, (query) => query.where('s.source', 'in', asked.source))
      .$if(asked.scope.length > 0, (query) =>
        query.where(
          sql<boolean>`(${sql.join(
            asked.scope.map((scope) => scopes[scope]),
            sql` or `,
          )})`,
        ),
      )
      .$if(asked.search !== '', (query) => query.where(isFound(asked.search, hashes))),
    { id: 's.id', created_at: 's.created_at', kind: 's.kind', shown: 's.shown', reason: 's.reason', expires_at: 's.expires_at' },
    asked,
  )
}

export function getSuppression(db: DbOrTrx, id: number) {
  return suppressions(db).where('s.id', '=', String(id)).executeTakeFirstOrThrow()
}

/** An entry of a value where it holds, locked. */
export function lockSuppression(trx: Trx, { kind, hash }: SuppressedHash, { advertiser_id, offer_id }: SuppressionScope) {
  return trx
    .selectFrom('suppression')
    .select([sql<number>`id::int`.as('id'), 'reason', 'note', 'expires_at'])
    .where('kind', '=', kind)
    .where('hash', '=', hash)
    .where(sql<boolean>`advertiser_id is not distinct from ${advertiser_id}::int and offer_id is not distinct from ${offer_id}::int`)
    .forUpdate()
    .executeTakeFirst()
}

/** What is said of somebody, the weightier the later: of two reasons an entry keeps that one. */
const BY_WEIGHT = ['manual', 'dnc', 'opt_out', 'litigator', 'complaint', 'erasure'] as const satisfies readonly SuppressionReason[]

function weight(reason: RawBuilder<unknown>) {
  return sql`array_position(${[...BY_WEIGHT]}::text[], ${reason})`
}

/** The later end of both; none is the latest. */
const LONGEST = sql`when excluded.expires_at is null or suppression.expires_at is null then null
  else greatest(excluded.expires_at, suppression.expires_at)`

/**
 * Writes an entry; one that is there takes the reason, the note and the end. What people said themselves, or others told of them, is
 * made no weaker and no shorter so: that takes lifting it, with a reason.
 */
export async function saveSuppression(trx: Trx, values: NewSuppression): Promise<number> {
  const isTold = sql`suppression.source in ('link', 'call', 'api', 'erasure')`
  const { id } = await trx
    .insertInto('suppression')
    .values(values)
    .onConflict((conflict) =>
      conflict.columns(['kind', 'hash', 'advertiser_id', 'offer_id']).doUpdateSet({
        reason: sql`case when ${isTold} and ${weight(sql`suppression.reason`)} > ${weight(sql`excluded.reason`)} then suppression.reason else excluded.reason end`,
        note: values.note ?? '',
        expires_at: sql`case when not ${isTold} then excluded.expires_at ${LONGEST} end`,
      }),
    )
    .returning(sql<number>`id::int`.as('id'))
    .executeTakeFirstOrThrow()
  return id
}

/**
 * Adds entries that are not there yet, in one order whoever does; answers which. One that is over is there no more; one that is there
 * holds as long as either says, by the weightier reason: an end somebody set once lets nobody go who asked for more since.
 */
export async function addSuppressions(trx: Trx, rows: readonly NewSuppression[], now: Date): Promise<number[]> {
  if (rows.length === 0) return []
  const columns = sql.join(Object.keys(rows[0] ?? {}).map((column) => sql.ref(column)))
  const over = sql`coalesce(suppression.expires_at <= ${now}, false)`
  const longer = sql`(suppression.expires_at is not null and coalesce(excluded.expires_at, 'infinity') > suppression.expires_at)`
  const [said, before] = [weight(sql`excluded.reason`), weight(sql`suppression.reason`)]
  const takes = sql`(${over} or ${said} > ${before} or (${said} = ${before} and ${longer}))`
  const taken = (name: string) =>
    sql`${sql.ref(name)} = case when ${takes} then ${sql.ref(`excluded.${name}`)} else ${sql.ref(`suppression.${name}`)} end`
  const { rows: made } = await sql<{ id: number }>`
    insert into suppression (${columns}) select ${columns} from ${recordsOf('suppression', rows)} order by kind, hash
    on conflict (kind, hash, advertiser_id, offer_id) do update
      set ${sql.join(['reason', 'source', 'note', 'created_by', 'created_at'].map(taken))},
          expires_at = case when ${over} then excluded.expires_at ${LONGEST} end
      where ${over} or ${longer} or ${said} > ${before}
    returning id::int as id`.execute(trx)
  return made.map(({ id }) => id)
}

/** Which of some values are suppressed there already, as `kind hash`. */
export async function suppressedOf(
  db: DbOrTrx,
  keys: readonly SuppressedHash[],
  { advertiser_id, offer_id }: SuppressionScope,
  now: Date,
): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  const { rows } = await sql<SuppressedHash>`
    select s.kind, s.hash from suppression s join ${recordsOf('suppression', keys)} v on v.kind = s.kind and v.hash = s.hash
     where s.advertiser_id is not distinct from ${advertiser_id}::int and s.offer_id is not distinct from ${offer_id}::int
       and (s.expires_at is null or s.expires_at > ${now})`.execute(db)
  return new Set(rows.map(suppressionKey))
}

export function suppressionKey({ kind, hash }: SuppressedHash): string {
  return `${kind} ${hash.toString('hex')}`
}

/** Takes entries off the list. */
export function removeSuppressions(trx: Trx, uuids: readonly string[]) {
  return trx
    .deleteFrom('suppression')
    .where(sql<boolean>`uuid = any(${[...uuids]}::uuid[])`)
    .returning(GONE)
    .execute()
}

/** Takes entries off the list whose time is over, so many at once. */
export function removeOver(trx: Trx, now: Date, most: number) {
  return trx
    .deleteFrom('suppression')
    .where('id', 'in', (query) =>
      query.selectFrom('suppression').select('id').where('expires_at', '<=', now).orderBy('id').limit(most).forUpdate().skipLocked(),
    )
    .returning(GONE)
    .execute()
}

const GONE = [
  sql<number>`id::int`.as('id'),
  'kind' as const,
  'hash' as const,
  'shown' as const,
  'reason' as const,
  'advertiser_id' as const,
  'offer_id' as const,
]

/**
 * People whose telephone or e-mail address is suppressed everywhere by these entries are suppressed themselves. Whoever writes a send of one
 * of them does not wait for it: it holds a place in a cap, for which a lead of another may wait that this waits for.
 */
export async function suppressPeople(trx: Trx, ids: readonly number[], at: Date): Promise<void> {
  if (ids.length === 0) return
  await sql`
    with found as (
      select p.id from person p where p.id in (
          select q.id from suppression s join person q on q.phone_hash = s.hash and q.erased_at is null
           where s.id = any(${[...ids]}::bigint[]) and s.kind = 'phone' and s.advertiser_id is null and s.offer_id is null
          union
          select q.id from suppression s join person q on q.email_hash = s.hash
           where s.id = any(${[...ids]}::bigint[]) and s.kind = 'email' and s.advertiser_id is null and s.offer_id is null)
        and p.suppressed_at is null and not p.test order by p.id for no key update)
    update person set suppressed_at = ${at} from found where person.id = found.id`.execute(trx)
}

/** People of whom nothing else is suppressed everywhere any more are free again. */
export async function freePeople(trx: Trx, hashes: readonly SuppressedHash[], now: Date): Promise<void> {
  const of = (kind: SuppressionKind) => hashes.flatMap((one) => (one.kind === kind ? [`\\x${one.hash.toString('hex')}`] : []))
  await sql`
    with found as (
      select p.id from person p where p.id in (
          select id from person where phone_hash = any(${of('phone')}::bytea[]) and erased_at is null
          union select id from person where email_hash = any(${of('email')}::bytea[]))
        and p.suppressed_at is not null and p.erased_at is null
        and not exists (select from suppression s
          where ((s.kind = 'phone' and s.hash = p.phone_hash) or (s.kind = 'email' and s.hash = p.email_hash))
            and s.advertiser_id is null and s.offer_id is null and (s.expires_at is null or s.expires_at > ${now}))
        order by p.id for no key update)
    update person set suppressed_at = null from found where person.id = found.id`.execute(trx)
}

function suppressions(db: DbOrTrx) {
  return db
    .selectFrom('suppression as s')
    .leftJoin('account as a', 'a.id', 's.created_by')
    .leftJoin('advertiser as v', 'v.id', 's.advertiser_id')
    .leftJoin('offer as o', 'o.id', 's.offer_id')
    .select(['s.uuid', sql<number>`s.id::int`.as('id'), 's.kind', 's.shown', 's.reason', 's.source', 's.note', 's.expires_at'])
    .select(['s.created_at', 'a.name as by', 's.advertiser_id', 's.offer_id'])
    .select(['v.uuid as advertiser_uuid', 'v.name as advertiser', 'o.uuid as offer_uuid', 'o.title as offer'])
}

function isFound(text: string, hashes: readonly SuppressedHash[]) {
  const ways = hashes.map(({ kind, hash }) => sql`(s.kind = ${kind} and s.hash = ${hash})`)
  // what is masked tells nothing by its parts
  const parts = sql`((s.kind in ('domain', 'ip') and s.shown ilike ${containing(text)}) or s.note ilike ${containing(text)})`
  return sql<boolean>`(${sql.join([parts, ...ways], sql` or `)})`
}

/** The advertiser of a scope. */
export async function findAdvertiserId(db: DbOrTrx, uuid: string): Promise<number | undefined> {
  return (await db.selectFrom('advertiser').select('id').where('uuid', '=', uuid).executeTakeFirst())?.id
}

/** The offer of leads of a scope. */
export async function findLeadOfferId(db: DbOrTrx, uuid: string): Promise<number | undefined> {
  const found = await db
    .selectFrom('offer as o')
    .innerJoin('api_offer as l', 'l.offer_id', 'o.id')
    .select('o.id')
    .where('o.uuid', '=', uuid)
    .executeTakeFirst()
  return found?.id
}

/** The contacts of a person, as they are compared. */
export function getContacts(db: DbOrTrx, personId: string) {
  return db
    .selectFrom('person')
    .select(['phone_hash', 'email_hash', 'test', 'erased_at', 'restricted_at'])
    .where('id', '=', personId)
    .executeTakeFirstOrThrow()
}
