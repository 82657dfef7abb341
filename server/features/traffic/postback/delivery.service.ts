import type { Clock } from '#server/platform/clock.ts'
import { log } from '#server/platform/log.ts'
import { nextTry, openDeliverer, type Deliverer, type Places } from '#server/platform/outbound/deliverer.ts'
import { sendOutbound, type OutboundAnswer } from '#server/platform/outbound/send.ts'
import type { OutboundPolicy } from '#server/platform/outbound/target.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { tellAffiliates, tellStaff } from '#server/features/network/notification/tell.queries.ts'
import { asRequest, openSecrets } from './request.service.ts'
import { claimDeliveries, countFailure, settleDelivery, storeAttempt, suspendPostback, type DueDelivery } from './delivery.queries.ts'

const HOUR = 3_600_000
const SUSPEND_AFTER = 50
const TIMEOUT_MS = 10_000

export type DelivererParts = {
  db: Db
  policy: OutboundPolicy
  secretKey: string | null
  clock: Clock
  /** Requests under way at once, in all and to one host; a host that has just failed gets one. */
  atOnce?: number
  perHost?: number
  /** 0 to 1, for the jitter. */
  random?: () => number
}

/**
 * Sends postbacks to affiliates, at least once each: every delivery carries its id in `X-Delivery-Id`, the same at every
 * try.
 */
export function openPostbackDeliverer(parts: DelivererParts): Deliverer {
  const { db, clock, atOnce, perHost } = parts
  const claim = (places: Places) => claimDeliveries(db, clock.now(), places)
  return openDeliverer({ claim, deliver: (delivery) => deliverOnce(parts, delivery), atOnce, perHost })
}

/** One try: sends, logs the attempt, and settles what follows from it. Answers whether it arrived (2xx; a redirect is a failure). */
async function deliverOnce(
  { db, policy, secretKey, clock, random = Math.random }: DelivererParts,
  delivery: DueDelivery,
): Promise<boolean> {
  const at = clock.now()
  const request = asRequest(delivery, openSecrets(delivery, secretKey, at), at)
  const answer = await sendOutbound({ ...request, timeoutMs: TIMEOUT_MS }, policy)
  const sent = answer.status !== null && answer.status >= 200 && answer.status < 300
  const now = clock.now()
  const nextTryAt = sent ? null : nextTry(delivery.tries, now, random)
  // the postback is locked before its deliveries, here and wherever both change
  await db.transaction().execute(async (trx) => {
    const failures = await countFailure(trx, delivery.postback_id, !sent)
    await storeAttempt(trx, delivery.id, {
      at,
      durationMs: answer.durationMs,
      httpStatus: answer.status,
      error: answer.error,
      response: answer.body,
    })
    await settleDelivery(trx, delivery.id, { sent, nextTryAt, httpStatus: answer.status, error: sent ? '' : describe(answer), now })
    if (nextTryAt === null && !sent) await tellGivenUp(trx, now, delivery)
    if (failures >= SUSPEND_AFTER && (await suspendPostback(trx, delivery.postback_id, now))) {
      log.warn({ postback: delivery.postback_id, failures }, 'a postback of an affiliate is suspended')
    }
  })
  return sent
}

/** The affiliate and its managers hear of it, once for a postback and hour, with how many. */
async function tellGivenUp(trx: Trx, now: number, delivery: DueDelivery): Promise<void> {
  const once = `deliveries ${delivery.postback_id} ${Math.floor(now / HOUR)}`
  const notices = [
    { kind: 'deliveries_given_up' as const, affiliateId: delivery.affiliate_id, reason: delivery.host, once, together: true },
  ]
  await tellAffiliates(trx, now, notices)
  await tellStaff(trx, now, notices, { side: 'affiliate', permission: 'affiliate.write', but: null })
}

function describe(answer: OutboundAnswer): string {
  return answer.error || `HTTP ${answer.status}`
}
