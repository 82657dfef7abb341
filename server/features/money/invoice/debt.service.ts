import { fromUnits } from '#contract/money/amount.ts'
import { AppError } from '#server/platform/errors.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { debtsOf, namesOf, type Owing } from './debt.queries.ts'
import { written } from './tell.service.ts'

/** So many of those who owe are named. */
const NAMED = 10

/** Refuses what would leave debts, where there are any: `affiliate_owes` names who owes how much. */
export async function refuseDebts(db: DbOrTrx, debts: readonly Owing[]): Promise<void> {
  if (debts.length === 0) return
  const named = debts.slice(0, NAMED)
  const names = await namesOf(
    db,
    named.map((one) => one.affiliate_id),
  )
  const told = []
  for (const { affiliate_id, currency, owed } of named)
    told.push(`${names.get(affiliate_id) ?? affiliate_id} ${await written(db, fromUnits(owed), currency)}`)
  throw new AppError('affiliate_owes', {
    values: { debts: [...told, ...(debts.length > NAMED ? ['…'] : [])].join(', ') },
    fields: { leave_debt: 'Confirm that the debt is left to a later invoice' },
  })
}

/** Refuses to go on with an invoice whose affiliate owes beside it. Throws `affiliate_owes`. */
export async function refuseDebt(db: DbOrTrx, { affiliate_id, currency }: Omit<Owing, 'owed'>): Promise<void> {
  const debt = (await debtsOf(db, currency, [affiliate_id])).get(affiliate_id)
  if (debt !== undefined) await refuseDebts(db, [{ affiliate_id, currency, owed: debt.owed }])
}

/** Refuses to pay more of an affiliate's invoices than is owed to it with its debt taken off. Throws `affiliate_owes`. */
export async function refuseBeyondDebt(db: DbOrTrx, { affiliate_id, currency }: Omit<Owing, 'owed'>, amount: bigint): Promise<void> {
  const debt = (await debtsOf(db, currency, [affiliate_id])).get(affiliate_id)
  if (debt !== undefined && debt.payable < amount) await refuseDebts(db, [{ affiliate_id, currency, owed: debt.owed }])
}
