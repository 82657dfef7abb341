import type { z } from 'zod'
import { type advertiserApi, advertiserFields, advertiserInput, type advertiserUpdate } from '#contract/people/advertiser.ts'
import { vatIdMistake } from '#contract/people/vat-id.ts'
import { valuesOf } from '#contract/shape.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { pickFields } from '#server/platform/pg/fields.ts'
import { refuseStale } from '#server/platform/pg/version.ts'
import { newToken } from '#server/platform/secret.ts'
import { requireCurrency } from '#server/features/money/currency/currency.service.ts'
import { managerFor } from '../account/account.service.ts'
import { tellAssigned } from '../assignment/assignment.queries.ts'
import { recordAudit, statusChanges } from '../audit/audit.service.ts'
import { announce } from '#server/features/traffic/snapshot/snapshot.queries.ts'
import {
  getAdvertiser,
  haveActiveOffers,
  insertAdvertiser,
  lockAdvertisers,
  updateAdvertisers,
  type AdvertiserRow,
} from './advertiser.queries.ts'

/** Makes an advertiser with a postback token of its own. Throws `unknown_reference`, `invalid_input`. */
export async function createAdvertiser(db: Db, now: number, actor: Actor, input: z.output<typeof advertiserInput>): Promise<AdvertiserRow> {
  return db.transaction().execute(async (trx) => reread(trx, await makeAdvertiser(trx, now, actor, input)))
}

/** The same within a transaction; answers its number. */
export async function makeAdvertiser(trx: Trx, now: number, actor: Actor, input: z.output<typeof advertiserInput>): Promise<number> {
  const manager_id = await managerFor(trx, actor, input.manager_uuid)
  await requireCurrency(trx, input.currency)
  refuseVatId(input.company)
  const fields = columnsFrom(input)
  const { id } = await insertAdvertiser(trx, { ...fields, manager_id, postback_token: newToken(), created_at: new Date(now) })
  await recordAudit(trx, actor, now, { action: 'create', entity: 'advertiser', entityId: id, after: input })
  return id
}

/** Changes an advertiser in scope. Throws `not_found`, `conflict`, `unknown_reference`, `reference_in_use`, `invalid_input`. */
export async function updateAdvertiser(
  db: Db,
  now: number,
  actor: Actor,
  key: string,
  { version, ...input }: z.output<typeof advertiserUpdate>,
): Promise<AdvertiserRow> {
  return db.transaction().execute(async (trx) => {
    const before = await getAdvertiser(trx, actor.scope, key, true)
    if (before === undefined) throw new AppError('not_found')
    refuseStale(before, version)
    if (input.status === 'deleted' && before.status !== 'deleted') await refuseInUse(trx, [before.id])
    const manager_id = await managerFor(trx, actor, input.manager_uuid, before)
    if (input.currency !== before.currency) await requireCurrency(trx, input.currency)
    // what was stored before anybody checked stays as long as nobody changes it
    if (input.company.vat_id !== before.company.vat_id || input.company.country !== before.company.country) refuseVatId(input.company)
    await updateAdvertisers(trx, [before.id], { ...columnsFrom(input), manager_id })
    const change = { before: valuesOf(advertiserInput, before), after: input }
    await recordAudit(trx, actor, now, { action: 'update', entity: 'advertiser', entityId: before.id, ...change })
    if (manager_id !== null && manager_id !== before.manager_id)
      await tellAssigned(trx, now, { managerId: manager_id, kind: 'advertiser', count: 1, but: actor.accountId })
    await announce(trx, 'advertiser', [before.id])
    return reread(trx, before.id)
  })
}

/** Gives advertisers in scope one status; those outside of it are passed over. Throws `reference_in_use`. Answers how many changed. */
export async function changeAdvertiserStatus(
  db: Db,
  now: number,
  actor: Actor,
  change: z.output<typeof advertiserApi.setStatus.body>,
): Promise<number> {
  const { status } = change
  return db.transaction().execute(async (trx) => {
    const changing = await lockAdvertisers(trx, actor.scope, change)
    const ids = changing.map(({ id }) => id)
    if (status === 'deleted') await refuseInUse(trx, ids)
    await updateAdvertisers(trx, ids, { status })
    await recordAudit(trx, actor, now, statusChanges('advertiser', changing, status))
    await announce(trx, 'advertiser', ids)
    return ids.length
  })
}

async function refuseInUse(trx: DbOrTrx, ids: number[]): Promise<void> {
  if (await haveActiveOffers(trx, ids)) throw new AppError('reference_in_use', { fields: { status: 'Pause the active offers first' } })
}

/** Throws `invalid_input` where the VAT id is none of the company's country. */
function refuseVatId({ vat_id, country }: z.output<typeof advertiserInput>['company']): void {
  const like = vatIdMistake(vat_id, country)
  if (like !== undefined) throw new AppError('invalid_input', { fields: { 'company.vat_id': `VAT ids of this country look like ${like}` } })
}

/** The columns of a form. Throws `invalid_input` where what authorises and the list do not go together: a list nobody asks is no protection. */
function columnsFrom(input: Omit<z.output<typeof advertiserUpdate>, 'version'>) {
  const isListed = input.allowed_ips.length > 0
  if (input.postback_auth === 'token' && isListed)
    throw new AppError('invalid_input', { fields: { postback_auth: 'With addresses on the list, choose what they are for' } })
  if (input.postback_auth !== 'token' && !isListed)
    throw new AppError('invalid_input', { fields: { allowed_ips: 'Name at least one address or network' } })
  return { ...pickFields(input, advertiserFields), postback_words: JSON.stringify(input.postback_words) }
}

/** The row just written, whoever may see it from now on. */
async function reread(trx: DbOrTrx, id: number): Promise<AdvertiserRow> {
  const row = await getAdvertiser(trx, { kind: 'all' }, String(id))
  if (row === undefined) throw new AppError('not_found')
  return row
}
