import { securitySetting } from '#contract/people/security.ts'
import type { Actor } from '#server/access/actor.ts'
import { getSetting } from '#server/features/network/setting/setting.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { sameJson } from '#server/platform/same-json.ts'
import { findSigningIn, lockAccount, updateAccount } from '../account/account.queries.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { isOutside } from '../auth/session.service.ts'
import { findPerson } from '../second-factor/second-factor.service.ts'

/** From where somebody one manages may sign in and work. Throws `not_found`, also for affiliates, who may from anywhere. */
export async function allowListOf(db: DbOrTrx, actor: Actor, uuid: string) {
  const person = await findStaff(db, actor, uuid)
  const account = await findSigningIn(db, person.accountId)
  return {
    allowed_ips: account?.allowed_ips ?? [],
    of_role: (await getSetting(db, securitySetting)).allowed_ips[person.role],
    own_address: actor.address,
  }
}

/**
 * Changes it, where it is still what the form was filled from. Nobody locks themself out: the own list has to hold the own
 * address. Throws `not_found`, `conflict`, `invalid_input`.
 */
export async function saveAllowList(
  db: Db,
  now: number,
  actor: Actor,
  uuid: string,
  { allowed_ips, before }: { allowed_ips: string[]; before: string[] },
) {
  return db.transaction().execute(async (trx) => {
    const { accountId, entity, id, role } = await findStaff(trx, actor, uuid)
    const stored = (await lockAccount(trx, accountId)).allowed_ips
    if (!sameJson(stored, before)) throw new AppError('conflict')
    const ofRoles = (await getSetting(trx, securitySetting)).allowed_ips
    if (accountId === actor.accountId && isOutside(actor.address, { role, allowed_ips }, ofRoles))
      throw new AppError('invalid_input', { fields: { allowed_ips: 'Your own address is not on it: you would lock yourself out' } })
    await updateAccount(trx, accountId, { allowed_ips })
    const change = { before: { allowed_ips: stored }, after: { allowed_ips } }
    await recordAudit(trx, actor, now, { action: 'allow_list', entity, entityId: id, ...change })
    return allowListOf(trx, actor, uuid)
  })
}

async function findStaff(db: DbOrTrx, actor: Actor, uuid: string) {
  const person = await findPerson(db, actor, uuid)
  if (person.role === 'affiliate') throw new AppError('not_found')
  return person
}
