import { currencyOf, isAmountOf, isEarned } from './postback-names.ts'

type Named = { name: string; value: string }
type Said = Named & { kind: string }

/** The currency of the amount that counts; '' = none is given, null = nobody can say which. */
export function currencyAmong(given: readonly Named[], said: readonly Said[]): string | null {
  const values = (some: readonly Named[]) => [...new Set(some.map(({ value }) => value))]
  const [only = '', ...others] = values(given)
  const amounts = said.filter(({ kind }) => kind === 'amount')
  if (others.length === 0) return isOfEarningsAlone(given, amounts) ? null : only
  const own = amounts.map(({ name }) => values(given.filter((one) => isAmountOf(name, currencyOf(one.name)))))
  const [first = null] = own[0] ?? []
  return own.every((one) => one.length === 1 && one[0] === first) ? first : null
}

/** Whether currencies are named of what a sale brought (`payout_currency`), while the sale is another amount: that may well be in its own. */
function isOfEarningsAlone(given: readonly Named[], amounts: readonly Named[]): boolean {
  const owners = given.map(({ name }) => currencyOf(name))
  if (owners.length === 0 || !owners.every((owner) => owner !== '' && isEarned(owner))) return false
  const owned = amounts.filter(({ name }) => owners.some((owner) => isAmountOf(name, owner)))
  return owned.length > 0 && amounts.some(({ name, value }) => !isEarned(name) && owned.every((one) => one.value !== value))
}
