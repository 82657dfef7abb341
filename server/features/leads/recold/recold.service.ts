import { randomInt } from 'node:crypto'
import type { z } from 'zod'
import { recoldFields, type recoldApi, type recoldInput, type RecoldDetail, type RecoldStatus } from '#contract/leads/recold.ts'
import { toUnits } from '#contract/money/amount.ts'
import type { Actor } from '#server/access/actor.ts'
import type { Scope } from '#server/access/scope.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { pickFields } from '#server/platform/pg/fields.ts'
import { refuseStale } from '#server/platform/pg/version.ts'
import { scheduleFrom } from '#server/rules/lead/cold/template.ts'
import { ensureHouse } from './house.service.ts'
import { endWaiting, restoreCapped, retryFailed, unplan } from './item.queries.ts'
import { standingOf } from './plan.service.ts'
import { forecastOf, previewRecold, type Asked } from './preview.service.ts'
import { projectRecold } from './projection.service.ts'
import { presentDetail } from './recold.present.ts'
import { countItems, getRecold, insertRecold, readEarned, updateRecold, type RecoldFound } from './recold.queries.ts'
import { releaseItems } from './run.queries.ts'
import { isRunning } from '#server/rules/offer/is-running.ts'
import { advertisersInScope, findList, findOffer, listProductsOf, listTargets } from './target.queries.ts'

type Input = z.output<typeof recoldInput>
export type RecoldParts = { db: Db; secretKey: string | null }
const SETTINGS = { ...recoldFields }

/** One distribution in scope as it was set up. Throws `not_found`. */
export async function showRecold(db: DbOrTrx, scope: Scope, key: string): Promise<RecoldDetail> {
  return presentFound(db, await findOrThrow(db, scope, key))
}

async function presentFound(db: DbOrTrx, row: RecoldFound): Promise<RecoldDetail> {
  const [counts, earned, products] = await Promise.all([
    countItems(db, [row.id]),
    readEarned(db, [row.id]),
    listProductsOf(db, row.product_ids),
  ])
  return presentDetail(
    row,
    counts.get(row.id),
    earned,
    products.map(({ uuid, id, name }) => ({ uuid, id, name })),
  )
}

/** What a distribution as its form stands would do. Throws `unknown_reference`. */
export async function previewInput({ db, secretKey }: RecoldParts, now: number, actor: Actor, input: Omit<Input, 'title'>) {
  const { list, offer, productIds } = await readReferences(db, actor.scope, input)
  return previewRecold({ db, secretKey }, now, actor.scope, { ...input, list, offer, productIds, team: teamOf(actor.scope), seed: '1' })
}

/** Makes a draft. Throws `unknown_reference`. */
export function createRecold({ db }: RecoldParts, now: number, actor: Actor, input: Input): Promise<RecoldDetail> {
  return db.transaction().execute(async (trx) => {
    const { list, offer, productIds } = await readReferences(trx, actor.scope, input)
    const fields = pickFields(input, SETTINGS)
    const at = new Date(now)
    const made = await insertRecold(trx, {
      ...storedOf(fields),
      list_id: list.id,
      offer_id: offer.id,
      product_ids: productIds,
      manager_id: actor.managerId ?? list.manager_id,
      team: teamOf(actor.scope),
      affiliate_id: await ensureHouse(trx, now),
      seed: String(randomInt(2 ** 47)),
      created_by: actor.accountId,
      created_at: at,
      updated_at: at,
    })
    const after = { ...fields, list: list.name, offer: offer.title, products: productIds }
    await recordAudit(trx, actor, now, { action: 'create', entity: 'recold', entityId: made.id, after })
    return showRecold(trx, actor.scope, made.uuid)
  })
}

/** Changes a draft or one that is paused: who waits is planned by the new rules. Throws `not_found`, `conflict`, `status_not_allowed`, `unknown_reference`. */
export function updateRecoldInput(
  { db }: RecoldParts,
  now: number,
  actor: Actor,
  key: string,
  { version, ...input }: Input & { version: number },
) {
  return db.transaction().execute(async (trx) => {
    const before = await findOrThrow(trx, actor.scope, key, true)
    refuseStale(before, version)
    allow(before, ['draft', 'paused'])
    const { list, offer, productIds } = await readReferences(trx, actor.scope, input, before)
    if (before.started_at !== null && list.id !== before.list_id)
      throw new AppError('invalid_input', { fields: { list_uuid: 'People of the list are on their way: make another distribution' } })
    // what was promised for people who are sent is what is paid when money comes of them, weeks later
    if (before.started_at !== null && !isSamePayout(input, before))
      throw new AppError('invalid_input', { fields: { payout: 'People were sent on these terms: make another distribution' } })
    const fields = pickFields(input, SETTINGS)
    await updateRecold(trx, before.id, {
      ...storedOf(fields),
      list_id: list.id,
      offer_id: offer.id,
      product_ids: productIds,
      updated_at: new Date(now),
    })
    await recordAudit(trx, actor, now, {
      action: 'update',
      entity: 'recold',
      entityId: before.id,
      before: { ...pickFields(before, SETTINGS), list: before.list_title, offer: before.offer_title, products: before.product_ids },
      after: { ...fields, list: list.name, offer: offer.title, products: productIds },
    })
    return showRecold(trx, actor.scope, before.uuid)
  })
}

/** Starts a draft. Throws `recold_not_ready` with what keeps it, `status_not_allowed`. */
export function startRecold(parts: RecoldParts, now: number, actor: Actor, key: string): Promise<RecoldDetail> {
  return changeStatus(parts.db, now, actor, key, ['draft'], 'active', async (trx, row) => {
    const asked = await askedOf(trx, row)
    const { forecast, planned: people, targets, finish } = await readiness({ db: trx, secretKey: parts.secretKey }, now, asked)
    const projection = await projectRecold(trx, now, actor.scope, { ...asked, people, targets })
    const at = new Date(now)
    return {
      started_at: at,
      resumed_at: at,
      pause_reason: '',
      planned_end: finish,
      forecast: JSON.stringify(forecast),
      projection: JSON.stringify(projection),
    }
  })
}

export function pauseRecold({ db }: RecoldParts, now: number, actor: Actor, key: string): Promise<RecoldDetail> {
  return changeStatus(db, now, actor, key, ['active'], 'paused', async (trx, row) => {
    await unplan(trx, row.id)
    return { pause_reason: 'by_hand' }
  })
}

/** Lets a paused one go on, planned anew. Throws `recold_not_ready`, `status_not_allowed`. */
export function resumeRecold(
  parts: RecoldParts,
  now: number,
  actor: Actor,
  key: string,
  caps: 'continue' | 'from_now',
): Promise<RecoldDetail> {
  return changeStatus(parts.db, now, actor, key, ['paused'], 'active', async (trx, row) => {
    const asked = await askedOf(trx, row)
    if (!isRunning(asked.offer, now)) throw notReady('offer_uuid', 'The offer does not take leads')
    await refuseEnded(asked, now)
    await restoreCapped(trx, row.id)
    await releaseItems(trx, row.id, null)
    const left = { ...row, rests_until: null, ...(caps === 'from_now' && { caps_from: new Date(now) }) }
    const goesOn = { id: row.id, standing: await standingOf(trx, left, null, now) }
    const { forecast, finish } = await forecastOf({ db: trx, secretKey: parts.secretKey }, now, asked, goesOn)
    const first = forecast[0]?.hour ?? ''
    const kept = row.forecast.filter(({ hour }) => first === '' || hour < first)
    return {
      pause_reason: '',
      resumed_at: new Date(now),
      rests_until: null,
      planned_end: finish,
      forecast: JSON.stringify([...kept, ...forecast].slice(-1500)),
      ...(caps === 'from_now' && { caps_from: new Date(now) }),
    }
  })
}

/** Ends it at once. Throws `status_not_allowed`. */
export function endRecold({ db }: RecoldParts, now: number, actor: Actor, key: string): Promise<RecoldDetail> {
  return changeStatus(db, now, actor, key, ['active', 'paused'], 'done', async (trx, row) => {
    await endWaiting(trx, row.id, null, 'cancelled', new Date(now))
    return { finished_at: new Date(now), pause_reason: '' }
  })
}

/** Puts it away; its figures stay. */
export function deleteRecold({ db }: RecoldParts, now: number, actor: Actor, key: string): Promise<RecoldDetail> {
  return changeStatus(db, now, actor, key, ['draft', 'active', 'paused', 'done'], 'deleted', async (trx, row) => {
    await endWaiting(trx, row.id, null, 'cancelled', new Date(now))
    return { finished_at: row.finished_at ?? new Date(now), pause_reason: '' }
  })
}

/** Makes a draft of the same settings, with an order of its own. Throws `not_found`, `unknown_reference`. */
export async function duplicateRecold(parts: RecoldParts, now: number, actor: Actor, key: string): Promise<RecoldDetail> {
  const row = await findOrThrow(parts.db, actor.scope, key)
  const products = await listProductsOf(parts.db, row.product_ids)
  return createRecold(parts, now, actor, {
    ...pickFields(row, SETTINGS),
    title: `${row.title.slice(0, 95)} (2)`,
    schedule: scheduleFrom(row.schedule, now),
    list_uuid: row.list_uuid,
    offer_uuid: row.offer_uuid,
    product_uuids: products.map(({ uuid }) => uuid),
  })
}

/** Tries failed people again, passes over or cancels those who wait. Answers how many. Throws `not_found`, `status_not_allowed`. */
export function decideItems(
  { db }: RecoldParts,
  now: number,
  actor: Actor,
  key: string,
  { uuids, action }: z.output<typeof recoldApi.decide.body>,
): Promise<{ changed: number }> {
  return db.transaction().execute(async (trx) => {
    const row = await findOrThrow(trx, actor.scope, key, true)
    allow(row, ['active', 'paused'])
    const changed =
      action === 'retry'
        ? await retryFailed(trx, row.id, uuids)
        : await endWaiting(trx, row.id, uuids, action === 'skip' ? 'skipped' : 'cancelled', new Date(now))
    if (changed > 0) {
      await recordAudit(trx, actor, now, { action: `${action}_people`, entity: 'recold', entityId: row.id, after: { people: changed } })
      await updateRecold(trx, row.id, { updated_at: new Date(now) })
    }
    return { changed }
  })
}

type Changed = Parameters<typeof updateRecold>[2]

function changeStatus(
  db: Db,
  now: number,
  actor: Actor,
  key: string,
  from: readonly RecoldStatus[],
  status: RecoldStatus,
  follow: (trx: Trx, row: RecoldFound) => Promise<Changed>,
): Promise<RecoldDetail> {
  return db.transaction().execute(async (trx) => {
    const row = await findOrThrow(trx, actor.scope, key, true)
    if (row.status === status) return presentFound(trx, row)
    allow(row, from)
    const values = await follow(trx, row)
    await updateRecold(trx, row.id, { ...values, status, updated_at: new Date(now) })
    await recordAudit(trx, actor, now, {
      action: 'set_status',
      entity: 'recold',
      entityId: row.id,
      before: { status: row.status },
      after: { status },
    })
    return showRecold(trx, actor.scope, row.uuid)
  })
}

export async function findOrThrow(db: DbOrTrx, scope: Scope, key: string, lock = false): Promise<RecoldFound> {
  const row = await getRecold(db, scope, key, lock)
  if (row === undefined) throw new AppError('not_found')
  return row
}

export function allow({ status }: Pick<RecoldFound, 'status'>, from: readonly RecoldStatus[]): void {
  if (!from.includes(status)) throw new AppError('status_not_allowed')
}

/** Whose affiliates' people somebody may send; null = everybody's. */
function teamOf(scope: Scope): number[] | null {
  return scope.kind === 'managers' ? [...scope.managerIds] : null
}

async function readReferences(
  db: DbOrTrx,
  scope: Scope,
  input: Pick<Input, 'list_uuid' | 'offer_uuid' | 'product_uuids'>,
  before?: RecoldFound,
) {
  const list = await findList(db, scope, input.list_uuid)
  if (list === undefined) throw new AppError('unknown_reference', { fields: { list_uuid: 'Choose a list' } })
  const offer = await findOffer(db, { uuid: input.offer_uuid })
  if (offer === undefined) throw new AppError('unknown_reference', { fields: { offer_uuid: 'Choose an API offer' } })
  const targets = await listTargets(db, offer.id, [])
  const seen = await advertisersInScope(db, scope, [...new Set(targets.map(({ advertiserId }) => advertiserId))])
  // what was chosen before by somebody who sees more stays
  const open = targets.filter(({ advertiserId, productId }) => seen.has(advertiserId) || before?.product_ids.includes(productId) === true)
  const products = await listProductsOf(db, [...new Set(open.map(({ productId }) => productId))])
  const productIds = input.product_uuids.map((uuid) => products.find((product) => product.uuid === uuid)?.id)
  if (productIds.some((id) => id === undefined))
    throw new AppError('unknown_reference', { fields: { product_uuids: 'Choose products of this offer' } })
  return { list, offer, productIds: [...new Set(productIds.flatMap((id) => id ?? []))] }
}

type Payout = Pick<RecoldFound, 'payout' | 'payout_amount'>

function isSamePayout(one: Payout, other: Payout): boolean {
  const amountOf = ({ payout, payout_amount: amount }: Payout) => (payout === 'fixed' ? toUnits(amount ?? '0') : 0n)
  return one.payout === other.payout && amountOf(one) === amountOf(other)
}

/** Settings as they are stored. */
export function storedOf({
  title,
  payout,
  payout_amount,
  schedule,
  pacing,
  data,
  skip,
}: Pick<Input, 'title' | 'payout' | 'payout_amount' | 'schedule' | 'pacing' | 'data' | 'skip'>) {
  return {
    title,
    payout,
    payout_amount: payout === 'fixed' ? payout_amount : null,
    schedule: JSON.stringify(schedule),
    pacing: JSON.stringify(pacing),
    data: JSON.stringify(data),
    skip: JSON.stringify(skip),
  }
}

async function askedOf(trx: Trx, row: RecoldFound): Promise<Asked> {
  const offer = await findOffer(trx, { id: row.offer_id })
  if (offer === undefined) throw notReady('offer_uuid', 'Choose an API offer')
  return { ...row, list: { id: row.list_id }, offer, productIds: row.product_ids }
}

/** What keeps a draft from being started, by the field it is about; else its plan by the hour. */
async function readiness(parts: { db: Trx; secretKey: string | null }, now: number, asked: Asked) {
  const { starts_at } = asked.schedule
  if (!isRunning(asked.offer, now)) throw notReady('offer_uuid', 'The offer does not take leads')
  // a minute for who thinks it over
  if (starts_at !== null && Date.parse(starts_at) < now - 60_000) throw notReady('schedule.starts_at', 'This moment is past')
  await refuseEnded(asked, now)
  const targets = await listTargets(parts.db, asked.offer.id, asked.productIds)
  if (targets.length === 0) throw notReady('product_uuids', 'Nobody takes leads of this offer: choose another, or other products')
  if (!targets.some(({ tested }) => tested))
    throw notReady('product_uuids', 'None of these products was tested as it is now: send a test lead first')
  if (!targets.some(({ tested, on }) => tested && on))
    throw notReady('product_uuids', 'All of these products are paused, or of advertisers without credit')
  const planned = await forecastOf(parts, now, asked)
  if (planned.sendable.length === 0) throw notReady('list_uuid', 'Nobody of this list may be sent: see why in the preview')
  if (planned.forecast.length === 0 && planned.end === 'targets_closed')
    throw notReady('product_uuids', 'These products are closed or full for all of them, and do not open by themselves')
  if (planned.forecast.length === 0)
    throw notReady('schedule.hours', 'Nobody would ever be sent: open windows, and look at dates and limits')
  return planned
}

async function refuseEnded({ schedule }: Asked, now: number): Promise<void> {
  if (schedule.ends_at !== null && Date.parse(schedule.ends_at) <= now) throw notReady('schedule.ends_at', 'This moment is past')
}

function notReady(field: string, text: string): AppError {
  return new AppError('recold_not_ready', { fields: { [field]: text } })
}
