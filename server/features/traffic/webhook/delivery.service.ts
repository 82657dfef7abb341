import { tellAffiliates } from '#server/features/network/notification/tell.queries.ts'
import type { Clock } from '#server/platform/clock.ts'
import { log } from '#server/platform/log.ts'
import { nextTry, openDeliverer, type Deliverer } from '#server/platform/outbound/deliverer.ts'
import { sendOutbound } from '#server/platform/outbound/send.ts'
import type { OutboundPolicy } from '#server/platform/outbound/target.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { asRequest } from '../postback/request.service.ts'
import {
  claimWebhooks,
  countWebhookFailure,
  settleWebhook,
  storeWebhookAttempt,
  suspendWebhook,
  type DueWebhook,
} from './delivery.queries.ts'
import { settleWaiting } from './webhook.queries.ts'
import { webhookSealer } from './webhook.service.ts'

const HOUR = 3_600_000
const SUSPEND_AFTER = 50
const TIMEOUT_MS = 10_000

type Parts = { db: Db; policy: OutboundPolicy; secretKey: string | null; clock: Clock; random?: () => number }

/** Sends messages to webhooks, at least once each: `webhook-id` is the same at every try and replay. */
export function openWebhookDeliverer(parts: Parts): Deliverer {
  const { db, clock } = parts
  return openDeliverer({ claim: (places) => claimWebhooks(db, clock.now(), places), deliver: (delivery) => deliverOnce(parts, delivery) })
}

/** One try: sends, logs the attempt, and settles what follows. Answers whether it arrived (2xx). */
async function deliverOnce({ db, policy, secretKey, clock, random = Math.random }: Parts, delivery: DueWebhook): Promise<boolean> {
  const at = clock.now()
  const { message, tries, url, body, secret, secret_before, before_until } = delivery
  const sealer = webhookSealer(secretKey)
  const before = before_until !== null && at < before_until.getTime() ? secret_before : null
  const keys = [secret, before].flatMap((sealed) => (sealed === null ? [] : [sealer.open(sealed)]))
  const call = { uuid: message, tries, method: 'POST' as const, url, body_type: 'json' as const, body, headers: [] }
  const answer = await sendOutbound({ ...asRequest(call, { headers: {}, keys }, at), timeoutMs: TIMEOUT_MS }, policy)
  const sent = answer.status !== null && answer.status >= 200 && answer.status < 300
  const now = clock.now()
  const nextTryAt = sent ? null : nextTry(tries, now, random)
  const error = sent ? '' : answer.error || `HTTP ${answer.status}`
  // the webhook is locked before its deliveries, here and wherever both change
  await db.transaction().execute(async (trx) => {
    const failures = await countWebhookFailure(trx, delivery.webhook_id, !sent)
    const tried = { at, durationMs: answer.durationMs, httpStatus: answer.status, error: answer.error, response: answer.body }
    await storeWebhookAttempt(trx, delivery.id, tried)
    await settleWebhook(trx, delivery.id, { sent, nextTryAt, httpStatus: answer.status, error, now })
    const suspended = failures >= SUSPEND_AFTER && (await suspendWebhook(trx, delivery.webhook_id, new Date(now)))
    if (suspended) {
      await settleWaiting(trx, delivery.webhook_id, 'hold', new Date(now))
      log.warn({ webhook: delivery.webhook_id, failures }, 'a webhook of an affiliate is suspended')
    }
    if (suspended || (!sent && nextTryAt === null)) {
      const once = `webhook ${delivery.webhook_id} ${Math.floor(now / HOUR)}`
      const { affiliate_id: affiliateId, host: reason } = delivery
      await tellAffiliates(trx, now, [{ kind: 'deliveries_given_up', affiliateId, reason, once, together: true }])
    }
  })
  return sent
}
