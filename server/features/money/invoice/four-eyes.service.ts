import { can, STAFF_ROLES, type Permission } from '#contract/access.ts'
import { toUnits, type Currency } from '#contract/money/amount.ts'
import { billingSetting } from '#contract/money/billing.ts'
import { scaleOfCurrency } from '#server/features/money/currency/currency.service.ts'
import { convertAmount } from '#server/features/money/currency/rate.service.ts'
import { getGeneralSettings, getSetting } from '#server/features/network/setting/setting.queries.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { countActive, othersActive } from './invoice.queries.ts'

const DAY = 86_400_000

/**
 * Whether somebody else than who made something has to approve or release it: where the network asks for it, from its limit on, and
 * while there is somebody else who may. What cannot be counted in the base currency counts as above the limit. Rates
 * that `actorId`, who would do it alone, has set within a day do not count: nobody makes an amount small for themselves. `besides` is what
 * counts with it, in any currencies.
 */
export async function needsFourEyes(
  db: DbOrTrx,
  now: number,
  {
    amount,
    currency,
    permission,
    actorId,
    besides = [],
  }: {
    amount: string
    currency: Currency
    permission: Permission
    actorId: number
    besides?: readonly { amount: string; currency: Currency }[]
  },
): Promise<boolean> {
  const { four_eyes, four_eyes_limit } = await getSetting(db, billingSetting)
  if (!four_eyes || !(await hasSomebodyElse(db, permission))) return false
  if (toUnits(four_eyes_limit) === 0n) return true
  const { base_currency } = await getGeneralSettings(db)
  const to = { currency: base_currency, scale: await scaleOfCurrency(db, base_currency) }
  const without = { accountId: actorId, since: new Date(now - DAY) }
  let sum = 0n
  for (const one of [{ amount, currency }, ...besides]) {
    const inBase = await convertAmount(db, one.amount, one.currency, to, { at: now, without })
    if (inBase === null) return true
    sum += toUnits(inBase)
  }
  return sum >= toUnits(four_eyes_limit)
}

/** Refuses what somebody else has to do, by the names of who may: whoever is told so need not ask around. */
export async function refuseAlone(db: DbOrTrx, permission: Permission, actorId: number): Promise<never> {
  const { names, people } = await othersActive(db, rolesWith(permission), actorId)
  const more = people > names.length ? [`+${people - names.length}`] : []
  throw new AppError('four_eyes', { values: { who: [...names, ...more].join(', ') || '–' } })
}

/** Whether several people may do something: one alone cannot be told to let somebody else do it. */
export async function hasSomebodyElse(db: DbOrTrx, permission: Permission): Promise<boolean> {
  return (await countActive(db, rolesWith(permission))) > 1
}

function rolesWith(permission: Permission) {
  return STAFF_ROLES.filter((role) => can(role, permission))
}
