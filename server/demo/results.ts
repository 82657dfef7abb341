import { fromUnits, UNITS, type Currency } from '#contract/money/amount.ts'
import type { ConversionDraft } from '#server/features/traffic/conversion/change.ts'
import { draftConversion, type ConversionClick, type Report } from '#server/features/traffic/conversion/draft.service.ts'
import type { Goal, OfferTerms } from '#server/features/traffic/conversion/terms.queries.ts'
import { mintClickId, type ClickIdKeys } from '#server/rules/click/click-id.ts'
import { clickRow, type DecidedClick } from '#server/rules/click/click-row.ts'
import { carriedOf, subsOf } from '#server/statistics/click/stored-click.ts'
import { weighted, type Random } from './random.ts'

/** What buyers spend, in whole units of the currency: the median of a log-normal. */
const BASKETS: Readonly<Record<string, number>> = { USD: 38, EUR: 54, UAH: 1150 }

const DECLINES = [
  'Duplicate application',
  'Invalid phone number',
  'Order returned',
  'Test order',
  'Country not served',
  'Fraud check failed',
]

/** Brings the network as a whole to about 4,000 conversions in 300,000 clicks. */
const OVERALL = 0.65

/** What the advertiser said in the end: most are approved, some are still looked at. */
const drawStatus = weighted<Report['status']>([
  ['approved', 79],
  ['declined', 13],
  ['pending', 6],
  ['trash', 2],
])

/** What decides of conversions: what each offer pays, and how many of its clicks convert. */
export type DemoTerms = { terms: ReadonlyMap<number, OfferTerms>; rates: ReadonlyMap<number, number>; idKeys: ClickIdKeys }

/**
 * Draws the conversions of a click. Good affiliates convert better than bad ones, desktop better than mobile, one landing
 * better than another; decisions about the last two days are often still open.
 */
export function drawResults(random: Random, { terms, rates, idKeys }: DemoTerms, made: DecidedClick, now: number): ConversionDraft[] {
  const offer = terms.get(made.offer)
  const [first, ...later] = offer?.goals ?? []
  if (offer === undefined || first === undefined) return []
  const quality = 0.55 + ((made.affiliate * 37) % 10) / 10
  const page = 0.8 + ((made.landing * 3) % 5) / 10
  const device = made.click.facts.device === 'desktop' ? 1.25 : 0.92
  if (!random.chance((rates.get(made.offer) ?? 0) * quality * page * device * OVERALL)) return []
  const at = made.click.at + Math.ceil(random.logNormal(11 * 60_000, 1.6))
  if (at >= now) return []
  const click = convertingClick(made, idKeys)
  const drafts = [draftOf(offer, first, click, random, at, now)]
  for (const goal of later) {
    const next = at + Math.ceil(random.logNormal(30 * 3_600_000, 1))
    if (next < now && random.chance(0.24)) drafts.push(draftOf(offer, goal, click, random, next, now))
  }
  return drafts.filter((draft) => draft !== null)
}

function draftOf(offer: OfferTerms, goal: Goal, click: ConversionClick, random: Random, at: number, now: number): ConversionDraft | null {
  const fresh = now - at < 2 * 86_400_000
  const drawn = drawStatus(random)
  const status = fresh && drawn === 'declined' && random.chance(0.6) ? 'pending' : drawn
  const byPercent = offer.rules.some((rule) => rule.goal_id === goal.id && Number(rule.payout_percent) > 0)
  const amount = byPercent ? priceIn(offer.currency, random) : null
  const report: Report = {
    status,
    amount,
    currency: offer.currency,
    transactionId: goal.repeatable || random.chance(0.7) ? `T${random.bits().toString(36).toUpperCase()}${random.whole(100, 999)}` : null,
    reason: status === 'declined' ? random.pick(DECLINES) : '',
  }
  return draftConversion(offer, goal, click, { ...report, converted: amount }, at, now)
}

/** A price with the decimals of its currency, made of whole minor units: no float becomes money. */
function priceIn(currency: Currency, random: Random): string {
  const minor = BigInt(Math.round(random.logNormal((BASKETS[currency] ?? 40) * 100, 0.5)))
  return fromUnits(minor * (UNITS / 100n))
}

function convertingClick(made: DecidedClick, idKeys: ClickIdKeys): ConversionClick {
  const { click } = made
  const row = clickRow(made)
  return {
    id: mintClickId({ at: click.at, offerId: made.offer, affiliateId: made.affiliate, random: click.random }, idKeys),
    at: click.at,
    affiliateId: made.affiliate,
    landing: made.landing,
    prelanding: made.prelanding,
    geo: click.geo,
    device: click.facts.device,
    os: click.facts.os,
    browser: click.facts.browser,
    lang: click.language,
    source: click.parameters.source,
    subs: subsOf(row),
    affClickId: click.parameters.click_id,
    ip: click.address.shown,
    ua: click.userAgent,
    carried: carriedOf(row),
  }
}
