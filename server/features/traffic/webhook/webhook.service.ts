import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { MOST_WEBHOOKS, type partnerApiWebhookApi } from '#contract/traffic/webhook.ts'
import { affiliateOf, type Actor } from '#server/access/actor.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { AppError } from '#server/platform/errors.ts'
import { checkTarget, type OutboundPolicy } from '#server/platform/outbound/target.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { openSealer, type Sealer } from '#server/platform/seal.ts'
import { hostOf } from '../conversion/delivery.service.ts'
import { newSigningKey } from '../postback/request.service.ts'
import { failedDeliveries } from './own-webhook.queries.ts'
import {
  countWebhooks,
  insertDeliveries,
  insertWebhook,
  listWebhooks,
  lockWebhook,
  moveDeliveries,
  replayWebhookDeliveries,
  settleWaiting,
  updateWebhook,
  type WebhookRow,
} from './webhook.queries.ts'

const HOUR = 3_600_000
type Input = z.output<typeof partnerApiWebhookApi.create.body>
export type WebhookParts = { db: Db; policy: OutboundPolicy; secretKey: string | null }

/** What the secrets of webhooks are sealed with. */
export function webhookSealer(secretKey: string | null): Sealer {
  return openSealer(secretKey, 'webhook')
}

/** Makes a webhook of the affiliate and its secret. Throws `invalid_input`, `limit_reached`. */
export async function createWebhook({ db, policy, secretKey }: WebhookParts, now: number, actor: Actor, input: Input) {
  await refuseBad(input, policy)
  const affiliateId = affiliateOf(actor)
  const secret = newSigningKey()
  return db.transaction().execute(async (trx) => {
    if ((await countWebhooks(trx, affiliateId)) >= MOST_WEBHOOKS) throw new AppError('limit_reached')
    const row = { ...input, affiliate_id: affiliateId, secret: webhookSealer(secretKey).seal(secret), created_at: new Date(now) }
    const { id, uuid } = await insertWebhook(trx, row)
    await recordAudit(trx, actor, now, { action: 'create', entity: 'webhook', entityId: id, after: input })
    return { row: await found(trx, affiliateId, uuid), secret }
  })
}

/** Changes where a webhook leads and what it tells of. Throws `not_found`, `invalid_input`. */
export async function changeWebhook(
  { db, policy }: WebhookParts,
  now: number,
  actor: Actor,
  uuid: string,
  input: Input,
): Promise<WebhookRow> {
  await refuseBad(input, policy)
  return change(db, actor, uuid, async (trx, before) => {
    await updateWebhook(trx, before.id, input)
    await moveDeliveries(trx, before.id, hostOf(input.url))
    const change = { before: { url: before.url, events: before.events }, after: input }
    await recordAudit(trx, actor, now, { action: 'update', entity: 'webhook', entityId: before.id, ...change })
  })
}

/** Pauses a webhook and holds what waits, or resumes it and sends what was held. Throws `not_found`. */
export async function setWebhookStatus(db: Db, now: number, actor: Actor, uuid: string, status: 'active' | 'paused'): Promise<WebhookRow> {
  return change(db, actor, uuid, async (trx, before) => {
    await updateWebhook(trx, before.id, { status, failures: 0, suspended_at: null })
    await settleWaiting(trx, before.id, status === 'active' ? 'resume' : 'hold', new Date(now))
    const change = { before: { status: before.status }, after: { status } }
    await recordAudit(trx, actor, now, { action: 'set_status', entity: 'webhook', entityId: before.id, ...change })
  })
}

/** Gives a webhook another secret; the one before signs beside it for `keepHours`. Throws `not_found`. */
export async function rotateSecret({ db, secretKey }: WebhookParts, now: number, actor: Actor, uuid: string, keepHours: number) {
  const secret = newSigningKey()
  const row = await change(db, actor, uuid, async (trx, before) => {
    await updateWebhook(trx, before.id, {
      secret: webhookSealer(secretKey).seal(secret),
      secret_before: keepHours > 0 ? before.secret : null,
      before_until: keepHours > 0 ? new Date(now + keepHours * HOUR) : null,
    })
    const after = { signing_secret: 'new', keep_hours: keepHours }
    await recordAudit(trx, actor, now, { action: 'sign', entity: 'webhook', entityId: before.id, after })
  })
  return { row, secret }
}

/** Removes a webhook; what was not sent is dead. Throws `not_found`. */
export async function removeWebhook(db: Db, now: number, actor: Actor, uuid: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const before = await lockWebhook(trx, affiliateOf(actor), uuid)
    if (before === undefined) throw new AppError('not_found')
    await updateWebhook(trx, before.id, { status: 'deleted' })
    await settleWaiting(trx, before.id, 'drop', new Date(now))
    await recordAudit(trx, actor, now, { action: 'remove', entity: 'webhook', entityId: before.id, before: { url: before.url } })
  })
}

/** Queues a message by which one sees that a webhook arrives; answers its id. Throws `not_found`. */
export async function testWebhook(db: Db, now: number, actor: Actor, uuid: string): Promise<string> {
  const message = randomUUID()
  const at = new Date(now)
  await change(db, actor, uuid, async (trx, { id, url, status }) => {
    const body = JSON.stringify({ type: 'webhook.test', timestamp: at.toISOString(), data: { webhook_uuid: uuid } })
    const state = status === 'active' ? ('queued' as const) : ('held' as const)
    await insertDeliveries(trx, [
      { webhook_id: id, message, type: 'webhook.test', body, host: hostOf(url), state, next_try_at: at, created_at: at },
    ])
    await recordAudit(trx, actor, now, { action: 'test', entity: 'webhook', entityId: id })
  })
  return message
}

/** Queues deliveries of the affiliate again; answers how many. */
export async function replayWebhooks(db: Db, now: number, actor: Actor, uuids: readonly string[]): Promise<number> {
  return db.transaction().execute((trx) => replay(trx, now, actor, uuids))
}

/** Queues what one webhook was never reached with again; answers how many messages. Throws `not_found`. */
export async function replayFailed(db: Db, now: number, actor: Actor, uuid: string): Promise<number> {
  return db.transaction().execute(async (trx) => {
    // two who press at once wait for each other: the second finds nothing that has failed
    if ((await lockWebhook(trx, affiliateOf(actor), uuid)) === undefined) throw new AppError('not_found')
    return replay(trx, now, actor, await failedDeliveries(trx, affiliateOf(actor), uuid))
  })
}

async function replay(trx: Trx, now: number, actor: Actor, uuids: readonly string[]): Promise<number> {
  const affiliateId = affiliateOf(actor)
  const replayed = await replayWebhookDeliveries(trx, affiliateId, uuids, new Date(now))
  const after = { deliveries: uuids, replayed }
  await recordAudit(trx, actor, now, { action: 'replay', entity: 'affiliate', entityId: affiliateId, after })
  return replayed
}

type Locked = NonNullable<Awaited<ReturnType<typeof lockWebhook>>>

async function change(db: Db, actor: Actor, uuid: string, work: (trx: Trx, before: Locked) => Promise<void>): Promise<WebhookRow> {
  const affiliateId = affiliateOf(actor)
  return db.transaction().execute(async (trx) => {
    const before = await lockWebhook(trx, affiliateId, uuid)
    if (before === undefined) throw new AppError('not_found')
    await work(trx, before)
    return found(trx, affiliateId, uuid)
  })
}

async function found(trx: Trx, affiliateId: number, uuid: string): Promise<WebhookRow> {
  const [row] = await listWebhooks(trx, affiliateId, uuid)
  if (row === undefined) throw new AppError('not_found')
  return row
}

/** The address must lead to a host outside. */
async function refuseBad({ url }: Input, policy: OutboundPolicy): Promise<void> {
  const mistake = await checkTarget(url, policy)
  if (mistake !== null) throw new AppError('invalid_input', { fields: { url: mistake } })
}
