import type { z } from 'zod'
import type { profile, profileInput } from '#contract/people/auth.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { recordAudit } from '../audit/audit.queries.ts'

/** The own profile: account, and what differs between staff and affiliates. */
export async function getProfile(db: Db, actor: Actor): Promise<z.input<typeof profile>> {
  const row = await db
    .selectFrom('account as a')
    .leftJoin('affiliate as f', 'f.account_id', 'a.id')
    .select(['a.uuid', 'a.email', 'a.role', 'a.name', 'a.language', 'a.time_zone', 'f.currency', 'f.country'])
    .where('a.id', '=', actor.accountId)
    .executeTakeFirstOrThrow()
  return {
    uuid: row.uuid,
    email: row.email,
    user_role: row.role,
    type: row.role === 'affiliate' ? 'affiliate' : 'manager',
    name: row.name,
    language: row.language,
    time_zone: row.time_zone,
    currency: row.currency ?? 'USD',
    country: row.country,
    acting: actor.acting === null ? null : { name: actor.name, expires_at: actor.acting.expiresAt.toISOString() },
  }
}

/** Changes the own name, language and zone. */
export async function updateProfile(db: Db, now: number, actor: Actor, input: z.output<typeof profileInput>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const before = await trx
      .selectFrom('account')
      .select(['name', 'language', 'time_zone'])
      .where('id', '=', actor.accountId)
      .forUpdate()
      .executeTakeFirstOrThrow()
    await trx.updateTable('account').set(input).where('id', '=', actor.accountId).execute()
    await recordAudit(trx, actor, now, { action: 'update', entity: 'account', entityId: actor.accountId, before, after: input })
  })
}
