import { sayCallReason } from '#contract/leads/call-reason.ts'
import { tellCredit } from '#server/features/network/notification/tell.queries.ts'
import { log } from '#server/platform/log.ts'
import { askProduct, sayFound, type Asked, type Found, type PullParts } from './ask-product.service.ts'
import { getPullEndpoint, leasePulls, listOpen, listOpenDays, settlePull } from './status.queries.ts'

const MINUTE = 60_000
/** Between two times a product is asked; twice as long after each time that went wrong, four hours at most. */
const EVERY = 15 * MINUTE
const LONGEST_WAIT = 240 * MINUTE
const DAY = 86_400_000
/** Leads older than that are asked about once a week, and after a year not any more. */
const LOOKBACK = 90 * DAY
const SWEEP = 7 * DAY
const OLDEST = 365 * DAY
const LEASE = 20 * MINUTE
const MOST_LEADS = 5000
/** So many times in a row without a word, or without an answer, while leads are open, and people are told: an hour or more. */
const ALARM_AFTER = 4
/** So many products are asked at once by one worker. */
const AT_ONCE = 10

/** Asks the products that are due what became of their leads, each by one worker; answers how many. */
export async function pullStatuses(parts: PullParts): Promise<number> {
  const now = parts.clock.now()
  const due = await leasePulls(parts.db, new Date(now), new Date(now + LEASE), AT_ONCE)
  await Promise.all(
    due.map(async (id) => {
      try {
        await pullProduct(parts, id)
      } catch (error) {
        // asked again when its lease is over
        log.error({ err: error, product: id }, 'what a product said of its leads was not settled')
      }
    }),
  )
  return due.length
}

async function pullProduct(parts: PullParts, productId: number): Promise<void> {
  const { db, clock } = parts
  const endpoint = await getPullEndpoint(db, productId)
  if (endpoint === undefined) return
  const now = clock.now()
  const recent = await openOf(parts, endpoint, now - LOOKBACK, now)
  const swept = endpoint.swept_at === null || endpoint.swept_at.getTime() <= now - SWEEP
  const open = swept ? [...recent, ...(await openOf(parts, endpoint, now - OLDEST, now - LOOKBACK))] : recent
  const found = await askProduct(parts, productId, endpoint, open).catch((error: unknown): Found => {
    log.error({ err: error, product: productId }, 'a product was not asked what became of its leads')
    return { matched: 0, failed: [], error: sayCallReason('not_asked') }
  })
  // rows that could not be applied are theirs no less: the list itself was read
  const wait = found.error === '' ? EVERY : Math.min(EVERY * 2 ** Math.min(endpoint.failures + 1, 5), LONGEST_WAIT)
  const settled = {
    at: new Date(now),
    dueAt: new Date(clock.now() + wait),
    error: sayFound(found),
    // an answer without a single lead of ours, while some are open, is no good sign
    silent: open.length > 0 && found.matched === 0,
    read: found.error === '',
    swept,
  }
  await db.transaction().execute(async (trx) => {
    const { silent, failures } = await settlePull(trx, productId, settled)
    // told when it begins to matter, and not again before it has spoken
    const times = Math.max(silent, failures)
    if (times !== ALARM_AFTER || open.length === 0) return
    const { advertiser_id, advertiser_uuid, advertiser, title } = endpoint
    const once = `leads_silent ${productId} ${now}`
    const reason = `${advertiser} · ${title}`
    await tellCredit(trx, now, { kind: 'leads_silent', status: advertiser_uuid, reason, count: times, once }, advertiser_id)
  })
}

type Endpoint = NonNullable<Awaited<ReturnType<typeof getPullEndpoint>>>

/** Leads a product is asked about; where it is asked for days, a lead that stands for all of its day. */
async function openOf({ db }: PullParts, { id, spec }: Endpoint, since: number, until: number): Promise<Asked[]> {
  const span = { since: new Date(since), until: new Date(until) }
  if (spec.pull?.by !== 'window') return listOpen(db, id, span, MOST_LEADS)
  return (await listOpenDays(db, id, span)).map((asked_at) => ({ uuid: '', external_id: null, asked_at }))
}
