import type { Clock } from '#server/platform/clock.ts'
import { log } from '#server/platform/log.ts'
import { sendOutbound, type OutboundAnswer } from '#server/platform/outbound/send.ts'
import type { OutboundPolicy } from '#server/platform/outbound/target.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { tellAffiliates, tellStaff } from '#server/features/network/notification/tell.queries.ts'
import { asRequest, openSecrets } from './request.service.ts'
import { claimDeliveries, countFailure, settleDelivery, storeAttempt, suspendPostback, type DueDelivery } from './delivery.queries.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
/** The pauses between ten tries, just under 24 hours together; each is stretched or shortened by up to a fifth. */
const PAUSES = [10 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR, 3 * HOUR, 7 * HOUR, 12 * HOUR]
const SUSPEND_AFTER = 50
const TIMEOUT_MS = 10 * SECOND

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

export type Deliverer = {
  /** Starts what is due and has a place; answers how many. */
  tick(): Promise<number>
  /** Resolves when nothing is under way any more. */
  idle(): Promise<void>
}

/**
 * Sends postbacks to affiliates, at least once each: every delivery carries its id in `X-Delivery-Id`, the same at every
 * try. A host has a few places, so that slow ones keep nobody else waiting.
 */
export function openDeliverer(parts: DelivererParts): Deliverer {
  const { db, clock, atOnce = 600, perHost = 4 } = parts
  const hosts = new Map<string, { active: number; troubled: boolean }>()
  const running = new Set<Promise<void>>()

  const deliver = async (delivery: DueDelivery) => {
    const host = hosts.get(delivery.host) ?? { active: 0, troubled: false }
    hosts.set(delivery.host, host)
    host.active++
    try {
      host.troubled = !(await deliverOnce(parts, delivery))
    } catch (error) {
      // its lease runs out and it is tried again
      log.error({ err: error, delivery: delivery.uuid }, 'a delivery could not be settled')
    } finally {
      host.active--
      if (host.active === 0 && !host.troubled) hosts.delete(delivery.host)
    }
  }

  return {
    async tick() {
      const limit = atOnce - running.size
      if (limit <= 0) return 0
      const loads = [...hosts].map(([host, { active, troubled }]) => ({ host, free: Math.max(0, (troubled ? 1 : perHost) - active) }))
      const due = await claimDeliveries(db, clock.now(), { perHost, loads, limit })
      for (const delivery of due) {
        const work = deliver(delivery)
        running.add(work)
        void work.finally(() => running.delete(work))
      }
      // hosts that failed long ago are forgotten
      if (hosts.size > 10_000) for (const [host, { active }] of hosts) if (active === 0) hosts.delete(host)
      return due.length
    },
    async idle() {
      while (running.size > 0) await Promise.all(running)
    },
  }
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
  const pause = PAUSES[delivery.tries]
  const nextTryAt = sent || pause === undefined ? null : now + pause * (0.8 + 0.4 * random())
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
