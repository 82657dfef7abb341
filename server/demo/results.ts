import { fromUnits, UNITS, type Currency } from '#contract/money/amount.ts'
import type { ConversionStatus } from '#contract/traffic/conversion.ts'
import type { ConversionDraft } from '#server/features/traffic/conversion/change.ts'
import { draftConversion, type ConversionClick, type Report } from '#server/features/traffic/conversion/draft.service.ts'
import type { Goal, OfferTerms } from '#server/features/traffic/conversion/terms.queries.ts'
import { mintClickId, type ClickIdKeys } from '#server/rules/click/click-id.ts'
import { clickRow, type DecidedClick } from '#server/rules/click/click-row.ts'
import { carriedOf, subsOf } from '#server/statistics/click/stored-click.ts'
import type { Random } from './random.ts'
import { habitOf, type Habit } from './verticals.ts'

/** What buyers spend, in whole units of the currency: the median of a log-normal. */
const BASKETS: Readonly<Record<string, number>> = { USD: 38, EUR: 54, UAH: 1150 }

/** What decides of conversions: what each offer pays, how many of its clicks convert, and how people of its vertical behave. */
export type DemoTerms = {
  terms: ReadonlyMap<number, OfferTerms>
  plans: ReadonlyMap<number, { conversion_rate: number; vertical: string }>
  idKeys: ClickIdKeys
}

/**
 * Draws the conversions of a click. Good affiliates convert better than bad ones, desktop better than mobile, one landing
 * better than another; of the latest many are not decided yet.
 */
export function drawResults(random: Random, { terms, plans, idKeys }: DemoTerms, made: DecidedClick, now: number): ConversionDraft[] {
  const offer = terms.get(made.offer)
  const plan = plans.get(made.offer)
  const [first, ...later] = offer?.goals ?? []
  if (offer === undefined || plan === undefined || first === undefined) return []
  const quality = 0.55 + ((made.affiliate * 37) % 10) / 10
  const page = 0.8 + ((made.landing * 3) % 5) / 10
  const device = made.click.facts.device === 'desktop' ? 1.25 : 0.92
  if (!random.chance(plan.conversion_rate * quality * page * device)) return []
  const habit = habitOf(plan.vertical)
  const at = made.click.at + waited(random, habit.first)
  if (at >= now) return []
  const click = convertingClick(made, idKeys)
  const drafts = [draftOf(offer, first, click, { random, habit, at, now })]
  for (const goal of later) {
    const next = at + waited(random, habit.later)
    if (random.chance(habit.later[2]) && next < now) drafts.push(draftOf(offer, goal, click, { random, habit, at: next, now }))
  }
  return drafts.filter((draft) => draft !== null)
}

/** Nobody converts within twenty seconds. */
function waited(random: Random, [minutes, spread]: readonly [number, number, ...number[]]): number {
  return 20_000 + Math.ceil(random.logNormal(minutes * 60_000, spread))
}

type Moment = { random: Random; habit: Habit; at: number; now: number }

function draftOf(offer: OfferTerms, goal: Goal, click: ConversionClick, { random, habit, at, now }: Moment): ConversionDraft | null {
  const isOpen = now - at < random.logNormal(habit.decision * 3_600_000, 0.6)
  // some partners bring worse leads than others
  const declined = habit.declined * (0.6 + ((click.affiliateId * 53) % 9) / 10)
  const drawn = random.next() * 100
  const decided = drawn < declined ? 'declined' : drawn < declined + habit.trash ? 'trash' : 'approved'
  const status: ConversionStatus = isOpen ? (random.chance(0.75) ? 'pending' : decided) : random.chance(0.02) ? 'pending' : decided
  const byPercent = offer.rules.some((rule) => rule.goal_id === goal.id && Number(rule.payout_percent) > 0)
  const amount = byPercent ? priceIn(offer.currency, random) : null
  const isLost = status === 'declined' || status === 'trash'
  const report: Report = {
    status,
    amount,
    currency: offer.currency,
    transactionId: goal.repeatable || random.chance(0.7) ? `T${random.bits().toString(36).toUpperCase()}${random.whole(100, 999)}` : null,
    reason: isLost ? (status === 'trash' ? random.pick(TRASH) : random.pick(habit.reasons)) : '',
  }
  return draftConversion(offer, goal, click, { ...report, converted: amount }, at, now)
}

const TRASH = ['Test order', 'Bot traffic', 'Fake contact data']

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
