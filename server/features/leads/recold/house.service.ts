import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { insertAccount } from '#server/features/people/account/account.queries.ts'
import { insertAffiliate } from '#server/features/people/affiliate/affiliate.queries.ts'
import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'
import { announce } from '#server/features/traffic/snapshot/snapshot.queries.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import { lockName } from '#server/platform/pg/lock.ts'
import { findHouse } from './house.queries.ts'

/** The network's own affiliate, under whom cold leads register where nobody else is named; made when it is needed first. Nobody signs in as it. */
export async function ensureHouse(trx: Trx, now: number): Promise<number> {
  const known = await findHouse(trx)
  if (known !== undefined) return known
  await lockName(trx, 'house affiliate')
  const made = await findHouse(trx)
  if (made !== undefined) return made
  const { base_currency, language, time_zone } = await getGeneralSettings(trx)
  const created_at = new Date(now)
  // an address of a domain that cannot be: no letter is delivered, and it has no password
  const named = { email: 'cold-leads@house.invalid', name: 'Cold leads' }
  const account = await insertAccount(trx, { role: 'affiliate', ...named, language, time_zone, created_at })
  const { id } = await insertAffiliate(trx, { account_id: account.id, status: 'active', currency: base_currency, house: true, created_at })
  await recordAudit(trx, null, now, { action: 'create', entity: 'affiliate', entityId: id, after: { name: named.name, house: true } })
  await announce(trx, 'affiliate', [id])
  return id
}
