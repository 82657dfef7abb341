import type { Refusal } from '#contract/traffic/refusal.ts'
import { MARKS, type ClickParameters } from './click-parameters.ts'
import { acceptDeepLink, joinDeepLink } from './deep-link.ts'
import { mintClickId, type ClickIdKeys } from './click-id.ts'
import { CLICK_COLUMNS, CLICK_FLAG, clickRow, type Click, type ClickColumn } from './click-row.ts'
import { expand, parseTemplate, type MacroValues } from '../macros.ts'
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

/**
 * What the way on from a pre-landing takes of its click. `landing` 0 = the offer's own URL. The visitor's address and
 * browser are not among it: whoever holds the click's id may ask, and these are then of who asks.
 */
export type ContinuedClick = {
  landing: number
  parameters: Partial<ClickParameters>
  geo: string
  device: string
  os: string
  browser: string
  language: string
}

/** What the rules need beside the click. `isDuplicate` remembers; it is asked once per click that reaches an offer. */
export type ClickWorld = SnapshotView & {
  keys: SnapshotKeys
  idKeys: ClickIdKeys
  isDuplicate: (visitor: number, offerId: number, affiliateId: number, at: number) => boolean
}

/** The plain statement of what the tracker does with a click: answer and stored row. The fast core must agree with it. */
export function answerClick(world: ClickWorld, click: Click): ClickAnswer {
  const { parameters, facts } = click
  const decision = decideClick(world, { ...click, ...facts })
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
  const values = clickMacros(click, decision, clickId)
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
  const row = clickRow({
    click,
    affiliate: affiliate.id,
    offer: offer.id,
    advertiser: offer.advertiser_id,
    landing: decision.landing?.id ?? 0,
    prelanding: decision.prelanding?.id ?? 0,
    reason,
    flags,
  })
  if (location === '') return { status: 200, kind: 'page', location, reason, clickId, row }
  const kind = reason === '' ? offer.redirect : '302'
  return { status: kind === '302' ? 302 : kind === '307' ? 307 : 200, kind, location, reason, clickId, row }
}

type ContinuedColumn = (typeof MARKS)[number] | 'aff_click_id' | 'geo' | 'device' | 'os' | 'browser' | 'lang' | 'reason'
type ContinuedRow = Readonly<Record<ContinuedColumn, string> & Record<'landing' | 'prelanding', string | number>>

/** The way on that a click's row, just made or read back, holds; null unless it passed and was sent to a pre-landing. */
export function continuedClick(row: ContinuedRow): ContinuedClick | null {
  if (row.reason !== '' || Number(row.prelanding) === 0) return null
  const { geo, device, os, browser, lang } = row
  const marks = Object.fromEntries(MARKS.map((mark) => [mark, row[mark]]))
  return { landing: Number(row.landing), parameters: { ...marks, click_id: row.aff_click_id }, geo, device, os, browser, language: lang }
}

/** What macros read of a click, made now or read back. */
type MacroClick = Pick<Click, 'at' | 'random' | 'parameters' | 'userAgent' | 'language' | 'geo'> & {
  address: { shown: string }
  facts: { device: string; os: string; browser: string }
}

/** The values of the macros a click knows. */
export function clickMacros(
  click: MacroClick,
  decision: Pick<Decision, 'offer' | 'affiliate' | 'landing' | 'reason'>,
  clickId: string,
): MacroValues {
  const { parameters, facts } = click
  const subs = Object.fromEntries(Object.entries(parameters).filter(([name]) => /^sub\d/.test(name)))
  return {
    ...subs,
    click_id: clickId,
    aff_click_id: parameters.click_id,
    source: parameters.source,
    idfa: parameters.idfa,
    gaid: parameters.gaid,
    offer_id: String(decision.offer?.id ?? ''),
    offer_name: decision.offer?.name ?? '',
    pid: String(decision.affiliate?.id ?? ''),
    landing_id: String(decision.landing?.id ?? 0),
    geo: click.geo,
    ip: click.address.shown,
    ua: click.userAgent,
    os: facts.os,
    browser: facts.browser,
    device: facts.device,
    language: click.language,
    timestamp: String(Math.floor(click.at / 1000)),
    date: new Date(click.at).toISOString().slice(0, 10),
    random: String(mixRandom(click.random, 3)),
    reason: decision.reason,
  }
}

/** A row as one line of TabSeparated, with its line end. */
export function encodeRow(row: Record<ClickColumn, string>): string {
  const fields = CLICK_COLUMNS.map((column) => row[column])
  const line = fields.join('\t')
  // hardly any row holds a sign to escape; looking once at the whole line is four times cheaper than at each field
  if (!/[\\\n\r\0]/.test(line) && !fields.some((field) => field.includes('\t'))) return `${line}\n`
  return `${fields.map(escapeField).join('\t')}\n`
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r', '\0': '\\0' }

function escapeField(text: string): string {
  return text.replace(/[\\\t\n\r\0]/g, (sign) => ESCAPES[sign] ?? sign)
}
