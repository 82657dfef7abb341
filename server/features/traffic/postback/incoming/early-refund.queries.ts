import { sql } from 'kysely'
import type { DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { lockIdentities } from '../../conversion/conversion-row.queries.ts'

/** As long as an order is not booked: these are the reasons its refunds are kept with. */
const EARLY = sql<boolean>`p.outcome = 'refused' and p.reason in ('refund_early', 'not_ours') and p.transaction_id <> ''`
/** The refunds among them, of orders of whoever is asked for, that nobody has put aside. */
const isOf = (advertiserId: unknown) =>
  sql<boolean>`(p.parsed -> 'refund' -> 'of' @> to_jsonb(${advertiserId}::int) and not p.stranger and p.dismissed_at is null)`

/** Lets a refund and the booking of its order come one after the other. Before all locks but that of the line. */
export function lockOrder(trx: Trx, order: string): Promise<void> {
  return lockIdentities(trx, [`refunds of ${order}`])
}

/** The refunds of an order that were told before it was booked, oldest first; none that somebody else applies just now. */
export function claimEarlyRefunds(trx: Trx, advertiserId: number, order: string) {
  return trx
    .selectFrom('postback_in as p')
    .select(['p.id', 'p.parsed'])
    .where(EARLY)
    .where('p.transaction_id', '=', order)
    .where(isOf(advertiserId))
    .orderBy('p.id')
    .limit(200)
    .forUpdate()
    .skipLocked()
    .execute()
}

/**
 * Refunds whose order is booked by now, in whichever way, with its advertiser: those that wait for it, and those whose shop had said that
 * nobody of ours brought it. `ids`: only these.
 */
export async function listBookedSince(db: DbOrTrx, ids: readonly string[] | null, most: number) {
  const { rows } = await sql<{ advertiser_id: number; order: string }>`
    select distinct c.advertiser_id, p.transaction_id as "order"
      from postback_in p
      join conversion c on lower(c.transaction_id) = lower(p.transaction_id) and c.transaction_id = p.transaction_id
     where ${EARLY} and p.parsed -> 'refund' is not null and ${isOf(sql.ref('c.advertiser_id'))}
       and ${ids === null ? sql`true` : sql`p.id = any(${[...ids]}::bigint[])`}
     limit ${most}`.execute(db)
  return rows
}

/** Whether the shop of an advertiser has told of an order that nobody of ours brought. */
export async function isNobodys(db: DbOrTrx, advertiserId: number, order: string): Promise<boolean> {
  const row = await db
    .selectFrom('postback_in as p')
    .select('p.id')
    .where(EARLY)
    .where('p.transaction_id', '=', order)
    .where('p.advertiser_id', '=', advertiserId)
    .where(sql<boolean>`p.reason = 'not_ours' and p.parsed -> 'refund' is null`)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Lets the refunds of an order wait no longer: nobody of ours brought it. */
export async function letGo(db: DbOrTrx, advertiserId: number, order: string): Promise<void> {
  await db
    .updateTable('postback_in as p')
    .set({ reason: 'not_ours' })
    .where(EARLY)
    .where('p.reason', '=', 'refund_early')
    .where('p.transaction_id', '=', order)
    .where('p.advertiser_id', '=', advertiserId)
    .execute()
}

/** Notes whose the order of a refund is, now that it is known. */
export async function nameRefund(
  trx: Trx,
  id: string,
  { click_id, offer_id, affiliate_id, advertiser_id }: { click_id: string; offer_id: number; affiliate_id: number; advertiser_id: number },
): Promise<void> {
  await trx
    .updateTable('postback_in')
    .set({
      click_id,
      offer_id,
      affiliate_id,
      advertiser_id,
      parsed: sql`parsed || jsonb_build_object('click_id', ${click_id}::text)`,
    })
    .where('id', '=', id)
    .execute()
}
