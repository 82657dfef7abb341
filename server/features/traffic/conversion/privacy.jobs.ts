import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import { log } from '#server/platform/log.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { clearClickAddresses, deleteClickMonths } from '../click/privacy.queries.ts'
import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'
import { readableAddress } from '#server/platform/address.ts'
import { furtherAds } from '#server/rules/click/click-parameters.ts'
import { PERSONAL_COLUMNS } from '#server/rules/click/click-row.ts'
import { encodeValue, headerSafe } from '#server/rules/macros.ts'
import { clearVisitors, deliveredUrls, lockKnownVisitors, replaceDeliveredUrls } from './privacy.queries.ts'

const DAY = 86_400_000
const BATCH = 1_000

/**
 * Forgets visitors as the general settings say: addresses, User-Agents and whatever else may tell who it was of clicks, conversions and
 * the addresses called for these after some days, single clicks after some months (whole months: a click goes with the last one of its month). Roll-ups, facts and money stay.
 * May end at any point and run again.
 */
export async function forgetVisitors(db: Db, clickhouse: Clickhouse, now: number): Promise<void> {
  const { address_days, click_months } = await getGeneralSettings(db)
  const conversions = await forgetConverted(db, new Date(now - address_days * DAY))
  const deleted = await deleteClickMonths(clickhouse, monthBefore(now, click_months))
  const cleared = await clearClickAddresses(clickhouse, now - address_days * DAY)
  if (conversions > 0 || deleted.length > 0 || cleared.length > 0)
    log.info({ conversions, cleared, deleted }, 'addresses and old clicks were cleared')
}

/** Clears conversions made before `before`, and what was called because of them; answers how many. */
async function forgetConverted(db: Db, before: Date): Promise<number> {
  let cleared = 0
  for (;;) {
    const count = await db.transaction().execute(async (trx) => {
      const known = new Map((await lockKnownVisitors(trx, before, BATCH)).map((row) => [row.id, row]))
      const ids = [...known.keys()]
      if (ids.length === 0) return 0
      const called = (await deliveredUrls(trx, ids)).map(({ id, conversion_id, url }) => {
        const { ip = '', ua = '', carried } = known.get(conversion_id) ?? {}
        const texts = PERSONAL_COLUMNS.map((name) => String(carried?.[name] ?? ''))
        // macros of their own stand for these
        const ads = furtherAds(String(carried?.['unread'] ?? '')).map(([, adId]) => adId)
        return { id, url: withoutVisitor(url, ip, [ua, ...texts, ...ads]), before: url }
      })
      await replaceDeliveredUrls(
        trx,
        called.filter((row) => row.url !== row.before),
      )
      await clearVisitors(trx, ids)
      return ids.length
    })
    cleared += count
    if (count < BATCH) return cleared
  }
}

/**
 * An address without what `{ip}` and such texts as `{ua}` put into it: whole or cut, encoded or raw. The host stays, and so
 * does what is too short to tell who it was (`/`, `a`) wherever it is not a whole value.
 */
function withoutVisitor(url: string, ip: string, texts: readonly string[]): string {
  const values = [ip, readableAddress(ip, false), readableAddress(ip, true), ...texts].filter((value) => value !== '')
  const [host = ''] = /^[a-z-]+:\/\/[^/?#]*/i.exec(url) ?? []
  const rest = [...new Set(values.flatMap((value) => [encodeValue(value), headerSafe(value)]))]
    .toSorted((a, b) => b.length - a.length)
    .reduce((left, text) => left.replaceAll(text.length < SHORT ? wholeValue(text) : standingAlone(text), ''), url.slice(host.length))
  return host + rest
}

const SHORT = 5

/** A text that is all a parameter holds. */
function wholeValue(text: string): RegExp {
  return new RegExp(`(?<==)${RegExp.escape(text)}(?=[&#]|$)`, 'g')
}

/** A text that is no part of a longer number: 1.2.3.4 does not stand in 11.2.3.45. */
function standingAlone(text: string): RegExp {
  return new RegExp(`(?<=^|[^\\d.]|%[\\dA-F]{2})${RegExp.escape(text)}(?!\\.?\\d)`, 'g')
}

/** The month (yyyymm, UTC) that was `months` ago. */
function monthBefore(now: number, months: number): number {
  const date = new Date(now)
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth() - months
  return Math.floor(month / 12) * 100 + (month % 12) + 1
}
