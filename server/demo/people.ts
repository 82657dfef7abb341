import type { AdvertiserInput } from '#contract/people/advertiser.ts'
import type { AffiliateInput } from '#contract/people/affiliate.ts'
import type { ManagerInput } from '#contract/people/manager.ts'

type Staff = Pick<ManagerInput, 'name' | 'email' | 'role' | 'type'> & { lead?: string }

/** Who works for the demo network: two teams of two. `lead` is the e-mail of the team lead. */
export const STAFF: readonly Staff[] = [
  { name: 'Olena Shevchuk', email: 'head@ohma.example', role: 'head', type: 'head' },
  { name: 'Marek Nowak', email: 'lead@ohma.example', role: 'team lead', type: 'affiliate' },
  { name: 'Inês Duarte', email: 'lead.west@ohma.example', role: 'team lead', type: 'affiliate' },
  { name: 'Taras Koval', email: 'manager@ohma.example', role: 'manager', type: 'affiliate', lead: 'lead@ohma.example' },
  { name: 'Anna Wójcik', email: 'anna@ohma.example', role: 'manager', type: 'advertiser', lead: 'lead@ohma.example' },
  { name: 'Pedro Almeida', email: 'pedro@ohma.example', role: 'manager', type: 'affiliate', lead: 'lead.west@ohma.example' },
  { name: 'Claire Martin', email: 'claire@ohma.example', role: 'manager', type: 'affiliate', lead: 'lead.west@ohma.example' },
]

export const ADMIN = { name: 'Iryna Bondar', email: 'admin@ohma.example' }

/** The four managers who own partners, in the order partners are dealt out. */
export const MANAGER_EMAILS = ['manager@ohma.example', 'anna@ohma.example', 'pedro@ohma.example', 'claire@ohma.example'] as const

type Partner = Pick<AffiliateInput, 'name' | 'email' | 'country' | 'currency' | 'status' | 'tags' | 'time_zone' | 'traffic_sources'>
const affiliate = (
  name: string,
  email: string,
  country: string,
  time_zone: string,
  currency: Partner['currency'],
  traffic_sources: string[],
  tags: string[] = [],
  status: Partner['status'] = 'active',
): Partner => ({ name, email: `${email}@partners.example`, country, time_zone, currency, traffic_sources, tags, status })

/** Affiliates by the traffic they bring, the largest first. The first is the one whose login is printed. */
export const AFFILIATES: readonly Partner[] = [
  affiliate('Media Plus', 'affiliate', 'UA', 'Europe/Kyiv', 'USD', ['facebook', 'google'], ['vip', 'social']),
  affiliate('Nordlicht Traffic', 'nordlicht', 'DE', 'Europe/Berlin', 'EUR', ['google', 'search'], ['vip']),
  affiliate('Clickstream Labs', 'clickstream', 'GB', 'Europe/London', 'USD', ['native', 'push'], ['vip']),
  affiliate('Vistula Ads', 'vistula', 'PL', 'Europe/Warsaw', 'EUR', ['facebook'], ['social']),
  affiliate('Південь Медіа', 'pivden', 'UA', 'Europe/Kyiv', 'UAH', ['tiktok', 'messenger'], ['social']),
  affiliate('Atlantico Digital', 'atlantico', 'PT', 'Europe/Lisbon', 'EUR', ['seo', 'contextual']),
  affiliate('Rana Web', 'ranaweb', 'IN', 'Asia/Kolkata', 'USD', ['push', 'pops']),
  affiliate('Bazar Leads', 'bazar', 'TR', 'Europe/Istanbul', 'USD', ['in_app', 'push']),
  affiliate('Sol y Clics', 'solyclics', 'ES', 'Europe/Madrid', 'EUR', ['facebook', 'email']),
  affiliate('Boréal Performance', 'boreal', 'CA', 'America/Toronto', 'USD', ['search']),
  affiliate('Copacabana Media', 'copacabana', 'BR', 'America/Sao_Paulo', 'USD', ['influencer', 'tiktok'], ['influencers']),
  affiliate('Prague Performance', 'prague', 'CZ', 'Europe/Prague', 'EUR', ['native']),
  affiliate('Lviv Lead Factory', 'lviv', 'UA', 'Europe/Kyiv', 'UAH', ['google', 'seo']),
  affiliate('Turku Traffic Oy', 'turku', 'FI', 'Europe/Helsinki', 'EUR', ['email']),
  affiliate('Gold Coast Clicks', 'goldcoast', 'AU', 'Australia/Brisbane', 'USD', ['search', 'native']),
  affiliate('Trafic Direct', 'traficdirect', 'FR', 'Europe/Paris', 'EUR', ['push']),
  affiliate('Kaunas Media', 'kaunas', 'LT', 'Europe/Vilnius', 'EUR', ['facebook']),
  affiliate('Couponeria', 'couponeria', 'IT', 'Europe/Rome', 'EUR', ['coupon', 'cashback'], ['coupons']),
  affiliate('Nomad Bloggers', 'nomad', 'KZ', 'Asia/Almaty', 'USD', ['influencer'], ['influencers']),
  affiliate('Harbour SEO', 'harbour', 'NL', 'Europe/Amsterdam', 'EUR', ['seo']),
  affiliate('Old Town Ads', 'oldtown', 'EE', 'Europe/Tallinn', 'EUR', ['native'], [], 'inactive'),
  affiliate('Quick Bucks', 'quickbucks', 'US', 'America/New_York', 'USD', ['pops'], ['fraud'], 'banned'),
  affiliate('Свіжий Трафік', 'svizhyi', 'UA', 'Europe/Kyiv', 'UAH', ['tiktok'], [], 'moderation'),
  affiliate('Danube Digital', 'danube', 'HU', 'Europe/Budapest', 'EUR', ['google'], [], 'moderation'),
  affiliate('Sparrow Mailing', 'sparrow', 'IE', 'Europe/Dublin', 'EUR', ['email'], [], 'rejected'),
]

type Advertiser = Pick<AdvertiserInput, 'name' | 'email' | 'currency'> & { country: string; vat: string }

export const ADVERTISERS: readonly Advertiser[] = [
  { name: 'Finova Bank', email: 'partners@finova.example', currency: 'EUR', country: 'DE', vat: 'DE123456789' },
  { name: 'Kredyt24', email: 'affiliate@kredyt24.example', currency: 'EUR', country: 'PL', vat: 'PL5260250274' },
  { name: 'Гарна Крамниця', email: 'cpa@harna.example', currency: 'UAH', country: 'UA', vat: '3012345678' },
  { name: 'Aurora Games', email: 'ua@aurora-games.example', currency: 'USD', country: 'CY', vat: 'CY10259033P' },
  { name: 'SafeDrive Insurance', email: 'growth@safedrive.example', currency: 'EUR', country: 'ES', vat: 'ESX1234567X' },
  { name: 'Lingua Prime', email: 'marketing@lingua.example', currency: 'USD', country: 'US', vat: '' },
  { name: 'VPN Shield', email: 'partners@vpnshield.example', currency: 'USD', country: 'NL', vat: 'NL123456789B01' },
  { name: 'Mora Cosmetics', email: 'sales@mora.example', currency: 'EUR', country: 'IT', vat: 'IT12345670017' },
]
