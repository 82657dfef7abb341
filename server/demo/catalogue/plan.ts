import { OPEN_TARGETING, type OfferInput } from '#contract/offers/offer-fields.ts'
import type { OfferCap } from '#contract/offers/offer-cap.ts'
import type { LandingInput } from '#contract/offers/landing.ts'
import type { SeasonalText } from '../season.ts'

/** `affiliates` are places in the list of affiliates, `landings` in that of the offer's; amounts are what one conversion pays and earns. */
export type DemoRule = {
  affiliates?: number[]
  landings?: number[]
  geos?: string[]
  payout?: string
  revenue?: string
  payout_percent?: string
  revenue_percent?: string
}

export type DemoGoal = {
  code: string
  title: string
  type: OfferInput['goals'][number]['type']
  repeatable?: boolean
  hidden?: boolean
  rules: DemoRule[]
}

/** A landing; `state` where it is not active, or its address does not answer, or nobody has looked. */
export type DemoPage = Pick<LandingInput, 'url' | 'language'> & {
  name: SeasonalText
  weight: number
  type?: 'prelanding'
  tags?: string[]
  state?: 'proposed' | 'stopped' | 'deleted' | 'broken' | 'unchecked'
  /** Places of the affiliates a private one is for. */
  only?: number[]
}

/** How far a cap is filled when the demo is made; its limit is set by it. */
export type DemoCap = OfferCap & { filled?: number }

export type DemoOffer = {
  title: SeasonalText
  /** By name. */
  advertiser: string
  vertical: string
  privacy: OfferInput['privacy']
  status: 'active' | 'paused' | 'stopped' | 'archived' | 'draft'
  /** Days since it ran last; null = it still does, or never did. */
  ended: number | null
  /** Share of the network's clicks, and conversions of the default goal per click. */
  weight: number
  conversion_rate: number
  /** Where its visitors come from. */
  geos: readonly (readonly [string, number])[]
  /** Whom it takes beside those of its countries. */
  targeting: Partial<OfferInput['targeting']>
  hold_days: number
  caps: readonly DemoCap[]
  over_cap_action: OfferInput['over_cap_action']
  traffic_sources: string[]
  kpi: string
  goals: readonly DemoGoal[]
  pages: readonly DemoPage[]
  /** Days from now to its first and last day. */
  dates: readonly [number | null, number | null]
  /** Seconds from click to conversion, at least and at most. */
  ctit: readonly [number | null, number | null]
  click_lifetime_days: number
}

type Stated = Pick<DemoOffer, 'title' | 'advertiser' | 'vertical' | 'goals'> & {
  geos: string
  rate: number
  weight: number
  sources: string
}
type More = Partial<Omit<DemoOffer, keyof Stated | 'conversion_rate' | 'traffic_sources'>> & { targeted?: false }

/** An offer of the demo; `geos` as `DE 70 AT 20`, `sources` by their codes. What is not stated is as of most offers. */
export function offer({ geos, rate, sources, ...stated }: Stated, more: More = {}): DemoOffer {
  const words = geos.split(' ')
  const shares = words.flatMap((word, index) => (index % 2 === 0 ? [[word, Number(words[index + 1])] as const] : []))
  const { targeted, targeting, ...rest } = more
  return {
    ...stated,
    conversion_rate: rate,
    traffic_sources: sources.split(' ').filter((source) => source !== ''),
    geos: shares,
    privacy: 'public',
    status: 'active',
    ended: null,
    targeting: { ...(targeted === false ? {} : { geo: { mode: 'include', values: shares.map(([geo]) => geo) } }), ...targeting },
    hold_days: 14,
    caps: [],
    over_cap_action: 'decline',
    kpi: '',
    pages: [],
    dates: [null, null],
    ctit: [null, null],
    click_lifetime_days: 90,
    ...rest,
  }
}

/** A row of fixed amounts. */
export const rate = (payout: string, revenue: string, more: Omit<DemoRule, 'payout' | 'revenue'> = {}): DemoRule => ({
  payout,
  revenue,
  ...more,
})
/** A row of shares in percent. */
export const share = (payout_percent: string, revenue_percent: string, more: DemoRule = {}): DemoRule => ({
  payout_percent,
  revenue_percent,
  ...more,
})

export function goal(code: string, title: string, type: DemoGoal['type'], rules: DemoRule[], more: Partial<DemoGoal> = {}): DemoGoal {
  return { code, title, type, rules, ...more }
}

/** A page below a made-up host. */
export function page(
  name: SeasonalText,
  where: `${string}/${string}`,
  language: string,
  weight: number,
  more: Partial<DemoPage> = {},
): DemoPage {
  const [host, path] = where.split('/')
  return { name, url: `https://${host}.example/${path}?click={click_id}&lp={landing_id}`, language, weight, ...more }
}

/** A cap: `filled` = its limit follows from what was taken, so that it stands there. */
export function cap(period: OfferCap['period'], limit: string, more: Partial<DemoCap> = {}): DemoCap {
  return { period, limit, scope: 'offer', measure: 'conversions', ...more }
}

export const OFFER_ZONE = 'Europe/Kyiv'
const REDIRECTS = ['302', '302', '307', 'meta', 'meta_no_referrer', '302'] as const

/** An offer as its form sends it. `affiliates` are uuids in the order of the demo's list. */
export function offerForm(
  plan: Omit<DemoOffer, 'title'> & { title: string },
  {
    place,
    now,
    scale,
    currency,
    advertiser,
    affiliates,
    landings,
  }: {
    place: number
    now: number
    /** Clicks of the network against those the limits are meant for. */
    scale: number
    currency: OfferInput['currency']
    advertiser: string
    affiliates: readonly string[]
    landings: readonly { landing_uuid: string; weight: number }[]
  },
): OfferInput {
  const host = `${plan.advertiser.toLowerCase().replace(/[^a-z0-9]+/g, '') || 'shop'}.example`
  const dayFromNow = (days: number | null) => (days === null ? null : new Date(now + days * 86_400_000).toISOString())
  return {
    title: plan.title,
    privacy: plan.privacy,
    vertical: plan.vertical,
    currency,
    tracking_url: `https://${host}/welcome?cid={click_id}&utm_source=ohma&utm_campaign={offer_id}&sub={sub1}`,
    preview_url: `https://${host}/`,
    trafficback_url: '',
    description: `<p>${plan.title}.</p><p>Creatives and texts are in the advertiser’s folder; brand bidding is not allowed.</p>`,
    kpi: plan.kpi === '' ? '' : `<p>${plan.kpi}</p>`,
    external_id: '',
    notes: '',
    traffic_sources: plan.traffic_sources,
    tags: [plan.vertical],
    start_at: dayFromNow(plan.dates[0]),
    stop_at: dayFromNow(plan.dates[1]),
    time_zone: OFFER_ZONE,
    hold_days: plan.hold_days,
    click_lifetime_days: plan.click_lifetime_days,
    min_conversion_time: plan.ctit[0],
    max_conversion_time: plan.ctit[1],
    redirect_type: REDIRECTS[place % REDIRECTS.length] ?? '302',
    deep_link_hosts: [host],
    app_links: false,
    targeting: { ...OPEN_TARGETING, ...plan.targeting },
    caps: plan.caps.flatMap(({ filled, ...one }) => (filled === undefined ? [{ ...one, limit: scaled(one.limit, scale) }] : [])),
    over_cap_action: plan.over_cap_action,
    advertiser_uuid: advertiser,
    landings: [...landings],
    goals: plan.goals.map((one, index) => ({
      code: one.code,
      title: one.title,
      type: one.type,
      is_default: index === 0,
      hidden: one.hidden ?? false,
      repeatable: one.repeatable ?? false,
      rules: one.rules.map((rule) => ({
        affiliate_uuids: (rule.affiliates ?? []).map((rank) => affiliates[rank] ?? ''),
        landing_uuids: (rule.landings ?? []).map((index) => landings[index]?.landing_uuid ?? ''),
        geos: rule.geos ?? [],
        devices: [],
        oses: [],
        payout_fixed: rule.payout ?? '0',
        payout_percent: rule.payout_percent ?? '0',
        revenue_fixed: rule.revenue ?? '0',
        revenue_percent: rule.revenue_percent ?? '0',
      })),
    })),
  }
}

/** A limit where the network has so many clicks against those it is meant for. */
export function scaled(limit: string, scale: number): string {
  return String(Math.max(1, Math.round(Number(limit) * scale)))
}
