import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import { log } from '#server/platform/log.ts'
import type { Db } from '#server/platform/pg/database.ts'
import { clearClickAddresses, deleteClickMonths } from '../click/privacy.queries.ts'
import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'
import { readableAddress } from '#server/platform/address.ts'
import { furtherAds } from '#server/rules/click/click-parameters.ts'
import { PERSONAL_COLUMNS } from '#server/rules/click/click-row.ts'
import { sameJson } from '#server/platform/same-json.ts'
import { encodeValue, headerSafe } from '#server/rules/macros.ts'
import { clearVisitors, delivered, lockKnownVisitors, replaceDelivered } from './privacy.queries.ts'

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
      const called = (await delivered(trx, ids)).map(({ conversion_id, ...before }) => {
        const { ip = '', ua = '', carried } = known.get(conversion_id) ?? {}
        const texts = PERSONAL_COLUMNS.map((name) => String(carried?.[name] ?? ''))
        // macros of their own stand for these
        const ads = furtherAds(String(carried?.['unread'] ?? '')).map(([, adId]) => adId)
        const told = [ua, ...texts, ...ads]
        const headers = before.headers.map(({ name, value }) => ({ name, value: value && cleaned(value, ip, told) }))
        const after = { ...before, url: withoutVisitor(before.url, ip, told), body: cleaned(before.body, ip, told), headers }
        return { after, before }
      })
      await replaceDelivered(
        trx,
        called.flatMap(({ after, before }) => (sameJson(after, before) ? [] : [after])),
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
  const [host = ''] = /^[a-z-]+:\/\/[^/?#]*/i.exec(url) ?? []
  return host + cleaned(url.slice(host.length), ip, texts)
}

/** The same of a body or a header, where a text may stand as JSON writes it, or as it is. */
function cleaned(whole: string, ip: string, texts: readonly string[]): string {
  const values = [ip, readableAddress(ip, false), readableAddress(ip, true), ...texts].filter((value) => value !== '')
  return [...new Set(values.flatMap((value) => [encodeValue(value), headerSafe(value), JSON.stringify(value).slice(1, -1), value]))]
    .toSorted((a, b) => b.length - a.length)
    .reduce((left, text) => left.replaceAll(text.length < SHORT ? wholeValue(text) : standingAlone(text), ''), whole)
}

const SHORT = 5

/** A text that is all a parameter, a text of JSON or a header holds. */
function wholeValue(text: string): RegExp {
  return new RegExp(`(?<=[="]|^)${RegExp.escape(text)}(?=[&#"]|$)`, 'g')
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
