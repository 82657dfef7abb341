import { fromUnits, UNITS, type Currency } from '#contract/money/amount.ts'
import type { ConversionDraft } from '#server/features/traffic/conversion/change.ts'
import { draftConversion, type ConversionClick, type Report } from '#server/features/traffic/conversion/draft.service.ts'
import type { Goal, OfferTerms } from '#server/features/traffic/conversion/terms.queries.ts'
import { weighted, type Random } from './random.ts'
import type { DemoClick } from './traffic.ts'

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

/**
 * The conversions that follow from clicks, in order of time. Good affiliates convert better than bad ones, desktop
 * better than mobile, one landing better than another; decisions about the last two days are often still open.
 */
export function makeResults(
  random: Random,
  clicks: readonly DemoClick[],
  terms: ReadonlyMap<number, OfferTerms>,
  rates: ReadonlyMap<number, number>,
  now: number,
): ConversionDraft[] {
  const drafts: ConversionDraft[] = []
  for (const click of clicks) {
    const offer = terms.get(click.offer)
    if (offer === undefined) continue
    const quality = 0.55 + ((click.affiliate * 37) % 10) / 10
    const page = 0.8 + ((click.landing * 3) % 5) / 10
    const device = click.facts.device === 'desktop' ? 1.25 : 0.92
    const [first, ...later] = offer.goals
    if (first === undefined || !random.chance((rates.get(click.offer) ?? 0) * quality * page * device * OVERALL)) continue
    const at = click.at + Math.ceil(random.logNormal(11 * 60_000, 1.6))
    if (at >= now) continue
    pushDraft(drafts, offer, first, click, random, at, now)
    for (const goal of later) {
      const next = at + Math.ceil(random.logNormal(30 * 3_600_000, 1))
      if (next < now && random.chance(0.24)) pushDraft(drafts, offer, goal, click, random, next, now)
    }
  }
  return drafts.toSorted((a, b) => a.created_at.getTime() - b.created_at.getTime())
}

function pushDraft(
  drafts: ConversionDraft[],
  offer: OfferTerms,
  goal: Goal,
  click: DemoClick,
  random: Random,
  at: number,
  now: number,
): void {
  const fresh = now - at < 2 * 86_400_000
  const drawn = drawStatus(random)
  const status = fresh && drawn === 'declined' && random.chance(0.6) ? 'pending' : drawn
  const byPercent = offer.rules.some((rule) => rule.goal_id === goal.id && Number(rule.payout_percent) > 0)
  const amount = byPercent ? priceIn(offer.currency, random) : null
  const report: Report = {
    status,
    amount,
    currency: offer.currency,
    transactionId: goal.repeatable || random.chance(0.7) ? `T${random.bits().toString(36).toUpperCase()}${drafts.length}` : null,
    reason: status === 'declined' ? random.pick(DECLINES) : '',
  }
  const draft = draftConversion(offer, goal, clickOf(click), { ...report, converted: amount }, at, now)
  if (draft !== null) drafts.push(draft)
}

/** A price with the decimals of its currency, made of whole minor units: no float becomes money. */
function priceIn(currency: Currency, random: Random): string {
  const minor = BigInt(Math.round(random.logNormal((BASKETS[currency] ?? 40) * 100, 0.5)))
  return fromUnits(minor * (UNITS / 100n))
}

function clickOf(click: DemoClick): ConversionClick {
  return {
    id: click.clickId,
    at: click.at,
    affiliateId: click.affiliate,
    landing: click.landing,
    prelanding: click.prelanding,
    geo: click.geo,
    device: click.facts.device,
    os: click.facts.os,
    browser: click.facts.browser,
    lang: click.language,
    source: click.source,
    subs: [...click.subs, ...Array.from({ length: 10 - click.subs.length }, () => '')],
    affClickId: click.affClickId,
    ip: click.ip,
    ua: click.userAgent,
    carried: click.carried,
  }
}
