import type { z } from 'zod'
import type { profile, profileInput } from '#contract/people/auth.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { requireLanguage } from '#server/features/network/setting/general.service.ts'
import { findProfile, lockAccount, updateAccount } from '../account/account.queries.ts'
import { recordAudit } from '../audit/audit.service.ts'

/** The own profile: account, and what differs between staff and affiliates. */
export async function getProfile(db: Db, actor: Actor): Promise<z.input<typeof profile>> {
  const row = await findProfile(db, actor.accountId)
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
    acting:
      actor.acting === null
        ? null
        : { name: actor.name, expires_at: actor.acting.expiresAt.toISOString(), may_change: actor.acting.mayChange },
  }
}

/** Changes the own name, language and zone. Throws `invalid_input` for a language that is not offered. */
export async function updateProfile(db: Db, now: number, actor: Actor, input: z.output<typeof profileInput>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { allowed_ips: _bound, ...before } = await lockAccount(trx, actor.accountId)
    if (input.language !== before.language) await requireLanguage(trx, input.language)
    await updateAccount(trx, actor.accountId, input)
    await recordAudit(trx, actor, now, { action: 'update', entity: 'account', entityId: actor.accountId, before, after: input })
  })
}
