import { sql } from 'kysely'
import { availableTo } from '#server/features/money/ledger/available.queries.ts'
import type { Trx } from '#server/platform/pg/database.ts'

type Whose = { affiliate_id: number; currency: string }

/** Locks the open request of an affiliate in a currency; `held` where somebody decides it at this moment, for whom nobody waits. */
export async function openRequestOf(trx: Trx, whose: Whose): Promise<{ id: number; amount: string } | 'held' | undefined> {
  const open = trx.selectFrom('payout_request').where('affiliate_id', '=', whose.affiliate_id).where('currency', '=', whose.currency)
  const ofThem = open.where('state', '=', 'open').select(['id', 'amount'])
  const locked = await ofThem.forUpdate().skipLocked().executeTakeFirst()
  if (locked !== undefined) return locked
  return (await ofThem.executeTakeFirst()) === undefined ? undefined : 'held'
}

export async function settleRequest(
  trx: Trx,
  id: number,
  values: {
    state: 'accepted' | 'declined' | 'withdrawn' | 'joined'
    invoice_id?: number | null
    reason?: string
    decided_at: Date
    decided_by: number | null
  },
): Promise<void> {
  await trx.updateTable('payout_request').set(values).where('id', '=', id).execute()
}

/** Locks the request an invoice answers. */
export function answeredBy(trx: Trx, invoiceId: number) {
  const its = trx.selectFrom('payout_request').where('invoice_id', '=', invoiceId)
  return its.select(['id', 'affiliate_id', 'currency', 'amount']).forUpdate().executeTakeFirst()
}

/** Makes an accepted request what it was before it was decided. */
export async function reopen(trx: Trx, id: number): Promise<void> {
  const undecided = { state: 'open' as const, invoice_id: null, decided_at: null, decided_by: null }
  await trx.updateTable('payout_request').set(undecided).where('id', '=', id).execute()
}

/**
 * Whether its affiliate has another open one in that currency, which is of all there is then, what is `freed` at this moment included. Nobody waits for who decides that one at
 * this moment: accepted, it is of all there is.
 */
export async function joinOpenRequest(trx: Trx, { affiliate_id, currency }: Whose, freed: string): Promise<boolean> {
  const open = trx.selectFrom('payout_request').select('id').where('state', '=', 'open')
  const its = open.where('affiliate_id', '=', affiliate_id).where('currency', '=', currency)
  if ((await its.executeTakeFirst()) === undefined) return false
  await trx
    .updateTable('payout_request')
    .set({ amount: sql`${availableTo(sql`${affiliate_id}::int`, sql`${currency}`)} + ${freed}::numeric` })
    .where('id', 'in', its.forUpdate().skipLocked())
    .execute()
  return true
}
