import { z } from 'zod'
import { type affiliateApi, affiliateFields, affiliateInput, affiliateStatus, type affiliateUpdate } from '#contract/people/affiliate.ts'
import { valuesOf } from '#contract/shape.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { refuseTakenExternalId } from '#server/platform/pg/external-id.ts'
import { pickFields } from '#server/platform/pg/fields.ts'
import { refuseStale } from '#server/platform/pg/version.ts'
import { requireCurrency } from '#server/features/money/currency/currency.service.ts'
import { changeAccount, createAccount, managerFor, renewPasswordLink, type HandedOver, type LinkWay } from '../account/account.service.ts'
import { tellAssigned } from '../assignment/assignment.queries.ts'
import { lastOwn, recordAudit, statusChanges } from '../audit/audit.service.ts'
import { tellDecision, untellDecision, type Post } from '../application/decision.service.ts'
import { phoneOf } from './phone.ts'
import { deleteAllSessions } from '../auth/session.queries.ts'
import { tellAffiliates, tellStaff, untellAffiliates } from '#server/features/network/notification/tell.queries.ts'
import { announce } from '#server/features/traffic/snapshot/snapshot.queries.ts'
import { getAffiliate, insertAffiliate, lockAffiliates, updateAffiliates, type AffiliateRow } from './affiliate.queries.ts'

type Input = z.output<typeof affiliateInput>
type Made = { uuid: string; id: number } & HandedOver

/** Makes an affiliate with its account; answers its ids and what became of its set-password link; without a way there is none. Throws `email_taken`, `unknown_reference`, `invalid_input`. */
export async function createAffiliate(db: Db, now: number, actor: Actor, input: Input, way: LinkWay | null): Promise<Made> {
  return db.transaction().execute(async (trx) => {
    const made = await makeAffiliate(trx, now, actor, input, way)
    await tellStaff(trx, now, [{ kind: 'affiliate_registered', affiliateId: made.id, status: input.status }], toldOf(actor))
    return made
  })
}

/** The same within a transaction, of which nobody is told by the bell. */
export async function makeAffiliate(trx: Trx, now: number, actor: Actor, said: Input, way: LinkWay | null): Promise<Made> {
  const input = { ...said, phone: phoneOf(said.phone) }
  const manager_id = await managerFor(trx, actor, input.manager_uuid)
  await requireCurrency(trx, input.currency)
  await refuseTakenExternalId(trx, 'affiliate', input.external_id, null)
  const account = await createAccount(trx, now, actor, 'affiliate', input, way)
  const fields = pickFields(input, affiliateFields)
  const { id } = await insertAffiliate(trx, { ...fields, manager_id, account_id: account.id, created_at: new Date(now) })
  await recordAudit(trx, actor, now, { action: 'create', entity: 'affiliate', entityId: id, after: input })
  await announce(trx, 'affiliate', [id])
  return { uuid: account.uuid, id, link: account.link, mailed: account.mailed }
}

/** Changes an affiliate in scope. Throws `not_found`, `conflict`, `email_taken`, `unknown_reference`, `invalid_input`. */
export async function updateAffiliate(
  db: Db,
  now: number,
  actor: Actor,
  key: string,
  { version, ...said }: z.output<typeof affiliateUpdate>,
): Promise<AffiliateRow> {
  return db.transaction().execute(async (trx) => {
    const before = await getAffiliate(trx, actor.scope, key, true)
    if (before === undefined) throw new AppError('not_found')
    refuseStale(before, version)
    const input = { ...said, phone: phoneOf(said.phone, before.phone) }
    const manager_id = await managerFor(trx, actor, input.manager_uuid, before)
    if (input.currency !== before.currency) await requireCurrency(trx, input.currency)
    await refuseTakenExternalId(trx, 'affiliate', input.external_id, before)
    await changeAccount(trx, actor, before, input)
    await updateAffiliates(trx, [before.id], { ...pickFields(input, affiliateFields), manager_id })
    const change = { before: valuesOf(affiliateInput, before), after: input }
    await recordAudit(trx, actor, now, { action: 'update', entity: 'affiliate', entityId: before.id, ...change })
    if (manager_id !== null && manager_id !== before.manager_id)
      await tellAssigned(trx, now, { managerId: manager_id, kind: 'affiliate', count: 1, but: actor.accountId })
    await announce(trx, 'affiliate', [before.id])
    const after = await getAffiliate(trx, { kind: 'all' }, String(before.id))
    if (after === undefined) throw new AppError('not_found')
    return after
  })
}

/** Gives affiliates in scope one status; those outside of it are passed over. Who is no longer active is signed out, who signed up is told by mail. Throws `invalid_input` for a rejection without a reason. Answers how many changed. */
export async function changeAffiliateStatus(
  db: Db,
  now: number,
  actor: Actor,
  { reason, ...change }: z.output<typeof affiliateApi.setStatus.body>,
  post: Post,
): Promise<number> {
  const { status } = change
  // who is turned down is told why, one as many
  if (status === 'rejected' && reason === '') throw new AppError('invalid_input', { fields: { reason: 'Required' } })
  return db.transaction().execute(async (trx) => {
    const changing = await lockAffiliates(trx, actor.scope, change)
    const ids = changing.map(({ id }) => id)
    await updateAffiliates(trx, ids, { status })
    if (status !== 'active')
      await deleteAllSessions(
        trx,
        changing.map(({ account_id }) => account_id),
      )
    await tellDecision(trx, now, post, changing, { status, reason })
    const notices = ids.map((id) => ({ kind: 'affiliate_status' as const, affiliateId: id, status, reason }))
    await tellStaff(trx, now, notices, toldOf(actor))
    await tellAffiliates(trx, now, notices)
    await recordAudit(trx, actor, now, statusChanges('affiliate', changing, status))
    await announce(trx, 'affiliate', ids)
    return ids.length
  })
}

/**
 * Gives affiliates in scope the status they had before the actor gave them this one; those about which anything was changed since stay.
 * Who is not active then is signed out. Throws `conflict` where none is left. Answers how many changed.
 */
export async function undoAffiliateStatus(
  db: Db,
  now: number,
  actor: Actor,
  { uuids, status }: z.output<typeof affiliateApi.undo.body>,
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const locked = await lockAffiliates(trx, actor.scope, { uuids })
    const asked = locked.filter((one) => one.status === status)
    const back = await lastOwn(trx, actor, 'affiliate', asked, { action: 'set_status', before: statusBefore })
    if (locked.length > 0 && back.length === 0) throw new AppError('conflict')
    for (const [earlier, those] of Map.groupBy(back, (one) => one.earlier))
      await updateAffiliates(
        trx,
        those.map(({ id }) => id),
        { status: earlier },
      )
    await deleteAllSessions(
      trx,
      back.flatMap(({ account_id, earlier }) => (earlier === 'active' ? [] : account_id)),
    )
    await untellAffiliates(trx, back)
    await untellDecision(trx, back)
    const changes = back.map(({ id, earlier }) => ({ before: { status }, after: { status: earlier }, entityId: id }))
    await recordAudit(
      trx,
      actor,
      now,
      changes.map((change) => ({ ...change, action: 'undo', entity: 'affiliate' })),
    )
    await announce(
      trx,
      'affiliate',
      back.map(({ id }) => id),
    )
    return back.length
  })
}

const statusBefore = z.object({ status: affiliateStatus }).transform(({ status }) => status)

/** Staff who hear of the affiliate. */
function toldOf(actor: Actor) {
  return { side: 'affiliate', permission: 'affiliate.write', but: actor.accountId } as const
}

/** Makes a fresh set-password link for an affiliate in scope; the one before stops working. Throws `not_found`, `link_for_admins`. */
export async function renewAffiliateLink(
  db: Db,
  now: number,
  actor: Actor,
  key: string,
  how: { way: LinkWay; show: boolean },
): Promise<HandedOver> {
  return db
    .transaction()
    .execute(async (trx) => renewPasswordLink(trx, now, actor, 'affiliate', await getAffiliate(trx, actor.scope, key), how))
}

/** The number of an affiliate somebody may choose in `affiliate_uuid`. Throws `unknown_reference`. */
export async function ownAffiliate(db: DbOrTrx, { scope }: Actor, key: string): Promise<number> {
  const affiliate = await getAffiliate(db, scope, key)
  if (affiliate === undefined) throw new AppError('unknown_reference', { fields: { affiliate_uuid: 'Choose an affiliate of yours' } })
  return affiliate.id
}
