import { AppError } from '#server/platform/errors.ts'
import type { Actor } from '#server/access/actor.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { refuseStale } from '#server/platform/pg/version.ts'
import { lockOwnPostback, setKeys } from './own.queries.ts'
import { newSigningKey, postbackSealer } from './request.service.ts'

const HOUR = 3_600_000
type Parts = { db: Db; secretKey: string | null }
type Which = { affiliateId: number; uuid: string; version: number }

/** Gives a postback a new key and answers it; the one before signs beside it for `keepHours`. Throws `not_found`, `conflict`, `invalid_input`. */
export async function signPostback(
  { db, secretKey }: Parts,
  now: number,
  actor: Actor,
  { affiliateId, uuid, version }: Which,
  keepHours: number,
): Promise<string> {
  const key = newSigningKey()
  await db.transaction().execute(async (trx) => {
    const before = await lockOwnPostback(trx, affiliateId, uuid)
    if (before === undefined) throw new AppError('not_found')
    refuseStale(before, version)
    if (before.method !== 'POST') throw new AppError('invalid_input', { fields: { method: 'Only POST can be signed' } })
    const keeps = before.signing_secret !== null && keepHours > 0
    await setKeys(trx, before.id, {
      signing_secret: postbackSealer(secretKey).seal(key),
      signing_secret_before: keeps ? before.signing_secret : null,
      signing_before_until: keeps ? new Date(now + keepHours * HOUR) : null,
    })
    const after = { signing_secret: 'new', keep_hours: keepHours }
    await recordAudit(trx, actor, now, { action: 'sign', entity: 'affiliate_postback', entityId: before.id, after })
  })
  return key
}

/** Forgets the keys of a postback. Throws `not_found`, `conflict`. */
export async function unsignPostback(db: Db, now: number, actor: Actor, { affiliateId, uuid, version }: Which): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const before = await lockOwnPostback(trx, affiliateId, uuid)
    if (before === undefined) throw new AppError('not_found')
    refuseStale(before, version)
    await setKeys(trx, before.id, { signing_secret: null, signing_secret_before: null, signing_before_until: null })
    await recordAudit(trx, actor, now, { action: 'unsign', entity: 'affiliate_postback', entityId: before.id })
  })
}
