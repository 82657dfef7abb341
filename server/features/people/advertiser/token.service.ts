import type { KEPT_TOKEN_HOURS } from '#contract/people/advertiser.ts'
import type { Actor } from '#server/access/actor.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { newToken } from '#server/platform/secret.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { getAdvertiser, updateAdvertisers } from './advertiser.queries.ts'

type KeptHours = (typeof KEPT_TOKEN_HOURS)[number]
const HOUR = 3_600_000

/**
 * Gives an advertiser in scope a new postback token; the one before is taken for so many hours more. While an older one is taken too
 * it is refused, unless all stop at once: asked twice it would end the token that the advertiser's system still sends.
 * Throws `not_found`, `status_not_allowed`.
 */
export async function renewAdvertiserToken(db: Db, now: number, actor: Actor, key: string, hours: KeptHours) {
  return db.transaction().execute(async (trx) => {
    const advertiser = await locked(trx, actor, key)
    if (hours > 0 && isTaken(advertiser, now)) throw new AppError('status_not_allowed', { fields: { keep_hours: STILL_TAKEN } })
    const postback_token = newToken()
    const until = new Date(now + hours * HOUR)
    const previous = { previous_token: advertiser.postback_token, previous_token_until: until }
    await updateAdvertisers(trx, [advertiser.id], { postback_token, ...previous })
    const after = hours > 0 ? { previous_token_until: until.toISOString() } : undefined
    await recordAudit(trx, actor, now, { action: 'renew_token', entity: 'advertiser', entityId: advertiser.id, after })
    return { postback_token, previous_token_until: until.toISOString() }
  })
}

/** Takes the token before the present one no longer. Throws `not_found`. */
export async function endOldToken(db: Db, now: number, actor: Actor, key: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const advertiser = await locked(trx, actor, key)
    if (!isTaken(advertiser, now)) return
    await updateAdvertisers(trx, [advertiser.id], { previous_token_until: new Date(now) })
    const before = { previous_token_until: advertiser.previous_token_until?.toISOString() }
    const after = { previous_token_until: new Date(now).toISOString() }
    await recordAudit(trx, actor, now, { action: 'end_token', entity: 'advertiser', entityId: advertiser.id, before, after })
  })
}

const STILL_TAKEN = 'The token before the present one still works: end it first, or let all old ones stop at once'

async function locked(trx: Trx, actor: Actor, key: string) {
  const advertiser = await getAdvertiser(trx, actor.scope, key, true)
  if (advertiser === undefined) throw new AppError('not_found')
  return advertiser
}

function isTaken({ previous_token_until }: { previous_token_until: Date | null }, now: number): boolean {
  return previous_token_until !== null && previous_token_until.getTime() > now
}
