import type { z } from 'zod'
import type { leadApi } from '#contract/leads/lead.ts'
import { isTold, shownGoal } from '#server/features/offers/offer/goal.queries.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { keyIs } from '#server/platform/pg/key.ts'
import type { LeadOwner } from './lead-owner.ts'
import { sessions } from '../session/session.queries.ts'

type Filters = z.output<typeof leadApi.list.query>

/** A lead of an affiliate. */
export function findLead(db: DbOrTrx, { affiliateId, offerIds }: LeadOwner, key: string) {
  return sessions(db)
    .select('s.sealed')
    .where('s.affiliate_id', '=', affiliateId)
    .$if(offerIds.length > 0, (query) => query.where('s.offer_id', 'in', offerIds))
    .where(keyIs(key, { uuid: 's.uuid', id: 's.id' }))
    .executeTakeFirst()
}
/** A lead with what tells who it is, sealed; null = that was forgotten. */
export type ToldRow = NonNullable<Awaited<ReturnType<typeof findLead>>>

/**
 * A page of the leads of an affiliate, the newest first, or by their changes the earliest first, so that one that changes meanwhile is
 * still to come; one more than asked for tells that there is another page.
 */
export function listLeads(db: DbOrTrx, { affiliateId, offerIds }: LeadOwner, { cursor, count, status, external_id, ...asked }: Filters) {
  const { by, from, to } = asked
  const begins = cursor === undefined ? null : readCursor(cursor)
  const [moment, order, beyond] = by === 'changed' ? (['s.changed_at', 'asc', '>'] as const) : (['s.received_at', 'desc', '<'] as const)
  return (
    sessions(db)
      .select('s.sealed')
      .where('s.affiliate_id', '=', affiliateId)
      .$if(offerIds.length > 0, (query) => query.where('s.offer_id', 'in', offerIds))
      // what staff try is none of theirs
      .where('s.origin', '!=', 'test')
      .$if(status !== undefined, (query) => query.where('s.status', '=', status ?? 'received'))
      .$if(external_id !== undefined, (query) => query.where('s.external_id', '=', external_id ?? ''))
      .$if(from !== undefined, (query) => query.where(moment, '>=', new Date(from ?? 0)))
      .$if(to !== undefined, (query) => query.where(moment, '<', new Date(to ?? 0)))
      .$if(begins !== null, (query) =>
        query.where((where) => where(where.refTuple(moment, 's.id'), beyond, where.tuple(new Date(begins?.at ?? 0), begins?.id ?? '0'))),
      )
      .orderBy(moment, order)
      .orderBy('s.id', order)
      .limit(count + 1)
      .execute()
  )
}

/** What leads were booked as, oldest first, as far as their affiliate is told of it. */
export async function listBookings(db: DbOrTrx, affiliateId: number, clickIds: readonly string[]) {
  if (clickIds.length === 0) return []
  return db
    .selectFrom('conversion as c')
    .innerJoin('goal as g', 'g.id', 'c.goal_id')
    .select(['c.click_id', 'c.status', 'c.payout', 'c.currency', 'c.created_at as at'])
    .select(shownGoal('code').as('goal'))
    .where('c.click_id', 'in', clickIds)
    .where('c.affiliate_id', '=', affiliateId)
    .where(isTold({ kind: 'affiliate' }))
    .orderBy('c.id')
    .limit(clickIds.length * 20)
    .execute()
}
export type Booked = Awaited<ReturnType<typeof listBookings>>[number]

/** Where a page ended. */
export function cursorOf({ received_at, changed_at, id }: { received_at: Date; changed_at: Date; id: string }, by: Filters['by']): string {
  return `${(by === 'changed' ? changed_at : received_at).getTime()}-${id}`
}

/** null = it is none: then the list begins anew. */
function readCursor(text: string): { at: number; id: string } | null {
  const [, at, id] = /^(\d{1,14})-(\d{1,18})$/.exec(text) ?? []
  return at === undefined || id === undefined ? null : { at: Number(at), id }
}
