import type { z } from 'zod'
import type { advertiserInput, advertiserStatus } from '#contract/people/advertiser.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { newToken } from '#server/platform/secret.ts'
import { requireCurrency } from '#server/features/money/currency/currency.service.ts'
import { recordAudit } from '../audit/audit.queries.ts'
import { findManagerId } from '../manager/manager.queries.ts'
import { announce } from '#server/features/traffic/snapshot/snapshot.queries.ts'
import { getAdvertiser, haveActiveOffers, lockAdvertisers, type AdvertiserRow } from './advertiser.queries.ts'

type Input = z.output<typeof advertiserInput>

/** Makes an advertiser with a postback token of its own. Throws `unknown_reference`. */
export async function createAdvertiser(db: Db, now: number, actor: Actor, input: Input): Promise<AdvertiserRow> {
  return db.transaction().execute(async (trx) => {
    const managerId = await managerFor(trx, actor, input.manager_uuid)
    await requireCurrency(trx, input.currency)
    const { id } = await trx
      .insertInto('advertiser')
      .values({ ...columnsOf(input, managerId), postback_token: newToken(), created_at: new Date(now) })
      .returning('id')
      .executeTakeFirstOrThrow()
    await recordAudit(trx, actor, now, { action: 'create', entity: 'advertiser', entityId: id, after: input })
    return reread(trx, id)
  })
}

/** Changes an advertiser in scope. Throws `not_found`, `unknown_reference`, `reference_in_use`. */
export async function updateAdvertiser(db: Db, now: number, actor: Actor, key: string, input: Input): Promise<AdvertiserRow> {
  return db.transaction().execute(async (trx) => {
    const before = await getAdvertiser(trx, actor.scope, key, true)
    if (before === undefined) throw new AppError('not_found')
    if (input.status === 'deleted' && before.status !== 'deleted') await refuseInUse(trx, [before.id])
    // keeping the manager an advertiser has is always allowed, even one who has left
    const managerId = input.manager_uuid === before.manager_uuid ? before.manager_id : await managerFor(trx, actor, input.manager_uuid)
    await requireCurrency(trx, input.currency)
    await trx.updateTable('advertiser').set(columnsOf(input, managerId)).where('id', '=', before.id).execute()
    await recordAudit(trx, actor, now, { action: 'update', entity: 'advertiser', entityId: before.id, before, after: input })
    await announce(trx, 'advertiser', [before.id])
    return reread(trx, before.id)
  })
}

/** Gives advertisers in scope one status; those outside of it are passed over. Throws `reference_in_use`. Answers how many changed. */
export async function changeAdvertiserStatus(
  db: Db,
  now: number,
  actor: Actor,
  uuids: string[],
  status: z.output<typeof advertiserStatus>,
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const changing = await lockAdvertisers(trx, actor.scope, uuids, status)
    const ids = changing.map((advertiser) => advertiser.id)
    if (status === 'deleted') await refuseInUse(trx, ids)
    if (ids.length > 0) await trx.updateTable('advertiser').set({ status }).where('id', 'in', ids).execute()
    for (const advertiser of changing) {
      await recordAudit(trx, actor, now, {
        action: 'set_status',
        entity: 'advertiser',
        entityId: advertiser.id,
        before: { status: advertiser.status },
        after: { status },
      })
    }
    await announce(trx, 'advertiser', ids)
    return changing.length
  })
}

/** Gives an advertiser in scope a new postback token; the old one stops working at once. */
export async function renewAdvertiserToken(db: Db, now: number, actor: Actor, key: string): Promise<string> {
  return db.transaction().execute(async (trx) => {
    const advertiser = await getAdvertiser(trx, actor.scope, key, true)
    if (advertiser === undefined) throw new AppError('not_found')
    const token = newToken()
    await trx.updateTable('advertiser').set({ postback_token: token }).where('id', '=', advertiser.id).execute()
    await recordAudit(trx, actor, now, { action: 'renew_token', entity: 'advertiser', entityId: advertiser.id })
    return token
  })
}

async function refuseInUse(trx: DbOrTrx, ids: number[]): Promise<void> {
  if (await haveActiveOffers(trx, ids)) throw new AppError('reference_in_use', { fields: { status: 'Pause the active offers first' } })
}

/** The manager chosen; none means oneself for those who see only their own, so that nobody loses sight of what they make. */
async function managerFor(db: DbOrTrx, actor: Actor, uuid: string | null): Promise<number | null> {
  if (uuid === null) return actor.scope.kind === 'managers' ? actor.managerId : null
  const managerId = await findManagerId(db, actor.scope, uuid)
  if (managerId === undefined) throw new AppError('unknown_reference', { fields: { manager_uuid: 'Choose a manager of yours' } })
  return managerId
}

/** The row just written, whoever may see it from now on. */
async function reread(trx: DbOrTrx, id: number): Promise<AdvertiserRow> {
  const row = await getAdvertiser(trx, { kind: 'all' }, String(id))
  if (row === undefined) throw new AppError('not_found')
  return row
}

function columnsOf(input: Input, managerId: number | null) {
  return {
    name: input.name,
    email: input.email,
    status: input.status,
    manager_id: managerId,
    company: JSON.stringify(input.company),
    contacts: JSON.stringify(input.contacts),
    allowed_ips: input.allowed_ips,
    currency: input.currency,
    notes: input.notes,
  }
}
