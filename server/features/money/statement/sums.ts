import { accountType, type AccountKind } from '#contract/money/account.ts'
import { fromUnits, toUnits } from '#contract/money/amount.ts'
import type { StatementSum } from '#contract/money/statement.ts'

/** One account of a statement. */
export type Account = {
  currency: string
  account: AccountKind
  opening: string
  events: { event: string; entries: number; amount: string }[]
  closing: string
}
/** By these money leaves for an affiliate, and comes back. */
const PAYING: ReadonlySet<string> = new Set(['payment_settled', 'payment_returned'])

/** What all accounts of a currency come to: before, earned, paid, after. What is not decided yet is no money, what was paid in advance takes off. */
export function sumsOf(accounts: readonly Account[]): StatementSum[] {
  const counted = accounts.filter(({ account }) => accountType(account).memo === undefined)
  return [...Map.groupBy(counted, ({ currency }) => currency)].map(([currency, those]) => {
    const sum = (of: (one: Account) => bigint) =>
      those.reduce((all, one) => all + (accountType(one.account).side === 'credit' ? of(one) : -of(one)), 0n)
    const [opening, closing] = [sum((one) => toUnits(one.opening)), sum((one) => toUnits(one.closing))]
    const paid = -sum(({ events }) => events.reduce((all, one) => all + (PAYING.has(one.event) ? toUnits(one.amount) : 0n), 0n))
    return {
      currency,
      opening: fromUnits(opening),
      earned: fromUnits(closing - opening + paid),
      paid: fromUnits(paid),
      closing: fromUnits(closing),
    }
  })
}
