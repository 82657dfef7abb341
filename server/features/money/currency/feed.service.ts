import type { Currency } from '#contract/money/amount.ts'
import { rateFeedSetting, type RateFeedState } from '#contract/money/currency-rate.ts'
import { generalSetting } from '#contract/network/setting.ts'
import { recordAudit } from '#server/features/people/audit/audit.service.ts'
import { getSetting, lockSetting } from '#server/features/network/setting/setting.queries.ts'
import { AppError } from '#server/platform/errors.ts'
import { sendOutbound } from '#server/platform/outbound/send.ts'
import { checkTarget, type OutboundPolicy } from '#server/platform/outbound/target.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { dayIn } from '#server/rules/zone-day.ts'
import { listCurrencies } from './currency.queries.ts'
import { getFeed, keepFeed, takeFeed } from './feed.queries.ts'
import { FEED_URLS, readFeed } from './read-feed.ts'
import { readRates } from './read-rates.ts'
import { writeRates, type GivenRate } from './rate.queries.ts'

export type FeedParts = { db: Db; policy: OutboundPolicy }

const HOUR = 3_600_000
/** Banks tell their rates once a day, at an hour of their own. */
const EVERY_MS = 3 * HOUR
const LEASE_MS = 5 * 60_000
const LONGEST_ANSWER = 1_000_000
const TIMEOUT_MS = 20_000

/** What came of the last look. */
export async function showFeed(db: Db): Promise<RateFeedState> {
  const { at, problem, day, changed, without, ok_at, next_at } = await getFeed(db)
  return {
    last: at && { at: at.toISOString(), problem, day, changed, without },
    last_ok_at: ok_at?.toISOString() ?? null,
    next_at: next_at?.toISOString() ?? null,
  }
}

/** Refuses an address nobody may call. Throws `invalid_input`. */
export async function checkFeed(policy: OutboundPolicy, { feed, url }: typeof rateFeedSetting.defaults): Promise<void> {
  const mistake = feed === 'url' || url !== '' ? await checkTarget(url, policy) : null
  if (mistake !== null) throw new AppError('invalid_input', { fields: { url: mistake } })
}

/** Fetches from another address at once; what came of the former one is forgotten. */
export function beginFeed(trx: Trx, now: number, { feed }: typeof rateFeedSetting.defaults): Promise<void> {
  const nothing = { at: null, problem: '', day: null, changed: 0, without: [], failures: 0 }
  return keepFeed(trx, { ...nothing, next_at: feed === 'none' ? null : new Date(now) })
}

/** Fetches rates now, whoever may be at it. */
export async function fetchNow(parts: FeedParts, now: number): Promise<RateFeedState> {
  await fetchRates(parts, now)
  return showFeed(parts.db)
}

/** Fetches the rates that are due; answers whether they were. A worker that dies leaves it for later. */
export async function fetchDue(parts: FeedParts, now: number): Promise<boolean> {
  if (!(await takeFeed(parts.db, new Date(now), new Date(now + LEASE_MS)))) return false
  await fetchRates(parts, now)
  return true
}

async function fetchRates({ db, policy }: FeedParts, now: number): Promise<void> {
  const { feed, url, version } = await getSetting(db, rateFeedSetting)
  if (feed === 'none') return keepFeed(db, { next_at: null })
  const address = feed === 'url' ? url : FEED_URLS[feed]
  const answer = await sendOutbound({ url: address, method: 'GET', timeoutMs: TIMEOUT_MS, redirects: 2, longest: LONGEST_ANSWER }, policy)
  const failed = answer.error !== '' ? answer.error : answer.status === 200 ? null : `HTTP ${answer.status}`
  await db.transaction().execute(async (trx) => {
    const { base_currency: base, time_zone: zone } = await lockSetting(trx, generalSetting)
    // it was changed meanwhile: what came is of somewhere else
    if ((await getSetting(trx, rateFeedSetting)).version !== version) return
    const asked = { base, today: dayIn(now, zone), active: await activeCodes(trx) }
    const read = failed === null ? understand(feed, answer.body, asked) : { problem: failed }
    const at = new Date(now)
    if ('problem' in read) {
      const { failures } = await getFeed(trx)
      // a quarter of an hour, then twice as long each time
      const next = new Date(now + Math.min(EVERY_MS, 15 * 60_000 * 2 ** Math.min(failures, 10)))
      await keepFeed(trx, { at, problem: read.problem, failures: failures + 1, next_at: next })
      return
    }
    const changed = await writeRates(trx, base, at, 'feed', read.rates)
    if (changed > 0) {
      const after = { rates: changed, currencies: read.rates.map(({ currency }) => currency).toSorted() }
      await recordAudit(trx, null, now, { action: 'import', entity: 'currency_rate', entityId: read.rates[0]?.day ?? '', after })
    }
    const told = new Set(read.rates.map(({ currency }) => currency))
    const without = [...asked.active].filter((code) => code !== base && !told.has(code)).toSorted()
    const day =
      read.rates
        .map((one) => one.day)
        .toSorted()
        .at(-1) ?? null
    await keepFeed(trx, { at, ok_at: at, problem: '', failures: 0, changed, without, day, next_at: new Date(now + EVERY_MS) })
  })
}

type Asked = { base: Currency; today: string; active: ReadonlySet<Currency> }

/** Rates of active currencies up to today; those of tomorrow come tomorrow. */
function understand(
  feed: 'ecb' | 'nbu' | 'url',
  body: string,
  { base, today, active }: Asked,
): { rates: GivenRate[] } | { problem: string } {
  if (feed === 'url') {
    const read = readRates(body, { base, today, known: active })
    if (read === null) return { problem: 'not_understood' }
    return read.rates.length === 0 ? { problem: 'nothing_there' } : { rates: read.rates }
  }
  const read = readFeed(feed, body, base)
  if ('problem' in read) return read
  return { rates: read.filter(({ currency, day }) => active.has(currency) && day <= today) }
}

async function activeCodes(trx: Trx): Promise<Set<Currency>> {
  return new Set((await listCurrencies(trx)).filter(({ active }) => active).map(({ code }) => code))
}
