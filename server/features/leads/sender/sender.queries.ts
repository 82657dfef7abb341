import { INTEGRATION_TYPES } from '#contract/leads/integration-type.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import type { LeadOwner } from '../lead-api/lead-owner.ts'
import { COUNTED_AGAIN } from '#server/rules/lead/states.ts'
import { sessions, type SessionRow } from '../session/session.queries.ts'

/** The goals a deposit or a sale is booked under, whatever the kind of leads: what is reached after the lead was taken. */
const SALES = [...new Set(Object.values(INTEGRATION_TYPES).flatMap(({ goals }) => goals.slice(1).map(({ code }) => code)))]

/** `sold`: those with a deposit or sale alone. */
export type Registered = LeadOwner & { from: Date; to: Date; page: number; count: number; sold: boolean }
/** A lead with the moment of its deposit or sale; null while there is none the affiliate may know of. */
export type Told = SessionRow & { sold_at: Date | null }

/** A page of the leads of an affiliate that came in a span of time, the oldest first, as other systems page: by number, from 1. */
export async function listRegistered(
  db: DbOrTrx,
  { affiliateId, offerIds, from, to, page, count, sold: onlySold }: Registered,
): Promise<{ list: Told[]; all: number }> {
  const asked = sessions(db)
    .where('s.affiliate_id', '=', affiliateId)
    .$if(offerIds.length > 0, (query) => query.where('s.offer_id', 'in', offerIds))
    // what was refused is no registration: whoever sent it was told so
    .where('s.status', 'in', COUNTED_AGAIN)
    // what staff try is none of theirs
    .where('s.origin', '!=', 'test')
    .where('s.received_at', '>=', from)
    .where('s.received_at', '<', to)
    .$if(onlySold, (query) =>
      query.where((of) => of.exists(salesOf(db, affiliateId).select('c.id').where('c.click_id', '=', of.ref('s.click_id')))),
    )
  const { all } = await asked
    .clearSelect()
    .select((of) => of.fn.countAll<string>().as('all'))
    .executeTakeFirstOrThrow()
  const rows = await asked
    .orderBy('s.received_at')
    .orderBy('s.id')
    .limit(count)
    .offset((page - 1) * count)
    .execute()
  if (rows.length === 0) return { list: [], all: Number(all) }
  const sold = await salesOf(db, affiliateId)
    .select((of) => ['c.click_id', of.fn.min('c.created_at').as('at')])
    .where(
      'c.click_id',
      'in',
      rows.map(({ click_id }) => click_id),
    )
    .groupBy('c.click_id')
    .execute()
  const by = new Map(sold.map(({ click_id, at }) => [click_id, at]))
  return { list: rows.map((row) => ({ ...row, sold_at: by.get(row.click_id) ?? null })), all: Number(all) }
}

/** Deposits and sales the affiliate may know of. */
function salesOf(db: DbOrTrx, affiliateId: number) {
  return db
    .selectFrom('conversion as c')
    .innerJoin('goal as g', 'g.id', 'c.goal_id')
    .where('c.affiliate_id', '=', affiliateId)
    .where('g.code', 'in', SALES)
    .where('g.hidden', '=', false)
    .where('c.status', 'not in', ['declined', 'trash'])
}
