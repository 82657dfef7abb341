import { readableAddress } from '#server/platform/address.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import { sameJson } from '#server/platform/same-json.ts'
import { furtherAds } from '#server/rules/click/click-parameters.ts'
import { PERSONAL_COLUMNS } from '#server/rules/click/click-row.ts'
import { encodeValue, headerSafe } from '#contract/traffic/macro-template.ts'
import { clearVisitors, delivered, replaceDelivered, type lockKnownVisitors } from './privacy.queries.ts'

/** Clears conversions, which the caller has locked, and what was called because of them. */
export async function forgetVisitorsOf(trx: Trx, rows: Awaited<ReturnType<typeof lockKnownVisitors>>): Promise<void> {
  const known = new Map(rows.map((row) => [row.id, row]))
  const ids = [...known.keys()]
  if (ids.length === 0) return
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
