import type { z } from 'zod'
import type { ownPostbackInput } from '#contract/traffic/own-postback.ts'
import type { SentHeader } from '#contract/traffic/postback-message.ts'
import { AppError } from '#server/platform/errors.ts'
import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'
import { affiliateOf, type Actor } from '#server/access/actor.ts'
import { checkTarget, type OutboundPolicy } from '#server/platform/outbound/target.ts'
import { insertRows } from '#server/platform/pg/bulk.ts'
import type { Db, DbOrTrx } from '#server/platform/pg/database.ts'
import { refuseStale } from '#server/platform/pg/version.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { readMessage } from '#server/rules/conversion/postback-message.ts'
import { postbackValues } from '#server/rules/conversion/postback-values.ts'
import { hostOf } from '../conversion/delivery.service.ts'
import { dropDeliveries, holdDeliveries, listLatestStates, replayDeliveries, resumeDeliveries } from './delivery.queries.ts'
import { sampleValues } from './lab.service.ts'
import { headerOf, noHeaders, openHeaders, postbackSealer } from './request.service.ts'
import {
  countOwnPostbacks,
  findPartnerOfferId,
  insertOwnPostback,
  listOwnPostbacks,
  lockOwnPostback,
  setStatus,
  updateOwnPostback,
  type OwnPostbackRow,
} from './own.queries.ts'

type Input = z.output<typeof ownPostbackInput>
type Kept = Omit<Input, 'headers'> & { headers: SentHeader[]; sealed_headers: Buffer | null }
type Parts = { db: Db; policy: OutboundPolicy; secretKey: string | null }

const MOST_POSTBACKS = 200

/** Makes a postback of the affiliate. Throws `invalid_input` with what is wrong with the address, body or headers, `unknown_reference`. */
export async function createOwnPostback(
  parts: Parts,
  now: number,
  actor: Actor,
  affiliateId: number,
  input: Input,
): Promise<OwnPostbackRow> {
  const form = normalised(input)
  const kept = sealedForm(parts.secretKey, form, null)
  await refuseBad(kept, parts.policy)
  return parts.db.transaction().execute(async (trx) => {
    const offerId = await offerFor(trx, affiliateId, form)
    if ((await countOwnPostbacks(trx, affiliateId)) >= MOST_POSTBACKS)
      throw new AppError('invalid_input', { fields: { url: `At most ${MOST_POSTBACKS} postbacks` } })
    const { uuid, id } = await insertOwnPostback(trx, now, affiliateId, offerId, kept)
    await recordAudit(trx, actor, now, { action: 'create', entity: 'affiliate_postback', entityId: id, after: logged(kept, form) })
    return found(trx, affiliateId, uuid)
  })
}

/** Changes a postback; what was queued before goes out as it was. Throws like `createOwnPostback`, `not_found`, `conflict`. */
export async function changeOwnPostback(
  parts: Parts,
  now: number,
  actor: Actor,
  affiliateId: number,
  uuid: string,
  { version, ...input }: Input & { version: number },
): Promise<OwnPostbackRow> {
  const form = normalised(input)
  return parts.db.transaction().execute(async (trx) => {
    const before = await lockOwnPostback(trx, affiliateId, uuid)
    if (before === undefined) throw new AppError('not_found')
    refuseStale(before, version)
    const kept = sealedForm(parts.secretKey, form, before)
    await refuseBad(kept, parts.policy)
    // the offer it is for may stay, for the clicks from before the affiliate was blocked
    const offerId = form.offer_uuid === before.offer_uuid ? before.offer_id : await offerFor(trx, affiliateId, form)
    await updateOwnPostback(trx, before.id, offerId, kept)
    const change = { before: { ...before, goal: before.goal_code }, after: logged(kept, form) }
    await recordAudit(trx, actor, now, { action: 'update', entity: 'affiliate_postback', entityId: before.id, ...change })
    return found(trx, affiliateId, uuid)
  })
}

/** Pauses a postback and holds what waits, or resumes it and sends what was held. Throws `not_found`. */
export async function setOwnPostbackStatus(
  db: Db,
  now: number,
  actor: Actor,
  affiliateId: number,
  uuid: string,
  status: 'active' | 'paused',
): Promise<OwnPostbackRow> {
  return db.transaction().execute(async (trx) => {
    const before = await lockOwnPostback(trx, affiliateId, uuid)
    if (before === undefined) throw new AppError('not_found')
    await setStatus(trx, before.id, status)
    if (status === 'active') await resumeDeliveries(trx, before.id, now)
    else await holdDeliveries(trx, before.id)
    await recordAudit(trx, actor, now, {
      action: 'set_status',
      entity: 'affiliate_postback',
      entityId: before.id,
      before: { status: before.status },
      after: { status },
    })
    return found(trx, affiliateId, uuid)
  })
}

/** Removes a postback; its deliveries stay in the log, what was not sent is dead. Throws `not_found`. */
export async function removeOwnPostback(db: Db, now: number, actor: Actor, affiliateId: number, uuid: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const before = await lockOwnPostback(trx, affiliateId, uuid)
    if (before === undefined) throw new AppError('not_found')
    await setStatus(trx, before.id, 'deleted')
    await dropDeliveries(trx, before.id, now)
    await recordAudit(trx, actor, now, { action: 'remove', entity: 'affiliate_postback', entityId: before.id, before: { url: before.url } })
  })
}

/** Queues deliveries of the affiliate again, as they were; answers how many. */
export function replayOwnDeliveries(db: Db, now: number, actor: Actor, uuids: string[]): Promise<number> {
  const affiliateId = affiliateOf(actor)
  return db.transaction().execute(async (trx) => {
    const replayed = await replayDeliveries(trx, now, { affiliateId, uuids })
    const after = { deliveries: uuids, replayed }
    await recordAudit(trx, actor, now, { action: 'replay', entity: 'affiliate', entityId: affiliateId, after })
    return replayed
  })
}

/**
 * Queues the present state of conversions for one postback of the affiliate, also those from before it was made.
 * Those of other affiliates are passed over. Throws `not_found`.
 */
export async function backfillDeliveries(
  db: Db,
  now: number,
  affiliateId: number,
  input: { postback_uuid: string; conversion_uuids: readonly string[] },
): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const postback = await lockOwnPostback(trx, affiliateId, input.postback_uuid)
    if (postback === undefined) throw new AppError('not_found')
    const rows = await listLatestStates(trx, affiliateId, postback.id, input.conversion_uuids)
    const { write } = readMessage(postback)
    const settings = await getGeneralSettings(trx)
    const deliveries = rows.map((row) => {
      const message = write(
        postbackValues(
          row,
          { offer: row.offer_title, goal: row.goal_title, goalCode: row.goal_code, externalId: row.external_id },
          row.from_status,
          now,
          settings,
        ),
      )
      return {
        uuid: crypto.randomUUID(),
        postback_id: postback.id,
        affiliate_id: affiliateId,
        conversion_id: row.id,
        history_seq: row.seq,
        replay: row.next_replay,
        ...message,
        host: hostOf(message.url),
        state: postback.status === 'active' ? 'queued' : 'held',
        tries: 0,
        error: '',
        next_try_at: new Date(now),
        created_at: new Date(now),
      }
    })
    await insertRows(trx, 'postback_delivery', deliveries)
    return deliveries.length
  })
}

async function found(trx: DbOrTrx, affiliateId: number, uuid: string): Promise<OwnPostbackRow> {
  const [row] = await listOwnPostbacks(trx, affiliateId, uuid)
  if (row === undefined) throw new AppError('not_found')
  return row
}

/** The input as it is kept: every goal is told as null, and a status once. */
function normalised(input: Input): Input {
  return { ...input, goal: input.goal === '' ? null : input.goal, statuses: [...new Set(input.statuses)] }
}

async function offerFor(trx: DbOrTrx, affiliateId: number, { offer_uuid }: Input): Promise<number | null> {
  const offerId = offer_uuid === null ? null : await findPartnerOfferId(trx, affiliateId, offer_uuid)
  if (offerId === undefined) throw new AppError('unknown_reference', { fields: { offer_uuid: 'Choose an offer you can see' } })
  return offerId
}

/** The form as it is kept: of secret headers the names, their values sealed; one that was not typed again stays as it was. */
function sealedForm(
  secretKey: string | null,
  { headers, ...form }: Input,
  saved: { url: string; sealed_headers: Buffer | null } | null,
): Kept {
  const isSecret = headers.some(({ secret }) => secret)
  // what was sealed is opened only where it is needed again
  const sealed = isSecret ? (saved?.sealed_headers ?? null) : null
  const before = sealed === null ? {} : openHeaders(sealed, postbackSealer(secretKey))
  // who may change the address must not be sent by it what nobody is shown
  const moved = saved !== null && hostOf(saved.url) !== hostOf(form.url)
  const values = noHeaders()
  for (const { name, value, secret } of headers) {
    const known = value ?? headerOf(before, name)
    if (secret && value === null && moved)
      throw new AppError('invalid_input', { fields: { headers: `Type ${name} again: the address leads to another host` } })
    if (known === undefined || known === '') throw new AppError('invalid_input', { fields: { headers: `Say what ${name} holds` } })
    if (secret) values[name.toLowerCase()] = known
  }
  return {
    ...form,
    ...(form.method === 'GET' && { body_type: 'query' as const }),
    // a body that nobody sends is not kept
    body: form.method === 'GET' || form.body_type === 'query' ? '' : form.body,
    headers: headers.map(({ name, value, secret }) => ({ name, value: secret ? null : value })),
    sealed_headers: isSecret ? postbackSealer(secretKey).seal(JSON.stringify(values)) : null,
  }
}

/** What the log keeps of a form: that secrets were typed, not which. */
function logged({ sealed_headers: _sealed, ...kept }: Kept, { headers }: Input): object {
  return { ...kept, ...(headers.some(({ value, secret }) => secret && value !== null) && { header_secret: 'new' }) }
}

/** The address and what goes along must be templates we can read, and lead to a host outside: checked with made-up values, whose host is always the template's. */
async function refuseBad(form: Kept, policy: OutboundPolicy): Promise<void> {
  const { write, errors } = readMessage(form)
  const target = errors.url === undefined ? await checkTarget(write(sampleValues(0)).url, policy) : null
  const fields = { ...errors, ...(target !== null && { url: target }) }
  if (Object.keys(fields).length > 0) throw new AppError('invalid_input', { fields })
}
