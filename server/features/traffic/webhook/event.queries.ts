import { sql } from 'kysely'
import { isTold, shownGoal } from '#server/features/offers/offer/goal.queries.ts'
import type { DbOrTrx, Trx } from '#server/platform/pg/database.ts'

export type EventRow = {
  id: string
  affiliate_id: number
  type: string
  subject: string
  was: string | null
  became: string | null
  at: Date
}

/** Takes the oldest events out of the table; those another worker takes are passed over. */
export async function takeEvents(trx: Trx, most: number): Promise<EventRow[]> {
  const { rows } = await sql<EventRow>`
    delete from webhook_event where id in (select id from webhook_event order by id limit ${most} for update skip locked)
    returning id, affiliate_id, type, subject, was, became, at`.execute(trx)
  return rows.toSorted((a, b) => Number(BigInt(a.id) - BigInt(b.id)))
}

/** The webhooks of some affiliates; what a suspended one misses is held for it. Kept from being changed until the transaction ends. */
export function listListening(trx: Trx, affiliateIds: readonly number[]) {
  return trx
    .selectFrom('webhook')
    .select(['id', 'affiliate_id', 'url', 'events', 'status'])
    .where('affiliate_id', 'in', [...affiliateIds])
    .where('status', 'in', ['active', 'suspended'])
    .orderBy('id')
    .forShare()
    .execute()
}

/** Conversions by number as their affiliates may know them: what they are not told of is not there. */
export function listToldConversions(db: DbOrTrx, ids: readonly string[]) {
  return db
    .selectFrom('conversion as c')
    .innerJoin('goal as g', 'g.id', 'c.goal_id')
    .innerJoin('offer as o', 'o.id', 'c.offer_id')
    .select(['c.id', 'c.uuid', 'c.created_at', 'c.click_id', 'c.aff_click_id', 'c.transaction_id', 'c.currency', 'c.payout', 'c.reason'])
    .select(['c.hold_until', 'c.source', 'c.subs', 'o.uuid as offer_uuid', 'o.id as offer_number', 'o.title as offer_title'])
    .select([shownGoal('code').as('goal_code'), shownGoal('title').as('goal_title')])
    .where('c.id', 'in', [...ids])
    .where(isTold({ kind: 'affiliate' }))
    .execute()
}
export type ToldConversion = Awaited<ReturnType<typeof listToldConversions>>[number]

/** Leads by number, but for those staff tried. */
export function listToldLeads(db: DbOrTrx, ids: readonly string[]) {
  return db
    .selectFrom('user_session as s')
    .innerJoin('offer as o', 'o.id', 's.offer_id')
    .select([
      's.id',
      's.uuid',
      's.external_id',
      's.click_id',
      's.reason',
      's.call_status',
      's.country',
      's.received_at',
      'o.uuid as offer_uuid',
    ])
    .where('s.id', 'in', [...ids])
    .where('s.origin', '!=', 'test')
    .execute()
}

/** Messages of tickets by number. */
export function listToldMessages(db: DbOrTrx, ids: readonly string[]) {
  return db
    .selectFrom('ticket_message as m')
    .innerJoin('ticket as t', 't.id', 'm.ticket_id')
    .select(['m.id', 'm.uuid', 'm.body', 't.uuid as ticket_uuid', 't.id as ticket_number', 't.subject', 't.status'])
    .where(sql<boolean>`m.id = any(${[...ids]}::int[])`)
    .execute()
}
