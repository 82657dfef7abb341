import { OPEN_TARGETING, type OfferInput } from '#contract/offers/offer-fields.ts'

type Goal = {
  code: string
  title: string
  type: OfferInput['goals'][number]['type']
  repeatable?: boolean
  hidden?: boolean
  rules: Rule[]
}
/** `affiliates` are places in the list of affiliates, `landings` in that of the offer's; amounts are what one conversion pays and earns. */
type Rule = {
  affiliates?: number[]
  landings?: number[]
  geos?: string[]
  payout?: string
  revenue?: string
  payout_percent?: string
  revenue_percent?: string
}

export type DemoOffer = {
  title: string
  advertiser: number
  vertical: string
  currency: OfferInput['currency']
  privacy: OfferInput['privacy']
  status: 'active' | 'paused' | 'draft'
  /** Share of the network's clicks, and clicks per conversion of the default goal. */
  weight: number
  conversion_rate: number
  /** Where its visitors come from. */
  geos: readonly (readonly [string, number])[]
  targeted: boolean
  hold_days: number
  daily_cap: number | null
  traffic_sources: string[]
  kpi: string
  goals: Goal[]
}

const rate = (payout: string, revenue: string, more: Omit<Rule, 'payout' | 'revenue'> = {}): Rule => ({ payout, revenue, ...more })
const goal = (code: string, title: string, type: Goal['type'], rules: Rule[], more: Partial<Goal> = {}): Goal => ({
  code,
  title,
  type,
  rules,
  ...more,
})

/** Twelve direct-link offers of several verticals, the busiest first. */
export const OFFERS: readonly DemoOffer[] = [
  {
    title: 'Finova Bank – current account (DACH)',
    advertiser: 0,
    vertical: 'finance',
    currency: 'EUR',
    privacy: 'premoderation',
    status: 'active',
    weight: 22,
    conversion_rate: 0.016,
    geos: [
      ['DE', 70],
      ['AT', 20],
      ['CH', 10],
    ],
    targeted: true,
    hold_days: 14,
    daily_cap: null,
    traffic_sources: ['search', 'native', 'seo'],
    kpi: 'First card payment within 30 days for at least 40 % of accounts.',
    goals: [
      goal('account', 'Account opened', 'CPA', [
        rate('38', '52'),
        rate('44', '56', { geos: ['CH'] }),
        rate('42', '54', { affiliates: [1] }),
      ]),
      goal('card', 'First card payment', 'CPA', [rate('6', '9')], { repeatable: false }),
    ],
  },
  {
    title: 'Kredyt24 – consumer loan PL',
    advertiser: 1,
    vertical: 'finance',
    currency: 'EUR',
    privacy: 'public',
    status: 'active',
    weight: 17,
    conversion_rate: 0.021,
    geos: [['PL', 100]],
    targeted: true,
    hold_days: 7,
    daily_cap: 60,
    traffic_sources: ['facebook', 'google', 'push'],
    kpi: 'No incentives. Applicants from 21 years.',
    goals: [
      goal('lead', 'Approved application', 'CPL', [
        rate('11.50', '16'),
        rate('13', '17', { affiliates: [3, 6] }),
        // the short form brings fewer who can pay back
        rate('9.80', '13.50', { landings: [1] }),
      ]),
    ],
  },
  {
    title: 'Гарна Крамниця – косметика, UA',
    advertiser: 2,
    vertical: 'ecommerce',
    currency: 'UAH',
    privacy: 'public',
    status: 'active',
    weight: 14,
    conversion_rate: 0.018,
    geos: [['UA', 100]],
    targeted: true,
    hold_days: 10,
    daily_cap: null,
    traffic_sources: ['facebook', 'tiktok', 'messenger', 'seo'],
    kpi: 'Викуп від 55 %.',
    goals: [
      goal(
        'sale',
        'Замовлення',
        'CPS',
        [
          { payout_percent: '12', revenue_percent: '16' },
          { payout_percent: '14', revenue_percent: '17', affiliates: [4] },
        ],
        { repeatable: true },
      ),
    ],
  },
  {
    title: 'Aurora Games – strategy, Tier 1',
    advertiser: 3,
    vertical: 'games',
    currency: 'USD',
    privacy: 'public',
    status: 'active',
    weight: 13,
    conversion_rate: 0.03,
    geos: [
      ['US', 45],
      ['GB', 20],
      ['CA', 15],
      ['AU', 12],
      ['DE', 8],
    ],
    targeted: false,
    hold_days: 0,
    daily_cap: null,
    traffic_sources: ['in_app', 'tiktok', 'influencer'],
    kpi: 'Day-7 retention above 9 %.',
    goals: [
      goal('registration', 'Registration', 'CPA', [rate('2.40', '3.60'), rate('3.10', '4.20', { geos: ['US', 'CA'] })]),
      goal('deposit', 'First purchase', 'RevShare', [{ payout_percent: '30', revenue_percent: '45' }], { repeatable: true }),
    ],
  },
  {
    title: 'SafeDrive – car insurance ES',
    advertiser: 4,
    vertical: 'insurance',
    currency: 'EUR',
    privacy: 'premoderation',
    status: 'active',
    weight: 9,
    conversion_rate: 0.011,
    geos: [
      ['ES', 92],
      ['PT', 8],
    ],
    targeted: true,
    hold_days: 30,
    daily_cap: 40,
    traffic_sources: ['search', 'contextual'],
    kpi: 'Valid phone number; call centre reaches 70 %.',
    goals: [goal('lead', 'Qualified lead', 'CPL', [rate('9', '13.50'), rate('10', '14', { affiliates: [8] })])],
  },
  {
    title: 'Lingua Prime – language course',
    advertiser: 5,
    vertical: 'education',
    currency: 'USD',
    privacy: 'public',
    status: 'active',
    weight: 8,
    conversion_rate: 0.014,
    geos: [
      ['BR', 35],
      ['IN', 25],
      ['TR', 15],
      ['UA', 15],
      ['ES', 10],
    ],
    targeted: false,
    hold_days: 14,
    daily_cap: null,
    traffic_sources: ['seo', 'email', 'influencer'],
    kpi: 'Trial to paid above 18 %.',
    goals: [
      goal('trial', 'Trial', 'CPA', [rate('1.20', '2')]),
      goal('subscription', 'Subscription', 'CPS', [{ payout_percent: '25', revenue_percent: '35' }], { repeatable: true }),
    ],
  },
  {
    title: 'VPN Shield – yearly plan',
    advertiser: 6,
    vertical: 'software',
    currency: 'USDT',
    privacy: 'public',
    status: 'active',
    weight: 7,
    conversion_rate: 0.009,
    geos: [
      ['US', 40],
      ['GB', 20],
      ['FR', 15],
      ['NL', 10],
      ['IN', 15],
    ],
    targeted: false,
    hold_days: 30,
    daily_cap: null,
    traffic_sources: ['seo', 'native', 'coupon'],
    kpi: 'Refunds below 12 %.',
    goals: [goal('sale', 'Yearly plan', 'CPA', [rate('28.0375', '40'), rate('20.012345', '30', { geos: ['IN'] })])],
  },
  {
    title: 'Mora Cosmetics – first order',
    advertiser: 7,
    vertical: 'ecommerce',
    currency: 'EUR',
    privacy: 'public',
    status: 'active',
    weight: 5,
    conversion_rate: 0.017,
    geos: [
      ['IT', 60],
      ['FR', 25],
      ['ES', 15],
    ],
    targeted: false,
    hold_days: 21,
    daily_cap: null,
    traffic_sources: ['coupon', 'cashback', 'influencer'],
    kpi: 'New customers only.',
    goals: [goal('sale', 'First order', 'CPS', [{ payout_percent: '9', revenue_percent: '13' }])],
  },
  {
    title: 'Finova Bank – savings, private test',
    advertiser: 0,
    vertical: 'finance',
    currency: 'EUR',
    privacy: 'private',
    status: 'active',
    weight: 2.5,
    conversion_rate: 0.02,
    geos: [['DE', 100]],
    targeted: true,
    hold_days: 14,
    daily_cap: 15,
    traffic_sources: ['search'],
    kpi: 'By invitation.',
    goals: [goal('deposit', 'First deposit', 'CPA', [rate('55', '70')])],
  },
  {
    title: 'Aurora Games – puzzle, worldwide',
    advertiser: 3,
    vertical: 'games',
    currency: 'JPY',
    privacy: 'public',
    status: 'active',
    weight: 1.8,
    conversion_rate: 0.035,
    geos: [
      ['IN', 40],
      ['BR', 30],
      ['TR', 20],
      ['KZ', 10],
    ],
    targeted: false,
    hold_days: 0,
    daily_cap: null,
    traffic_sources: ['in_app', 'pops'],
    kpi: '',
    goals: [goal('install', 'Install', 'CPA', [rate('52', '82')])],
  },
  {
    title: 'Kredyt24 – mortgage lead',
    advertiser: 1,
    vertical: 'finance',
    currency: 'EUR',
    privacy: 'premoderation',
    status: 'paused',
    weight: 0.7,
    conversion_rate: 0.008,
    geos: [['PL', 100]],
    targeted: true,
    hold_days: 30,
    daily_cap: null,
    traffic_sources: ['search'],
    kpi: 'Paused until the new form is live.',
    goals: [goal('lead', 'Mortgage lead', 'CPL', [rate('24', '35')])],
  },
  {
    title: 'SafeDrive – pet insurance (draft)',
    advertiser: 4,
    vertical: 'insurance',
    currency: 'EUR',
    privacy: 'premoderation',
    status: 'draft',
    weight: 0,
    conversion_rate: 0,
    geos: [['ES', 100]],
    targeted: true,
    hold_days: 14,
    daily_cap: null,
    traffic_sources: [],
    kpi: '',
    goals: [goal('lead', 'Lead', 'CPL', [rate('7', '10')])],
  },
]

/** An offer as its form sends it. `affiliates` and `advertisers` are uuids in the order of the demo's lists. */
export function offerForm(
  offer: DemoOffer,
  affiliates: readonly string[],
  advertisers: readonly string[],
  landings: readonly { landing_uuid: string; weight: number }[],
): OfferInput {
  const host = `shop${offer.advertiser + 1}.example`
  return {
    title: offer.title,
    privacy: offer.privacy,
    vertical: offer.vertical,
    currency: offer.currency,
    tracking_url: `https://${host}/welcome?cid={click_id}&utm_source=ohma&utm_campaign={offer_id}&sub={sub1}`,
    preview_url: `https://${host}/`,
    trafficback_url: '',
    description: `<p>${offer.title}.</p><p>Creatives and texts are in the advertiser’s folder; brand bidding is not allowed.</p>`,
    kpi: offer.kpi === '' ? '' : `<p>${offer.kpi}</p>`,
    notes: '',
    traffic_sources: offer.traffic_sources,
    tags: [offer.vertical],
    start_at: null,
    stop_at: null,
    time_zone: 'Europe/Kyiv',
    hold_days: offer.hold_days,
    click_lifetime_days: 90,
    min_conversion_time: null,
    max_conversion_time: null,
    redirect_type: '302',
    deep_link_hosts: [host],
    app_links: false,
    targeting: {
      ...OPEN_TARGETING,
      geo: offer.targeted ? { mode: 'include', values: offer.geos.map(([geo]) => geo) } : null,
    },
    caps: offer.daily_cap === null ? [] : [{ period: 'day', scope: 'offer', measure: 'conversions', limit: String(offer.daily_cap) }],
    over_cap_action: 'decline',
    advertiser_uuid: advertisers[offer.advertiser] ?? '',
    landings: [...landings],
    goals: offer.goals.map((one, index) => ({
      code: one.code,
      title: one.title,
      type: one.type,
      is_default: index === 0,
      hidden: one.hidden ?? false,
      repeatable: one.repeatable ?? false,
      rules: one.rules.map((rule) => ({
        affiliate_uuids: (rule.affiliates ?? []).map((place) => affiliates[place] ?? ''),
        landing_uuids: (rule.landings ?? []).map((place) => landings[place]?.landing_uuid ?? ''),
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
