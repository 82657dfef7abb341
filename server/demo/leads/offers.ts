import type { ApiOfferInput } from '#contract/leads/api-offer.ts'
import type { IntegrationType } from '#contract/leads/integration-type.ts'
import type { OpeningDays } from '#contract/leads/opening-hours.ts'
import type { ProductCap, ProductPrice } from '#contract/leads/product.ts'
import type { StoryKind } from './story.ts'
import type { SystemKey } from './systems.ts'

export type Group = ApiOfferInput['groups'][number]
export type Member = Group['members'][number]

/** A product of an advertiser in its place in an offer, and how its people work. */
export type Seller = {
  advertiser: string
  title: string
  system: SystemKey
  host: string
  zone: string
  story: StoryKind
  /** Of a hundred leads: refused, known, and where it says that its day is full. */
  says: { rejected: number; duplicate: number; full: number }
  terms: Partial<Member>
  /** What holds for the product itself, over all offers. */
  own?: { hours?: OpeningDays; caps?: ProductCap[]; prices?: ProductPrice[]; breaker?: { failures: number; minutes: number } }
}
export type LeadOfferPlan = {
  type: IntegrationType
  title: string
  vertical: string
  currency: 'USD' | 'EUR'
  geos: string
  /** Of all leads of the network. */
  weight: number
  wait: number
  repeat: number | null
  /** What the goals pay where no product says otherwise: payout and revenue by goal, 0 where it is not named. */
  pays: Readonly<Record<string, readonly [payout: string, revenue: string]>>
  groups: (Pick<Group, 'strategy'> & { sellers: Seller[] })[]
}

/** From nine to eight, Monday to Saturday. */
const OFFICE = [...Array.from({ length: 6 }, () => [{ from: 540, until: 1200 }]), []]

const price = (goal: string, geos: string[], amount: string, payout: string | null = null) => ({ goal, geos, price: amount, payout })
const ownPrice = (goal: string, geos: string[], amount: string): ProductPrice => ({ goal, geos, price: amount })
const says = (rejected: number, duplicate: number, full = 0) => ({ rejected, duplicate, full })

/** The API offers of the demo network. */
export const LEAD_OFFERS: readonly LeadOfferPlan[] = [
  {
    type: 'nutra_cod',
    title: 'Artrolux Cream, cash on delivery',
    vertical: 'nutra',
    currency: 'USD',
    geos: 'IT 40 ES 30 PL 30',
    weight: 34,
    wait: 24,
    repeat: 30,
    pays: { sale: ['15', '22'] },
    groups: [
      {
        strategy: 'priority',
        sellers: [
          {
            advertiser: 'Vitalis Pharma',
            title: 'Vitalis Europe',
            system: 'order',
            host: 'https://api.vitalis.example',
            zone: 'Europe/Rome',
            story: 'orders_told',
            says: says(12, 7),
            terms: {
              geos: ['IT', 'ES'],
              hours: OFFICE,
              caps: [{ period: 'day', limit: 18 }],
              prices: [price('sale', ['IT'], '27', '19'), price('sale', [], '24', '17')],
            },
          },
          {
            advertiser: 'Bellanova Labs',
            title: 'Bellanova Baltic',
            system: 'feed',
            host: 'https://leads.bellanova.example',
            zone: 'Europe/Tallinn',
            story: 'orders_listed',
            says: says(15, 6, 2),
            terms: {
              caps: [
                { period: 'day', limit: 30 },
                { period: 'month', limit: 900 },
              ],
              prices: [price('sale', [], '22', '16')],
            },
          },
        ],
      },
    ],
  },
  {
    type: 'finance_trading',
    title: 'Finova Invest, deposits',
    vertical: 'finance',
    currency: 'EUR',
    geos: 'DE 45 AT 20 PL 35',
    weight: 26,
    wait: 14,
    repeat: null,
    pays: { ftd: ['360', '480'] },
    groups: [
      {
        strategy: 'weight',
        sellers: [
          {
            advertiser: 'Finova Bank',
            title: 'Finova DACH desk',
            system: 'desk',
            host: 'https://crm.finova.example',
            zone: 'Europe/Berlin',
            story: 'broker',
            says: says(14, 9, 1),
            terms: {
              weight: 3,
              geos: ['DE', 'AT'],
              hours: OFFICE,
              caps: [{ period: 'day', limit: 14 }],
              prices: [price('ftd', ['DE'], '680', '500'), price('ftd', [], '600', '440')],
            },
            own: {
              hours: [...Array.from({ length: 6 }, () => [{ from: 480, until: 1260 }]), []],
              caps: [{ period: 'day', measure: 'accepted', limit: 40 }],
              // its place in the offer pays more
              prices: [ownPrice('ftd', ['DE', 'AT'], '650'), ownPrice('ftd', [], '520')],
            },
          },
          {
            advertiser: 'Kredyt24',
            title: 'Kredyt24 Invest',
            system: 'box',
            host: 'https://leads.kredyt24.example',
            zone: 'Europe/Warsaw',
            story: 'broker',
            says: says(18, 8),
            terms: { weight: 1, geos: ['PL'], prices: [price('ftd', [], '520', '390')] },
          },
        ],
      },
      {
        strategy: 'round_robin',
        sellers: [
          {
            advertiser: 'Tengri Pay',
            title: 'Tengri Markets overflow',
            system: 'desk',
            host: 'https://in.tengri.example',
            zone: 'Asia/Almaty',
            story: 'broker',
            says: says(26, 6, 3),
            terms: { on_reject: 'stop', repeat_days: 90, caps: [{ period: 'week', limit: 60 }], prices: [price('ftd', [], '430', '330')] },
          },
        ],
      },
    ],
  },
  {
    type: 'gambling',
    title: 'GoalRush Casino, first deposits',
    vertical: 'gambling',
    currency: 'USD',
    geos: 'PT 40 BR 35 KE 25',
    weight: 18,
    wait: 0,
    repeat: 60,
    pays: { ftd: ['60', '85'] },
    groups: [
      {
        strategy: 'best_rate',
        sellers: [
          {
            advertiser: 'GoalRush',
            title: 'GoalRush players',
            system: 'box',
            host: 'https://api.goalrush.example',
            zone: 'Europe/Malta',
            story: 'players',
            says: says(9, 8),
            terms: { geos: ['PT', 'BR'], prices: [price('ftd', ['PT'], '110', '80'), price('ftd', [], '75', '55')] },
          },
          {
            advertiser: 'Otter Gaming',
            title: 'Otter Casino',
            system: 'desk',
            host: 'https://crm.otter.example',
            zone: 'Europe/Malta',
            story: 'players',
            says: says(16, 5, 4),
            terms: { caps: [{ period: 'day', limit: 12 }], prices: [price('ftd', [], '90', '66')] },
          },
        ],
      },
      {
        strategy: 'priority',
        sellers: [
          {
            advertiser: 'Savanna Play',
            title: 'Savanna sign-ups',
            system: 'desk',
            host: 'https://leads.savanna.example',
            zone: 'Africa/Nairobi',
            story: 'players',
            says: says(10, 4),
            terms: { geos: ['KE'], prices: [price('ftd', [], '42', '30')] },
          },
        ],
      },
    ],
  },
  {
    type: 'loans_insurance',
    title: 'Car insurance, compared quotes',
    vertical: 'insurance',
    currency: 'EUR',
    geos: 'ES 70 PT 30',
    weight: 14,
    wait: 12,
    repeat: 45,
    pays: { lead: ['7', '10'] },
    groups: [
      {
        strategy: 'weight',
        sellers: [
          {
            advertiser: 'SafeDrive Insurance',
            title: 'SafeDrive Iberia',
            system: 'byte',
            host: 'https://in.safedrive.example',
            zone: 'Europe/Madrid',
            story: 'none',
            says: says(20, 6),
            terms: {
              weight: 2,
              hours: OFFICE,
              caps: [{ period: 'day', limit: 7 }],
              prices: [price('lead', ['ES'], '12', '8.50'), price('lead', [], '9', '6.50')],
            },
            own: { prices: [ownPrice('sale', ['ES'], '46'), ownPrice('sale', [], '38')], breaker: { failures: 5, minutes: 15 } },
          },
          {
            advertiser: 'Kredyt24',
            title: 'Kredyt24 Seguros',
            system: 'byte',
            host: 'https://seguros.kredyt24.example',
            zone: 'Europe/Madrid',
            story: 'none',
            says: says(24, 9, 3),
            terms: { weight: 1, geos: ['ES'], caps: [{ period: 'day', limit: 5 }], prices: [price('lead', [], '10', '7.20')] },
          },
        ],
      },
    ],
  },
  {
    type: 'education_leadgen',
    title: 'Lingua Prime, trial lesson',
    vertical: 'education',
    currency: 'USD',
    geos: 'US 60 GB 40',
    weight: 8,
    wait: 0,
    repeat: 0,
    pays: { lead: ['11', '16'] },
    groups: [
      {
        strategy: 'round_robin',
        sellers: [
          {
            advertiser: 'Lingua Prime',
            title: 'Lingua admissions',
            system: 'byte',
            host: 'https://leads.lingua.example',
            zone: 'America/New_York',
            story: 'none',
            says: says(11, 7),
            terms: {},
            own: { prices: [ownPrice('lead', [], '16')] },
          },
          {
            advertiser: 'Lingua Prime',
            title: 'Lingua partners',
            system: 'byte',
            host: 'https://partners.lingua.example',
            zone: 'Europe/London',
            story: 'none',
            says: says(17, 5),
            terms: { repeat_days: 30, prices: [price('lead', [], '15', '10.50')] },
          },
        ],
      },
    ],
  },
]
