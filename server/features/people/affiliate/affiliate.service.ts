import type { z } from 'zod'
import type { affiliateInput, affiliateStatus } from '#contract/people/affiliate.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { violates } from '#server/platform/pg/violates.ts'
import { requireCurrency } from '#server/features/money/currency/currency.service.ts'
import { recordAudit } from '../audit/audit.queries.ts'
import { createLink } from '../auth/link.queries.ts'
import { findManagerId } from '../manager/manager.queries.ts'
import { announce } from '#server/features/traffic/snapshot/snapshot.queries.ts'
import { findAffiliateAccount, getAffiliate, setAffiliateStatus, type AffiliateRow } from './affiliate.queries.ts'

type Input = z.output<typeof affiliateInput>

/** Makes an affiliate with its account; answers its ids and the token of its set-password link. Throws `email_taken`, `unknown_reference`. */
export async function createAffiliate(
  db: Db,
  now: number,
  actor: Actor,
  input: Input,
): Promise<{ uuid: string; id: number; token: string }> {
  return refuseTakenEmail(() =>
    db.transaction().execute(async (trx) => {
      const managerId = await managerFor(trx, actor, input.manager_uuid)
      await requireCurrency(trx, input.currency)
      const account = await trx
        .insertInto('account')
        .values({ role: 'affiliate', email: input.email, name: input.name, time_zone: input.time_zone, created_at: new Date(now) })
        .returning(['id', 'uuid'])
        .executeTakeFirstOrThrow()
      const affiliate = await trx
        .insertInto('affiliate')
        .values({ account_id: account.id, created_at: new Date(now), ...columnsOf(input, managerId) })
        .returning('id')
        .executeTakeFirstOrThrow()
      const token = await createLink(trx, now, 'set_password', account.id)
      await recordAudit(trx, actor, now, { action: 'create', entity: 'affiliate', entityId: affiliate.id, after: input })
      await announce(trx, 'affiliate', [affiliate.id])
      return { uuid: account.uuid, id: affiliate.id, token }
    }),
  )
}

/** Changes an affiliate in scope. Throws `not_found`, `email_taken`, `unknown_reference`. */
export async function updateAffiliate(db: Db, now: number, actor: Actor, key: string, input: Input): Promise<AffiliateRow> {
  return refuseTakenEmail(() =>
    db.transaction().execute(async (trx) => {
      const before = await getAffiliate(trx, actor.scope, key, true)
      if (before === undefined) throw new AppError('not_found')
      // keeping the manager an affiliate has is always allowed, even one who has left
      const managerId = input.manager_uuid === before.manager_uuid ? before.manager_id : await managerFor(trx, actor, input.manager_uuid)
      await requireCurrency(trx, input.currency)
      await trx
        .updateTable('account')
        .set({ email: input.email, name: input.name, time_zone: input.time_zone })
        .where('id', '=', before.account_id)
        .execute()
      await trx.updateTable('affiliate').set(columnsOf(input, managerId)).where('id', '=', before.id).execute()
      await recordAudit(trx, actor, now, { action: 'update', entity: 'affiliate', entityId: before.id, before, after: input })
      await announce(trx, 'affiliate', [before.id])
      const after = await getAffiliate(trx, { kind: 'all' }, key)
      if (after === undefined) throw new AppError('not_found')
      return after
    }),
  )
}

/** Gives affiliates in scope one status; those outside of it are passed over. Answers how many changed. */
export async function changeAffiliateStatus(
  db: Db,
  now: number,
  actor: Actor,
  uuids: string[],
  status: z.output<typeof affiliateStatus>,
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const changed = await setAffiliateStatus(trx, actor.scope, uuids, status)
    for (const affiliate of changed) {
      await recordAudit(trx, actor, now, {
        action: 'set_status',
        entity: 'affiliate',
        entityId: affiliate.id,
        before: { status: affiliate.status },
        after: { status },
      })
    }
    await announce(
      trx,
      'affiliate',
      changed.map((affiliate) => affiliate.id),
    )
    return changed.length
  })
}

/** Makes a fresh set-password link for an affiliate in scope; the one before stops working. */
export async function renewPasswordLink(db: Db, now: number, actor: Actor, key: string): Promise<string> {
  return db.transaction().execute(async (trx) => {
    const affiliate = await findAffiliateAccount(trx, actor.scope, key)
    if (affiliate === undefined) throw new AppError('not_found')
    await recordAudit(trx, actor, now, { action: 'password_link', entity: 'affiliate', entityId: affiliate.affiliateId })
    return createLink(trx, now, 'set_password', affiliate.accountId)
  })
}

/** The manager chosen; none means oneself for those who see only their own, so that nobody loses sight of what they make. */
async function managerFor(db: DbOrTrx, actor: Actor, uuid: string | null): Promise<number | null> {
  if (uuid === null) return actor.scope.kind === 'managers' ? actor.managerId : null
  const managerId = await findManagerId(db, actor.scope, uuid)
  if (managerId === undefined) throw new AppError('unknown_reference', { fields: { manager_uuid: 'Choose a manager of yours' } })
  return managerId
}

function columnsOf(input: Input, managerId: number | null) {
  return {
    status: input.status,
    manager_id: managerId,
    country: input.country,
    phone: input.phone,
    contacts: JSON.stringify(input.contacts),
    tags: input.tags,
    notes: input.notes,
    traffic_sources: input.traffic_sources,
    verticals: input.verticals,
    geos: input.geos,
    currency: input.currency,
  }
}

async function refuseTakenEmail<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (violates(error, 'account_email_key')) throw new AppError('email_taken', { fields: { email: 'This e-mail is already in use' } })
    throw error
  }
}
