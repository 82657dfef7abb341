import type { z } from 'zod'
import { MOST_KEYS, type ApiKey, type apiKeyInput } from '#contract/people/api-key.ts'
import { KEY_SCOPES } from '#contract/people/key-scope.ts'
import type { Actor } from '#server/access/actor.ts'
import { scopesFor } from '#server/access/key-rights.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import type { Sealer } from '#server/platform/seal.ts'
import { hashToken } from '#server/platform/secret.ts'
import { findPasswordHash, findSigningIn } from '../account/account.queries.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { checkPassword } from '../auth/check-password.service.ts'
import { refuseBeyond } from '../auth/limit.service.ts'
import { tellOwner, type ToldFrom } from '../auth/tell-owner.service.ts'
import { forgiveAttempts } from '../auth/throttle.service.ts'
import { takeCode } from '../second-factor/code.service.ts'
import { findPerson } from '../second-factor/second-factor.service.ts'
import { countKeys, findKeyOwner, insertKey, listKeys, listOffersOf, listOwnLeadOffers, revokeKey } from './api-key.queries.ts'
import { lockKeys } from './end.service.ts'
import { newKey } from './key-actor.service.ts'

const DAY = 86_400_000
/** Keys that have ended are shown for so long. */
const SHOWN_FOR = 30 * DAY
const HINT = 4

/** The keys of an account as they are shown. */
export async function keysOf(db: DbOrTrx, now: number, accountId: number): Promise<ApiKey[]> {
  const rows = await listKeys(db, accountId, new Date(now), new Date(now - SHOWN_FOR))
  const offers = await listOffersOf(db, [...new Set(rows.flatMap(({ offer_ids }) => offer_ids))])
  return rows.map(({ revoked_at, created_at, expires_at, last_used_at, scopes, offer_ids, ...row }) => ({
    ...row,
    offers: offers.filter(({ id }) => offer_ids.includes(id)),
    scopes: KEY_SCOPES.filter((scope) => scopes.includes(scope)),
    created_at: created_at.toISOString(),
    expires_at: expires_at?.toISOString() ?? null,
    last_used_at: last_used_at?.toISOString() ?? null,
    state: revoked_at !== null ? 'revoked' : expires_at !== null && expires_at.getTime() <= now ? 'expired' : 'active',
  }))
}

/**
 * Makes a key of one's own, answers it this once and tells its owner by mail. Throws `wrong_password`, `wrong_code`,
 * `invalid_input` at scopes one has no use for, `limit_reached`, `too_many_attempts`.
 */
export async function makeKey(
  db: Db,
  secrets: Sealer,
  now: number,
  actor: Actor,
  { name, scopes, offer_uuids, allowed_ips, days, password, code }: z.output<typeof apiKeyInput>,
  from: ToldFrom,
): Promise<{ key: string; uuid: string }> {
  const offered = scopesFor(actor.role)
  if (!scopes.every((scope) => offered.includes(scope))) throw new AppError('invalid_input', { fields: { scopes: NOT_YOURS } })
  const bound = actor.affiliateId === null ? [] : await listOwnLeadOffers(db, actor.affiliateId, offer_uuids)
  if (bound.length < new Set(offer_uuids).size) throw new AppError('invalid_input', { fields: { offer_uuids: NO_OFFER } })
  const { password_hash: known } = await findPasswordHash(db, actor.accountId)
  await checkPassword(db, now, actor, password, 'password')
  await refuseBeyond(db, now, 'api_key', String(actor.accountId))
  const key = newKey()
  return db.transaction().execute(async (trx) => {
    const { second_factor_since: factor = null } = (await findSigningIn(trx, actor.accountId)) ?? {}
    if (factor !== null) await takeCode(trx, secrets, now, actor.accountId, code)
    await forgiveAttempts(trx, { id: actor.accountId, email: actor.email }, actor.address, now)
    await lockKeys(trx, actor.accountId)
    // another password may have been set meanwhile, which ended the keys
    if ((await findPasswordHash(trx, actor.accountId)).password_hash !== known)
      throw new AppError('wrong_password', { fields: { password: 'This is not your current password' } })
    if ((await countKeys(trx, actor.accountId, new Date(now))) >= MOST_KEYS) throw new AppError('limit_reached')
    const expires_at = days === null ? null : new Date(now + days * DAY)
    const { id, uuid } = await insertKey(trx, {
      account_id: actor.accountId,
      name,
      token_hash: hashToken(key),
      hint: key.slice(-HINT),
      scopes,
      offer_ids: bound.map(({ id }) => id),
      allowed_ips,
      created_at: new Date(now),
      expires_at,
    })
    const after = { name, scopes, allowed_ips, expires_at, ...(bound.length > 0 && { offer_uuids: bound.map(({ uuid: of }) => of) }) }
    await recordAudit(trx, actor, now, { action: 'create', entity: 'api_key', entityId: id, after })
    await tellOwner(trx, now, actor.accountId, from, { event: 'api_key_made', values: { key: name } })
    return { key, uuid }
  })
}

const NOT_YOURS = 'Choose among the scopes your role has'
const NO_OFFER = 'Choose API offers you have access to'

/** Ends one of the own keys at once. Throws `not_found`. */
export async function revokeOwn(db: Db, now: number, actor: Actor, uuid: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const key = await findKeyOwner(trx, uuid)
    if (key === undefined || key.account_id !== actor.accountId) throw new AppError('not_found')
    await end(trx, now, actor, key.id)
  })
}

/** Ends a key of somebody whose sign-in one looks after. Throws `not_found`. */
export async function revokeOfOther(db: Db, now: number, actor: Actor, uuid: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const key = await findKeyOwner(trx, uuid)
    if (key === undefined) throw new AppError('not_found')
    await findPerson(trx, actor, key.owner)
    await end(trx, now, actor, key.id)
  })
}

/** Asked twice, it is ended and logged once. */
async function end(trx: DbOrTrx, now: number, actor: Actor, id: number): Promise<void> {
  if (await revokeKey(trx, id, actor.accountId, new Date(now)))
    await recordAudit(trx, actor, now, { action: 'revoke', entity: 'api_key', entityId: id })
}
