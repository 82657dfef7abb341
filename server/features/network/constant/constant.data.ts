import { getCountries, getCountryCallingCode } from 'libphonenumber-js/min'
import type { IntegrationType } from '#contract/leads/integration-type.ts'
import type { LeadHistoryStatus } from '#contract/leads/lead-history.ts'
import { presentZone } from '#contract/fields.ts'
import { LANGUAGES } from '#contract/offers/landing.ts'
import { MACROS } from '#server/rules/macros.ts'
import { UNKNOWN_OS } from '#contract/leads/user-session.ts'
import { BROWSERS, OPERATING_SYSTEMS } from '#server/rules/click/user-agent.ts'

const regions = new Intl.DisplayNames('en', { type: 'region' })
const tongues = new Intl.DisplayNames('en', { type: 'language' })

/** ISO 3166 countries that have a phone code, by English name: the list every picker of countries uses. */
const COUNTRIES = getCountries()
  .filter((code) => code !== 'AC' && code !== 'TA')
  .map((code) => ({ code, name: regions.of(code) ?? code, prefix: getCountryCallingCode(code) }))
  .toSorted((a, b) => a.name.localeCompare(b.name, 'en'))

/** Reference data that is the same for everybody and changes only with a release. */
export const CONSTANTS = {
  browsers: BROWSERS.filter((name) => name !== ''),
  devices: { desktop: 'Desktop', mobile: 'Mobile', tablet: 'Tablet', tv: 'TV' },
  geos: Object.fromEntries(COUNTRIES.map(({ code, name }) => [code, name])),
  oss: OPERATING_SYSTEMS.filter((name) => name !== ''),
  integration_types: {
    nutra_cod: 'Nutra, cash on delivery',
    finance_trading: 'Finance and trading',
    gambling: 'Gambling',
    dating: 'Dating',
    loans_insurance: 'Loans and insurance',
    education_leadgen: 'Education',
    sweepstakes: 'Sweepstakes',
    generic: 'Any other',
  } satisfies Record<IntegrationType, string>,
  verticals: {
    finance: 'Finance',
    crypto: 'Crypto',
    forex: 'Forex',
    nutra: 'Nutra',
    gambling: 'Gambling',
    betting: 'Betting',
    dating: 'Dating',
    ecommerce: 'E-commerce',
    insurance: 'Insurance',
    education: 'Education',
    travel: 'Travel',
    games: 'Games',
    software: 'Software',
    sweepstakes: 'Sweepstakes',
    utilities: 'Utilities',
    other: 'Other',
  },
  goals: {
    lead: 'Lead',
    registration: 'Registration',
    deposit: 'First deposit',
    sale: 'Sale',
    install: 'Install',
    subscription: 'Subscription',
    trial: 'Trial',
    call: 'Call',
  },
  traffic: {
    search: 'Search ads',
    seo: 'SEO',
    social: 'Social networks',
    facebook: 'Facebook',
    google: 'Google Ads',
    tiktok: 'TikTok',
    push: 'Push',
    native: 'Native',
    email: 'E-mail',
    sms: 'SMS',
    influencer: 'Influencers',
    messenger: 'Messengers',
    pops: 'Pop-under',
    aso: 'ASO',
    in_app: 'In-app',
    contextual: 'Contextual',
    cashback: 'Cashback',
    coupon: 'Coupons',
    other: 'Other',
  },
  languages: Object.fromEntries(LANGUAGES.map((code) => [code, tongues.of(code) ?? code])),
  paid_statuses: {
    draft: 'Draft',
    waiting: 'Waiting',
    approved: 'Approved',
    partly_paid: 'Partly paid',
    paid: 'Paid',
    declined: 'Declined',
    cancelled: 'Cancelled',
  },
  country_code_phone: Object.fromEntries(COUNTRIES.map(({ code, name, prefix }) => [code, { name, code: prefix }])),
  macros: MACROS.map(({ where, ...macro }) => ({ ...macro, where: [...where] })),
  manager_roles: { admin: 'Admin', head: 'Head', 'team lead': 'Team lead', manager: 'Manager' },
  manager_types: { affiliate: 'Affiliate', advertiser: 'Advertiser', support: 'Support', finance: 'Finance', head: 'Head' },
  genders: { male: 'Male', female: 'Female', other: 'Other' },
  time_zones: Object.fromEntries(
    [
      'UTC',
      ...Intl.supportedValuesOf('timeZone')
        .filter((zone) => zone !== 'UTC')
        .map(presentZone),
    ].map((zone) => [zone, zone.replaceAll('_', ' ')]),
  ),
  lead_history_status: {
    queued: 'Queued',
    sending: 'Sending',
    accepted: 'Accepted',
    pending: 'Pending',
    approved: 'Approved',
    rejected: 'Rejected',
    duplicate: 'Duplicate',
    invalid: 'Invalid',
    no_capacity: 'No capacity',
    error: 'Error',
    ambiguous: 'Ambiguous',
    skipped: 'Skipped',
    cancelled: 'Cancelled',
  } satisfies Record<LeadHistoryStatus, string>,
  lead_genders: { male: 'Male', female: 'Female', other: 'Other', unknown: 'Unknown' },
  lead_os: [...OPERATING_SYSTEMS.filter((name) => name !== ''), UNKNOWN_OS],
  lead_device: { desktop: 'Desktop', mobile: 'Mobile', tablet: 'Tablet', tv: 'TV', console: 'Console', bot: 'Program', unknown: 'Unknown' },
  time: {
    minute: 'Minutes',
    hour: 'Hours',
    day: 'Days',
    week: 'Weeks',
    month: 'Months',
    ...Object.fromEntries(Array.from({ length: 48 }, (_none, index) => clockTime(index * 30)).map((time) => [time, time])),
  },
}

/** Phone prefix → the countries that share it, for guest pages. */
export const COUNTRIES_BY_PREFIX = Object.fromEntries(
  Map.groupBy(COUNTRIES, ({ prefix }) => prefix)
    .entries()
    .map(([prefix, countries]) => [prefix, countries.map(({ name }) => name).join(', ')]),
)

function clockTime(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}
