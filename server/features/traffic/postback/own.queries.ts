import { sql } from 'kysely'
import type { z } from 'zod'
import type { ConversionStatus } from '#contract/traffic/conversion.ts'
import type { deliveryFilters, ownPostbackInput } from '#contract/traffic/own-postback.ts'
import type { SentHeader } from '#contract/traffic/postback-message.ts'
import { isTold, shownGoal } from '#server/features/offers/offer/goal.queries.ts'
import type { SealedSecrets } from './request.service.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { keyIs } from '#server/platform/pg/key.ts'
import { countRows, pageOf } from '#server/platform/pg/paging.ts'

/** An affiliate's postbacks, global ones first, with what waits for a suspended one and the last failure. */
export function listOwnPostbacks(db: DbOrTrx, affiliateId: number, uuid?: string) {
  return db
    .selectFrom('affiliate_postback as p')
    .leftJoin('offer as o', 'o.id', 'p.offer_id')
    .select([
      'p.id',
      'p.uuid',
      'p.goal_code',
      'p.statuses',
      'p.method',
      'p.url',
      'p.body_type',
      'p.body',
      'p.headers',
      'p.signing_before_until',
      'p.status',
      'p.failures',
      'p.suspended_at',
      'p.created_at',
      'p.version',
      'o.id as offer_number',
      'o.uuid as offer_uuid',
      'o.title as offer_title',
    ])
    .select([
      sql<boolean>`p.signing_secret is not null`.as('signed'),
      sql<string>`(select count(*) from postback_delivery d where d.postback_id = p.id and d.state = 'held')`.as('held'),
      sql<
        string | null
      >`(select d.error from postback_delivery d where d.postback_id = p.id and p.failures > 0 and d.error <> '' order by d.id desc limit 1)`.as(
        'last_error',
      ),
    ])
    .where('p.affiliate_id', '=', affiliateId)
    .where('p.status', '<>', 'deleted')
    .$if(uuid !== undefined, (query) => query.where('p.uuid', '=', uuid ?? ''))
    .orderBy(sql`p.offer_id is not null`)
    .orderBy('p.id')
    .execute()
}
export type OwnPostbackRow = Awaited<ReturnType<typeof listOwnPostbacks>>[number]

/** One of an affiliate's postbacks, locked: whoever changes its deliveries holds it. */
export function lockOwnPostback(trx: DbOrTrx, affiliateId: number, uuid: string) {
  return trx
    .selectFrom('affiliate_postback as p')
    .leftJoin('offer as o', 'o.id', 'p.offer_id')
    .selectAll('p')
    .select('o.uuid as offer_uuid')
    .where('p.affiliate_id', '=', affiliateId)
    .where('p.uuid', '=', uuid)
    .where('p.status', '<>', 'deleted')
    .forUpdate('p')
    .executeTakeFirst()
}

/** How many postbacks an affiliate has; two who ask before they add one wait for each other. */
export async function countOwnPostbacks(trx: DbOrTrx, affiliateId: number): Promise<number> {
  await trx.selectFrom('affiliate').select('id').where('id', '=', affiliateId).forNoKeyUpdate().execute()
  return countRows(trx.selectFrom('affiliate_postback').where('affiliate_id', '=', affiliateId).where('status', '<>', 'deleted'))
}

/** What is written of a postback; `sealed_headers` where there are secrets. */
type Form = Omit<z.output<typeof ownPostbackInput>, 'headers'> & { headers: SentHeader[]; sealed_headers?: Buffer | null }

export function insertOwnPostback(trx: DbOrTrx, now: number, affiliateId: number, offerId: number | null, form: Form) {
  return trx
    .insertInto('affiliate_postback')
    .values({ affiliate_id: affiliateId, created_at: new Date(now), ...writtenColumns(offerId, form) })
    .returning(['uuid', 'id'])
    .executeTakeFirstOrThrow()
}

export async function updateOwnPostback(trx: DbOrTrx, id: number, offerId: number | null, form: Form): Promise<void> {
  await trx.updateTable('affiliate_postback').set(writtenColumns(offerId, form)).where('id', '=', id).execute()
}

/** Gives a postback the keys that sign it. */
export async function setKeys(
  trx: DbOrTrx,
  id: number,
  keys: { signing_secret: Buffer | null; signing_secret_before: Buffer | null; signing_before_until: Date | null },
): Promise<void> {
  await trx.updateTable('affiliate_postback').set(keys).where('id', '=', id).execute()
}

/** What an affiliate's postback keeps sealed, by its uuid, and where it leads. */
export function getSealedSecrets(db: DbOrTrx, affiliateId: number, uuid: string): Promise<(SealedSecrets & { url: string }) | undefined> {
  return db
    .selectFrom('affiliate_postback')
    .select(['url', 'sealed_headers', 'signing_secret', 'signing_secret_before', 'signing_before_until'])
    .where('affiliate_id', '=', affiliateId)
    .where('uuid', '=', uuid)
    .where('status', '<>', 'deleted')
    .executeTakeFirst()
}

/** Gives a postback a status; its failures are forgotten. */
export async function setStatus(trx: DbOrTrx, id: number, status: 'active' | 'paused' | 'deleted'): Promise<void> {
  await trx.updateTable('affiliate_postback').set({ status, failures: 0, suspended_at: null }).where('id', '=', id).execute()
}

function writtenColumns(offerId: number | null, { offer_uuid: _offer, goal, headers, ...columns }: Form) {
  return { ...columns, headers: JSON.stringify(headers), offer_id: offerId, goal_code: goal }
}

/** The number of an offer the affiliate may see: not a draft, public or given, and none it is blocked from. */
export async function findPartnerOfferId(db: DbOrTrx, affiliateId: number, uuid: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('offer as o')
    .leftJoin('offer_access as x', (join) => join.onRef('x.offer_id', '=', 'o.id').on('x.affiliate_id', '=', affiliateId))
    .select('o.id')
    .where('o.uuid', '=', uuid)
    .where('o.status', '<>', 'draft')
    .where(sql<boolean>`x.status is distinct from 'blocked' and (o.privacy <> 'private' or x.status = 'approved')`)
    .executeTakeFirst()
  return row?.id
}

const DELIVERY_KEYS = {
  created_at: 'd.created_at',
  state: 'd.state',
  conversion: 'c.id',
  http_status: 'd.http_status',
  tries: 'd.tries',
  next_try_at: 'd.next_try_at',
} as const satisfies Record<z.output<typeof deliveryFilters>['sort'], string>

/** One page of the deliveries of an affiliate, and how many there are in all; with `before` only those older than that one. */
export async function listDeliveries(
  db: Db,
  affiliateId: number,
  filters: z.output<typeof deliveryFilters>,
  before?: { at: string; id: string },
) {
  const found = deliveriesOf(db, affiliateId)
    .$if(before !== undefined, (query) =>
      query.where(sql<boolean>`(d.created_at, d.id) < (${before?.at}::timestamptz, ${before?.id}::bigint)`),
    )
    .$if(filters.postback_uuid !== null, (query) => query.where('p.uuid', '=', filters.postback_uuid ?? ''))
    .$if(filters.state.length > 0, (query) => query.where('d.state', 'in', filters.state))
  const { limit, offset } = pageOf(filters)
  const [rows, list] = await Promise.all([
    countRows(found),
    found
      .select([...DELIVERY_COLUMNS])
      .orderBy(DELIVERY_KEYS[filters.sort], (order) => (filters.direction === 'asc' ? order.asc() : order.desc()).nullsLast())
      .orderBy('d.id', filters.direction)
      .limit(limit)
      .offset(offset)
      .execute(),
  ])
  return { rows, list }
}
export type DeliveryRow = Awaited<ReturnType<typeof listDeliveries>>['list'][number]

/** One delivery of an affiliate, by uuid or number. */
export function getDelivery(
  db: DbOrTrx,
  affiliateId: number,
  key: string,
): Promise<(DeliveryRow & { body: string; headers: SentHeader[] }) | undefined> {
  return deliveriesOf(db, affiliateId)
    .select([...DELIVERY_COLUMNS, 'd.body', 'd.headers'])
    .where(keyIs(key, { uuid: 'd.uuid', id: 'd.id' }))
    .executeTakeFirst()
}

const DELIVERY_COLUMNS = [
  'd.id',
  'd.uuid',
  'd.created_at',
  'd.method',
  'd.url',
  'd.state',
  'd.tries',
  'd.next_try_at',
  'd.http_status',
  'd.error',
  'p.uuid as postback_uuid',
  'o.id as offer_number',
  'o.uuid as offer_uuid',
  'o.title as offer_title',
  'c.id as conversion_number',
  'c.uuid as conversion_uuid',
  'h.to_status as status',
] as const

function deliveriesOf(db: DbOrTrx, affiliateId: number) {
  return db
    .selectFrom('postback_delivery as d')
    .innerJoin('affiliate_postback as p', 'p.id', 'd.postback_id')
    .innerJoin('conversion as c', 'c.id', 'd.conversion_id')
    .innerJoin('offer as o', 'o.id', 'c.offer_id')
    .innerJoin('conversion_history as h', (join) =>
      join.onRef('h.affiliate_id', '=', 'd.affiliate_id').onRef('h.seq', '=', 'd.history_seq'),
    )
    .where('d.affiliate_id', '=', affiliateId)
}

/** A conversion of an affiliate as the lab tries addresses with it: the one named, or the newest. */
export function findTrialConversion(db: DbOrTrx, affiliateId: number, uuid: string | null) {
  return db
    .selectFrom('conversion as c')
    .innerJoin('goal as g', 'g.id', 'c.goal_id')
    .innerJoin('offer as o', 'o.id', 'c.offer_id')
    .innerJoin('affiliate as f', 'f.id', 'c.affiliate_id')
    .selectAll('c')
    .select([shownGoal('code').as('goal_code'), shownGoal('title').as('goal_title'), 'o.title as offer_title', 'f.external_id'])
    .select((select) =>
      select
        .selectFrom('conversion_history as h')
        .select('h.from_status')
        .whereRef('h.conversion_id', '=', 'c.id')
        .orderBy('h.seq', 'desc')
        .limit(1)
        .$castTo<ConversionStatus | null>()
        .as('old_status'),
    )
    .where('c.affiliate_id', '=', affiliateId)
    .where(isTold({ kind: 'affiliate' }))
    .$if(uuid !== null, (query) => query.where('c.uuid', '=', uuid ?? ''))
    .orderBy('c.created_at', 'desc')
    .orderBy('c.id', 'desc')
    .limit(1)
    .executeTakeFirst()
}
export type TrialConversion = NonNullable<Awaited<ReturnType<typeof findTrialConversion>>>
