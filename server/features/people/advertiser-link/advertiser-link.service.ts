import type { z } from 'zod'
import { MOST_ADVERTISER_LINKS, type advertiserLinkApi } from '#contract/people/advertiser-link.ts'
import type { Actor } from '#server/access/actor.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { hashToken, newToken } from '#server/platform/secret.ts'
import { getAdvertiser } from '../advertiser/advertiser.queries.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { countOpenLinks, insertLink, listLinks, lockLink, revokeLink } from './advertiser-link.queries.ts'

const DAY = 86_400_000

/** The links of an advertiser in scope. Throws `not_found`. */
export async function showLinks(db: Db, now: number, actor: Actor, uuid: string) {
  const advertiser = await getAdvertiser(db, actor.scope, uuid)
  if (advertiser === undefined) throw new AppError('not_found')
  return (await listLinks(db, advertiser.id)).map(({ revoked_at, created_at, expires_at, last_opened_at, ...link }) => ({
    ...link,
    created_at: created_at.toISOString(),
    expires_at: expires_at.toISOString(),
    last_opened_at: last_opened_at?.toISOString() ?? null,
    state: revoked_at !== null ? ('revoked' as const) : expires_at.getTime() <= now ? ('expired' as const) : ('open' as const),
  }))
}

/** Makes a link, whose token is known only to who is answered it. Throws `not_found`, `limit_reached`. */
export async function createLink(
  db: Db,
  now: number,
  actor: Actor,
  { advertiser_uuid, name, days }: z.output<typeof advertiserLinkApi.create.body>,
): Promise<{ uuid: string; token: string }> {
  return db.transaction().execute(async (trx) => {
    const advertiser = await getAdvertiser(trx, actor.scope, advertiser_uuid, true)
    if (advertiser === undefined) throw new AppError('not_found')
    if ((await countOpenLinks(trx, advertiser.id, new Date(now))) >= MOST_ADVERTISER_LINKS) throw new AppError('limit_reached')
    const token = newToken()
    const expires_at = new Date(now + days * DAY)
    const { uuid } = await insertLink(trx, {
      advertiser_id: advertiser.id,
      name,
      token_hash: hashToken(token),
      created_by: actor.accountId,
      created_at: new Date(now),
      expires_at,
    })
    const after = { name, expires_at: expires_at.toISOString() }
    await recordAudit(trx, actor, now, { action: 'create_link', entity: 'advertiser', entityId: advertiser.id, after })
    return { uuid, token }
  })
}

/** Ends a link of an advertiser in scope; one that has ended stays so. Throws `not_found`. */
export async function endLink(db: Db, now: number, actor: Actor, key: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const link = await lockLink(trx, actor.scope, key)
    if (link === undefined) throw new AppError('not_found')
    if (link.revoked_at !== null) return
    await revokeLink(trx, link.id, new Date(now))
    await recordAudit(trx, actor, now, {
      action: 'revoke_link',
      entity: 'advertiser',
      entityId: link.advertiser_id,
      after: { name: link.name },
    })
  })
}
