import type { Refusal } from '#contract/traffic/refusal.ts'
import { readNetworkLabel } from '#server/platform/geo/network.ts'
import { furtherAds, MARKS } from './click-parameters.ts'
import { acceptDeepLink, joinDeepLink } from './deep-link.ts'
import { mintClickId, type ClickIdKeys } from './click-id.ts'
import { CLICK_COLUMNS, CLICK_FLAG, clickRow, type Click, type ClickColumn, CLICK_TABLE, type DecidedClick } from './click-row.ts'
import { expand, type MacroValues } from '#contract/traffic/macro-template.ts'
import { parseTemplate } from '../macros.ts'
import { decideClick, mixRandom, type Decision, type SnapshotView } from '../offer/match.ts'
import type { SnapshotKeys, SnapshotOffer } from '../offer/snapshot.ts'
import { isTestToken } from './test-click.ts'

export type ClickAnswer = {
  /** 404 for links that lead nowhere; 200 for pages (`meta` redirects and the plain page). */
  status: 200 | 302 | 307 | 404
  /** `redirect` and the two `meta` kinds go to `location`. */
  kind: SnapshotOffer['redirect'] | 'page' | 'unknown'
  location: string
  reason: Refusal | ''
  clickId: string
  row: Record<ClickColumn, string> | null
}

/** The columns of a click whose values stand in templates under their own names. */
const MACRO_COLUMNS = [
  ...MARKS,
  'aff_click_id',
  'geo',
  'device',
  'os',
  'browser',
  'os_version',
  'browser_version',
  'brand',
  'model',
  'region',
  'city',
  'network',
  'connection',
  'referrer',
  'referrer_path',
  'hints',
  'unread',
  'ad_param',
  'ad_id',
] as const satisfies readonly ClickColumn[]
type MacroColumns = Readonly<Record<(typeof MACRO_COLUMNS)[number] | 'lang', string | number>>

/**
 * What the way on from a pre-landing takes of its click. `landing` 0 = the offer's own URL. The visitor's address and
 * browser are not among it: whoever holds the click's id may ask, and these are then of who asks.
 */
export type ContinuedClick = { landing: number; columns: Partial<MacroColumns> }

/** What the rules need beside the click. `isDuplicate` remembers; it is asked once per click that reaches an offer. */
export type ClickWorld = SnapshotView & {
  keys: SnapshotKeys
  idKeys: ClickIdKeys
  isDuplicate: (visitor: number, offerId: number, affiliateId: number, at: number) => boolean
}

/** The plain statement of what the tracker does with a click: answer and stored row. The fast core must agree with it. */
export function answerClick(world: ClickWorld, click: Click): ClickAnswer {
  const { parameters, facts } = click
  const decision = decideClick(world, { ...click, ...facts, ...click.place, asn: numberOrNothing(click.network.asn) })
  const { offer, affiliate, reason } = decision
  if (decision.outcome === 'unknown' || offer === null || affiliate === null) {
    return { status: 404, kind: 'unknown', location: '', reason, clickId: '', row: null }
  }
  const clickId = mintClickId({ at: click.at, offerId: offer.id, affiliateId: affiliate.id, random: click.random }, world.idKeys)
  const deepLink = reason === '' && parameters.deeplink !== '' ? acceptDeepLink(parameters.deeplink, offer.deep_link_hosts) : null
  if (deepLink !== null) {
    decision.landing = null
    decision.prelanding = null
  }
  const row = clickRow({
    click,
    affiliate: affiliate.id,
    offer: offer.id,
    advertiser: offer.advertiser_id,
    landing: decision.landing?.id ?? 0,
    prelanding: decision.prelanding?.id ?? 0,
    reason,
    flags: 0,
  })
  const seen = { ...click, ip: click.address.shown, idfa: parameters.idfa, gaid: parameters.gaid }
  const values = clickMacros(seen, row, decision, clickId)
  const where = reason === '' ? 'offer' : 'trafficback'
  const template = deepLink === null ? decision.destination : offer.url
  const expanded = template === null ? '' : expand(parseTemplate(template, where).template, values)
  const location = deepLink === null ? expanded : joinDeepLink(deepLink, expanded)

  let flags = 0
  if (facts.bot) flags |= CLICK_FLAG.bot
  if (click.head) flags |= CLICK_FLAG.head
  if (click.prefetch) flags |= CLICK_FLAG.prefetch
  if (parameters.test !== '' && isTestToken(parameters.test, offer.id, affiliate.id, click.at, world.keys)) flags |= CLICK_FLAG.test
  if (reason === '' && parameters.deeplink !== '' && deepLink === null) flags |= CLICK_FLAG.deeplink_ignored
  // Only clicks that count are remembered: a link preview must not make the person's click a duplicate.
  if (reason === '' && (flags & ~CLICK_FLAG.deeplink_ignored) === 0 && world.isDuplicate(click.visitor, offer.id, affiliate.id, click.at)) {
    flags |= CLICK_FLAG.duplicate
  }
  row.flags = String(flags)
  if (location === '') return { status: 200, kind: 'page', location, reason, clickId, row }
  const kind = reason === '' ? offer.redirect : '302'
  return { status: kind === '302' ? 302 : kind === '307' ? 307 : 200, kind, location, reason, clickId, row }
}

type ContinuedRow = MacroColumns & Readonly<{ reason: string } & Record<'landing' | 'prelanding', string | number>>

/** The way on that a click's row, just made or read back, holds; null unless it passed and was sent to a pre-landing. */
export function continuedClick(row: ContinuedRow): ContinuedClick | null {
  if (row.reason !== '' || Number(row.prelanding) === 0) return null
  const columns = Object.fromEntries([...MACRO_COLUMNS, 'lang' as const].map((name) => [name, row[name]]))
  return { landing: Number(row.landing), columns }
}

/** What macros read of a click beside its columns: those are of the visitor who is there now, and not all are stored. */
type Seen = { at: number; random: number; ip: string; userAgent: string; idfa?: string; gaid?: string }

/** The values of the macros a click knows, from its columns, made now or read back. */
export function clickMacros(
  seen: Seen,
  columns: Partial<MacroColumns>,
  decision: Pick<Decision, 'offer' | 'affiliate' | 'landing' | 'reason'>,
  clickId: string,
): MacroValues {
  return {
    ...columnMacros(columns),
    click_id: clickId,
    idfa: seen.idfa ?? '',
    gaid: seen.gaid ?? '',
    offer_id: String(decision.offer?.id ?? ''),
    offer_name: decision.offer?.name ?? '',
    pid: String(decision.affiliate?.id ?? ''),
    aff_external_id: decision.affiliate?.external ?? '',
    landing_id: String(decision.landing?.id ?? 0),
    ip: seen.ip,
    ua: seen.userAgent,
    timestamp: String(Math.floor(seen.at / 1000)),
    date: new Date(seen.at).toISOString().slice(0, 10),
    random: String(mixRandom(seen.random, 3)),
    reason: decision.reason,
  }
}

/** The macros that are columns of a click, and an ad network's id under the name of its parameter too. */
export function columnMacros(columns: Partial<MacroColumns>): MacroValues {
  const values: Record<string, string> = { language: String(columns.lang ?? '') }
  for (const name of MACRO_COLUMNS) values[name] = String(columns[name] ?? '')
  const { name, asn } = readNetworkLabel(String(columns.network ?? ''))
  values['network'] = name
  values['asn'] = asn
  // the first of several under one name counts
  for (const [param, id] of furtherAds(String(columns.unread ?? '')).toReversed()) values[param.toLowerCase()] = id
  if (values['ad_param']) values[values['ad_param'].toLowerCase()] = values['ad_id'] ?? ''
  return values
}

function numberOrNothing(asn: number): string {
  return asn === 0 ? '' : String(asn)
}

/** A row as one line of TabSeparated, with its line end. */
export function encodeRow(row: Record<ClickColumn, string>): string {
  return encodeFields(CLICK_COLUMNS.map((column) => row[column]))
}

/** The line of a click of which nobody needs the row. */
export function encodeClick(made: DecidedClick): string {
  return encodeFields(CLICK_TABLE.map(({ from }) => from(made)))
}

function encodeFields(fields: readonly string[]): string {
  const line = fields.join('\t')
  // hardly any row holds a sign to escape; looking once at the whole line is four times cheaper than at each field
  if (!/[\\\n\r\0]/.test(line) && !fields.some((field) => field.includes('\t'))) return `${line}\n`
  return `${fields.map(escapeField).join('\t')}\n`
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r', '\0': '\\0' }

function escapeField(text: string): string {
  return text.replace(/[\\\t\n\r\0]/g, (sign) => ESCAPES[sign] ?? sign)
}
