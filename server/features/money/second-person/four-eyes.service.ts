import { can, STAFF_ROLES, type Permission } from '#contract/access.ts'
import { toUnits, type Currency } from '#contract/money/amount.ts'
import { billingSetting } from '#contract/money/billing.ts'
import { scaleOfCurrency } from '#server/features/money/currency/currency.service.ts'
import { convertAmount } from '#server/features/money/currency/rate.service.ts'
import { getGeneralSettings, getSetting } from '#server/features/network/setting/setting.queries.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { inOneHand } from '#server/rules/second-person.ts'
import { approversSince, tiesSince } from './second-person.queries.ts'

const DAY = 86_400_000

/** What somebody would do alone. */
type Asked = {
  amount: string
  currency: Currency
  permission: Permission
  actorId: number
  besides?: readonly { amount: string; currency: Currency }[]
  /** So many times the limit. */
  times?: bigint
  /** Which limit: what advertisers paid has its own. */
  limit?: 'four_eyes_limit' | 'receipt_limit'
}
/** Who made what is to be decided; null: the network itself. */
type Makers = readonly (number | null)[]

/**
 * Whether somebody else than who made something has to approve or release it: where the network asks for it, from its limit on, and
 * while there is somebody else who may. What cannot be counted in the base currency counts as above the limit. Rates
 * that `actorId`, who would do it alone, or whoever may be the same person has set within a day do not count: nobody makes an amount small for themselves. `besides` is what
 * counts with it, in any currencies.
 */
export async function needsFourEyes(
  db: DbOrTrx,
  now: number,
  { amount, currency, permission, actorId, besides = [], times = 1n, limit = 'four_eyes_limit' }: Asked,
): Promise<boolean> {
  const { four_eyes, [limit]: from } = await getSetting(db, billingSetting)
  if (!four_eyes || !(await hasSomebodyElse(db, now, permission))) return false
  if (toUnits(from) === 0n) return true
  const { base_currency } = await getGeneralSettings(db)
  const to = { currency: base_currency, scale: await scaleOfCurrency(db, base_currency) }
  const without = { accountIds: await inHandOf(db, now, permission, actorId), since: new Date(now - DAY) }
  let sum = 0n
  for (const one of [{ amount, currency }, ...besides]) {
    const inBase = await convertAmount(db, one.amount, one.currency, to, { at: now, without })
    if (inBase === null) return true
    sum += toUnits(inBase)
  }
  return sum >= toUnits(from) * times
}

/**
 * The same for what others made: it is their own too for whoever may be the same person as one of `makers`, because one had the other's
 * account in hand within a month. Nobody is a second person beside themselves.
 */
export async function isAlone(db: DbOrTrx, now: number, makers: Makers, asked: Asked): Promise<boolean> {
  if (makers.every((maker) => maker === null) || !(await needsFourEyes(db, now, asked))) return false
  return isSameHand(db, now, makers, asked)
}

/** Whether who would decide may be the same person as one of those who made it, or is one of them. */
export async function isSameHand(
  db: DbOrTrx,
  now: number,
  makers: Makers,
  { permission, actorId }: Pick<Asked, 'permission' | 'actorId'>,
): Promise<boolean> {
  return makers.includes(actorId) || (await handsOf(db, now, permission)).same(makers, actorId)
}

/** Refuses what somebody else has to do, by the names of who may: whoever is told so need not ask around. Where nobody may, it says the way out. */
export async function refuseAlone(
  db: DbOrTrx,
  now: number,
  asked: Pick<Asked, 'permission' | 'actorId'>,
  makers: Makers = [],
): Promise<never> {
  const who = await whoElse(db, now, asked, makers)
  // of two people one made it and the other edited it: neither may, and nobody is left to be asked
  throw who.length === 0 ? new AppError('four_eyes_nobody') : new AppError('four_eyes', { values: { who: who.join(', ') } })
}

/** Who may do what somebody else made, or what they would do alone: three by name, and how many more. */
export async function whoElse(
  db: DbOrTrx,
  now: number,
  { permission, actorId }: Pick<Asked, 'permission' | 'actorId'>,
  makers: Makers = [],
): Promise<string[]> {
  const { approvers, same } = await handsOf(db, now, permission)
  const told = makers.some((maker) => maker !== null) ? makers : [actorId]
  const may = approvers.filter(({ id, active }) => active && id !== actorId && !same(told, id))
  const names = may.slice(0, 3).map(({ name }) => name)
  const more = may.length > names.length ? [`+${may.length - names.length}`] : []
  return [...names, ...more]
}

/**
 * Whether several people may do something: one alone cannot be told to let somebody else do it. Who could within two days still counts:
 * nobody gets others out of the way for an hour.
 */
export async function hasSomebodyElse(db: DbOrTrx, now: number, permission: Permission): Promise<boolean> {
  return (await approversSince(db, rolesWith(permission), new Date(now - 2 * DAY))).length > 1
}

/** Who may do something, and who of all people may be one and the same. */
export async function handsOf(db: DbOrTrx, now: number, permission: Permission) {
  const approvers = await approversSince(db, rolesWith(permission), new Date(now - 2 * DAY))
  const ties = await tiesSince(db, new Date(now - 30 * DAY))
  const ids = approvers.map(({ id }) => id)
  const same = (makers: Makers, actorId: number) => makers.some((maker) => maker !== null && inOneHand(ids, ties, maker, actorId))
  return { approvers, same }
}

/** An account, and those that may be the same person. */
async function inHandOf(db: DbOrTrx, now: number, permission: Permission, actorId: number): Promise<number[]> {
  const { approvers, same } = await handsOf(db, now, permission)
  return [actorId, ...approvers.map(({ id }) => id).filter((id) => id !== actorId && same([id], actorId))]
}

function rolesWith(permission: Permission) {
  return STAFF_ROLES.filter((role) => can(role, permission))
}
