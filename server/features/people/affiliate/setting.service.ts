import { affiliateSetting, type AffiliateSettings } from '#contract/people/affiliate-setting.ts'
import { requireCurrency } from '#server/features/money/currency/currency.service.ts'
import { getSetting } from '#server/features/network/setting/setting.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import { findManagerId } from '../manager/manager.queries.ts'
import { nextManager } from './affiliate.queries.ts'

/** Refuses what the shape of the settings cannot tell: a currency nobody may choose, a manager who is none. Throws `invalid_input`, `unknown_reference`. */
export async function checkAffiliates(trx: Trx, { manager, manager_uuid, currency }: AffiliateSettings): Promise<void> {
  await requireCurrency(trx, currency, 'currency')
  if (manager === 'one' && (manager_uuid === null || (await findManagerId(trx, { kind: 'all' }, manager_uuid)) === undefined))
    throw new AppError('invalid_input', { fields: { manager_uuid: 'Choose a manager who works here' } })
}

/** Whose affiliate somebody who signed up becomes, as the settings say, and the currency of who named none. One who has left looks after nobody. `alone` = nobody brought them. */
export async function givenToNew(trx: Trx, alone: boolean): Promise<{ managerId: number | null; currency: AffiliateSettings['currency'] }> {
  const { manager, manager_uuid, currency } = await getSetting(trx, affiliateSetting)
  const one = manager === 'one' && manager_uuid !== null ? await findManagerId(trx, { kind: 'all' }, manager_uuid) : undefined
  return { managerId: alone && manager === 'in_turn' ? await nextManager(trx) : (one ?? null), currency }
}
