import { sayCallReason } from '#contract/leads/call-reason.ts'
import { tellCredit } from '#server/features/network/notification/tell.queries.ts'
import { log } from '#server/platform/log.ts'
import { sayFound, type PullParts } from './ask-product.service.ts'
import { openLease, type Lease } from './pull-lease.ts'
import { pullProduct, type Pulled, type PullLimits } from './pull-product.service.ts'
import { getPullEndpoint, leasePulls, settlePull } from './status.queries.ts'

const MINUTE = 60_000
/** Between the beginnings of two times a product is asked; twice as long after each time without an answer, four hours at most. */
const EVERY = 15 * MINUTE
const LONGEST_WAIT = 240 * MINUTE
/** A product is nobody else's for so long, and while it is asked the time is renewed. */
const LEASE = 3 * MINUTE
/** So many times in a row without a word, or without an answer, while leads are open, and people are told: an hour or more. */
const ALARM_AFTER = 4

/** Asks products what became of their leads, many at once; several workers may. */
export type StatusPuller = {
  /** Begins with those that are due; answers how many. */
  tick(): Promise<number>
  /** Resolves when nothing is under way. */
  idle(): Promise<void>
  /** Lets what is under way end after the call it waits for: the next time goes on there. */
  stop(): Promise<void>
}
type Places = {
  /** How many products one process asks at once that have not taken `slowMs` yet, and how many in all: who answers slowly keeps none of the others waiting. */
  quick: number
  all: number
  slowMs: number
  /** How much one pull may ask, and how often its lease is renewed. */
  limits: PullLimits
  renewMs: number
}
const PLACES: Places = { quick: 10, all: 200, slowMs: 30_000, limits: { calls: 1_200, ms: 10 * MINUTE }, renewMs: MINUTE }

export function openStatusPuller(parts: PullParts, given: Partial<Places> = {}): StatusPuller {
  const { quick, all, slowMs, limits, renewMs } = { ...PLACES, ...given }
  const underWay = new Map<number, { since: number; done: Promise<void> }>()
  let isStopped = false
  const begin = (id: number, lease: Lease) => {
    const done = askOne(parts, id, limits, lease, () => isStopped)
      // asked again when its lease is over
      .catch((error: unknown) => log.error({ err: error, product: id }, 'what a product said of its leads was not settled'))
      .finally(() => underWay.delete(id))
    underWay.set(id, { since: parts.clock.now(), done })
  }
  return {
    async tick() {
      const now = parts.clock.now()
      const isQuick = [...underWay.values()].filter(({ since }) => since > now - slowMs).length
      const room = Math.min(quick - isQuick, all - underWay.size)
      if (room <= 0 || isStopped) return 0
      const until = new Date(now + LEASE)
      const due = await leasePulls(parts.db, new Date(now), until, room)
      // one whose lease ended while it is still under way here loses it, and is asked anew when this one is over
      for (const id of due) if (!underWay.has(id)) begin(id, openLease(parts, id, { until, ms: LEASE, renewMs }))
      return due.length
    },
    async idle() {
      await Promise.all([...underWay.values()].map(({ done }) => done))
    },
    async stop() {
      isStopped = true
      await this.idle()
    },
  }
}

/** Asks the products that are due what became of their leads, and waits until they are; answers how many. */
export async function pullStatuses(parts: PullParts): Promise<number> {
  const puller = openStatusPuller(parts)
  const due = await puller.tick()
  await puller.idle()
  return due
}

async function askOne(parts: PullParts, productId: number, limits: PullLimits, lease: Lease, isStopped: () => boolean): Promise<void> {
  const { db, clock } = parts
  try {
    const endpoint = await getPullEndpoint(db, productId)
    if (endpoint === undefined) return
    const now = clock.now()
    const { round, sweep } = endpoint
    const pulled = await pullProduct(parts, endpoint, limits, () => lease.isLost() || isStopped()).catch((error: unknown): Pulled => {
      log.error({ err: error, product: productId }, 'a product was not asked what became of its leads')
      const found = { answered: 0, matched: 0, failed: [], error: sayCallReason('not_asked'), cut: false }
      return { found, open: true, asked: true, round, rounded: false, sweep, swept: false }
    })
    const until = await lease.end()
    if (until === null) return
    const { found, open, asked, ...places } = pulled
    // who answers anything is there: what else went wrong is no cause to ask it more seldom
    const isAway = found.error !== '' && found.answered === 0
    const wait = isAway ? Math.min(EVERY * 2 ** Math.min(endpoint.failures + 1, 5), LONGEST_WAIT) : EVERY
    const at = clock.now()
    const settled = {
      at: new Date(at),
      dueAt: new Date(isAway ? at + wait : Math.max(now + wait, at + MINUTE)),
      error: sayFound(found),
      failed: found.error !== '' || found.failed.length > 0,
      read: found.error === '',
      // an answer without a single lead of ours, while some are open, is no good sign
      silent: open && found.matched === 0,
      ...places,
    }
    await db.transaction().execute(async (trx) => {
      const times = await settlePull(trx, productId, until, settled)
      // told when it begins to matter, and not again before it has spoken
      const count = Math.max(times?.silent ?? 0, times?.failures ?? 0)
      if (count !== ALARM_AFTER || !asked) return
      const { advertiser_id, advertiser_uuid, advertiser, title } = endpoint
      const once = `leads_silent ${productId} ${now}`
      const reason = `${advertiser} · ${title}`
      await tellCredit(trx, now, { kind: 'leads_silent', status: advertiser_uuid, reason, count, once }, advertiser_id)
    })
  } finally {
    await lease.end()
  }
}
