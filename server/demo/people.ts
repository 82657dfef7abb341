import type { AdvertiserInput } from '#contract/people/advertiser.ts'
import type { AffiliateInput } from '#contract/people/affiliate.ts'
import type { ManagerInput } from '#contract/people/manager.ts'

type Staff = Pick<ManagerInput, 'name' | 'email' | 'role' | 'type'> & { lead?: string; status?: 'blocked' | 'deleted' }

/** Who works for the demo network: two teams of two, who helps them, and who did. `lead` is the e-mail of the team lead. */
export const STAFF: readonly Staff[] = [
  { name: 'Olena Shevchuk', email: 'head@ohma.example', role: 'head', type: 'head' },
  { name: 'Marek Nowak', email: 'lead@ohma.example', role: 'team lead', type: 'affiliate' },
  { name: 'Inês Duarte', email: 'lead.west@ohma.example', role: 'team lead', type: 'affiliate' },
  { name: 'Taras Koval', email: 'manager@ohma.example', role: 'manager', type: 'affiliate', lead: 'lead@ohma.example' },
  { name: 'Anna Wójcik', email: 'anna@ohma.example', role: 'manager', type: 'advertiser', lead: 'lead@ohma.example' },
  { name: 'Pedro Almeida', email: 'pedro@ohma.example', role: 'manager', type: 'affiliate', lead: 'lead.west@ohma.example' },
  { name: 'Claire Martin', email: 'claire@ohma.example', role: 'manager', type: 'affiliate', lead: 'lead.west@ohma.example' },
  staff('Oksana Lytvyn', 'advertiser'),
  staff('Jonas Weber', 'advertiser'),
  staff('Sofia Rossi', 'advertiser'),
  staff('Kateryna Melnyk', 'support'),
  staff('Tomasz Zieliński', 'support'),
  staff('Bohdan Savchuk', 'support'),
  staff('Halyna Kravets', 'finance'),
  staff('Lukas Novák', 'finance'),
  staff('Andrii Hnatiuk', 'affiliate', 'blocked'),
  staff('Ewa Kowalska', 'advertiser', 'blocked'),
  staff('Miguel Santos', 'support', 'blocked'),
  staff('Yana Petrenko', 'finance', 'blocked'),
  staff('Robert Fischer', 'affiliate', 'blocked'),
  staff('Dmytro Tkach', 'affiliate', 'deleted'),
  staff('Laura Bianchi', 'support', 'deleted'),
  staff('Petr Dvořák', 'finance', 'deleted'),
  staff('Nina Hoffmann', 'advertiser', 'deleted'),
  staff('Ivan Bilyk', 'finance', 'deleted'),
]

function staff(name: string, type: Staff['type'], status?: Staff['status']): Staff {
  const [first = ''] = name.toLowerCase().split(' ')
  return { name, email: `${first}@ohma.example`, role: 'manager', type, ...(status && { status }) }
}

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
  affiliate('Pixel Dacha', 'pixeldacha', 'KZ', 'Asia/Almaty', 'USD', ['tiktok', 'facebook']),
  affiliate('Mango Clicks', 'mango', 'PH', 'Asia/Manila', 'USD', ['facebook', 'tiktok']),
  // their traffic ended in the middle of the month
  affiliate('Old Town Ads', 'oldtown', 'EE', 'Europe/Tallinn', 'EUR', ['native'], [], 'inactive'),
  affiliate('Quick Bucks', 'quickbucks', 'US', 'America/New_York', 'USD', ['pops'], ['fraud'], 'banned'),
  affiliate('Rhein Media', 'rheinmedia', 'DE', 'Europe/Berlin', 'EUR', ['native'], [], 'inactive'),
  affiliate('Click Tornado', 'tornado', 'IN', 'Asia/Kolkata', 'USD', ['pops', 'push'], ['fraud'], 'banned'),
  affiliate('Sevilla Leads', 'sevilla', 'ES', 'Europe/Madrid', 'EUR', ['search'], [], 'inactive'),
  affiliate('Install Rocket', 'rocket', 'VN', 'Asia/Ho_Chi_Minh', 'USD', ['in_app'], ['fraud'], 'banned'),
  affiliate('Podillia Traffic', 'podillia', 'UA', 'Europe/Kyiv', 'UAH', ['facebook'], [], 'inactive'),
  affiliate('Free Spins Daily', 'freespins', 'MT', 'Europe/Malta', 'EUR', ['email'], ['fraud'], 'banned'),
  affiliate('Baltic Banners', 'baltic', 'LV', 'Europe/Riga', 'EUR', ['contextual'], [], 'inactive'),
  affiliate('Cashback Cousins', 'cousins', 'GB', 'Europe/London', 'USD', ['cashback'], ['fraud'], 'banned'),
  // they have never sent anything
  affiliate('Свіжий Трафік', 'svizhyi', 'UA', 'Europe/Kyiv', 'UAH', ['tiktok'], [], 'moderation'),
  affiliate('Danube Digital', 'danube', 'HU', 'Europe/Budapest', 'EUR', ['google'], [], 'moderation'),
  affiliate('Maple Native', 'maple', 'CA', 'America/Toronto', 'USD', ['native'], [], 'moderation'),
  affiliate('Sultan Push', 'sultan', 'TR', 'Europe/Istanbul', 'USD', ['push'], [], 'moderation'),
  affiliate('Creators of Porto', 'porto', 'PT', 'Europe/Lisbon', 'EUR', ['influencer'], [], 'moderation'),
  affiliate('Andes Social', 'andes', 'MX', 'America/Mexico_City', 'USD', ['social'], [], 'moderation'),
  affiliate('Sparrow Mailing', 'sparrow', 'IE', 'Europe/Dublin', 'EUR', ['email'], [], 'rejected'),
  affiliate('Twelve Tabs', 'twelvetabs', 'US', 'America/Chicago', 'USD', ['pops'], [], 'rejected'),
  affiliate('Zip Zap Ads', 'zipzap', 'NG', 'Africa/Lagos', 'USD', ['sms'], [], 'rejected'),
  affiliate('Toolbar Friends', 'toolbar', 'NL', 'Europe/Amsterdam', 'EUR', ['other'], [], 'rejected'),
  affiliate('Lists and Lists', 'lists', 'RO', 'Europe/Bucharest', 'EUR', ['email'], [], 'rejected'),
  affiliate('Marta Blog', 'martablog', 'PL', 'Europe/Warsaw', 'EUR', ['seo'], [], 'unverified'),
  affiliate('Reel Deals', 'reeldeals', 'AU', 'Australia/Sydney', 'USD', ['social'], [], 'unverified'),
  affiliate('Harkiv Push', 'harkivpush', 'UA', 'Europe/Kyiv', 'UAH', ['push'], [], 'unverified'),
  affiliate('Tulip Traffic', 'tulip', 'NL', 'Europe/Amsterdam', 'EUR', ['search'], [], 'unverified'),
  affiliate('Roma Social Club', 'romasocial', 'IT', 'Europe/Rome', 'EUR', ['influencer'], [], 'unverified'),
]

type Advertiser = Pick<AdvertiserInput, 'name' | 'email' | 'currency'> & {
  country: string
  vat: string
  status: 'active' | 'inactive' | 'deleted'
  /** How it authorises its postbacks; by token where nothing is said. */
  auth?: AdvertiserInput['postback_auth']
  /** Its words, beside those everybody knows. */
  words?: AdvertiserInput['postback_words']
}
const advertiser = (
  name: string,
  email: string,
  currency: Advertiser['currency'],
  country: string,
  vat: string,
  more: Partial<Advertiser> = {},
): Advertiser => ({ name, email, currency, country, vat, status: 'active', ...more })

/** Addresses their servers call from. */
export const LISTED_ADDRESS = '198.51.100.24'

export const ADVERTISERS: readonly Advertiser[] = [
  advertiser('Finova Bank', 'partners@finova.example', 'EUR', 'DE', 'DE123456789', { auth: 'both' }),
  advertiser('Kredyt24', 'affiliate@kredyt24.example', 'EUR', 'PL', 'PL5260250274'),
  advertiser('Гарна Крамниця', 'cpa@harna.example', 'UAH', 'UA', '3012345678'),
  advertiser('Aurora Games', 'ua@aurora-games.example', 'USD', 'CY', 'CY10259033P'),
  advertiser('SafeDrive Insurance', 'growth@safedrive.example', 'EUR', 'ES', 'ESX1234567X', { auth: 'either' }),
  advertiser('Lingua Prime', 'marketing@lingua.example', 'USD', 'US', ''),
  advertiser('VPN Shield', 'partners@vpnshield.example', 'USDT', 'NL', 'NL123456789B01'),
  advertiser('Mora Cosmetics', 'sales@mora.example', 'EUR', 'IT', 'IT12345670017', { auth: 'ip' }),
  advertiser('Vitalis Pharma', 'cpa@vitalis.example', 'USD', 'CY', 'CY10411122K'),
  advertiser('Bellanova Labs', 'traffic@bellanova.example', 'USD', 'EE', 'EE101234567'),
  advertiser('Velvet Match', 'partners@velvetmatch.example', 'USD', 'NL', 'NL987654321B01'),
  advertiser('Otter Gaming', 'affiliates@otter.example', 'USD', 'MT', 'MT12345678'),
  advertiser('GoalRush', 'media@goalrush.example', 'EUR', 'MT', 'MT87654321'),
  advertiser('Savanna Play', 'partners@savanna.example', 'USD', 'KE', ''),
  advertiser('Northloft', 'partner@northloft.example', 'EUR', 'DE', 'DE987654321', { auth: 'either' }),
  advertiser('Pawberry', 'hello@pawberry.example', 'GBP', 'GB', 'GB123456789'),
  advertiser('Credora', 'leads@credora.example', 'UAH', 'UA', '3098765432'),
  advertiser('Tengri Pay', 'growth@tengri.example', 'USD', 'KZ', ''),
  advertiser('Brightbyte Apps', 'ua@brightbyte.example', 'USD', 'IE', 'IE1234567T'),
  advertiser('Aurora Games Japan', 'ua-jp@aurora-games.example', 'JPY', 'JP', ''),
  // those whose contracts ended
  advertiser('Bonvida Assurance', 'partenaires@bonvida.example', 'EUR', 'FR', 'FR12345678901', { status: 'inactive' }),
  advertiser('Lampadario', 'ciao@lampadario.example', 'EUR', 'IT', 'IT98765430012', { status: 'inactive' }),
  advertiser('Fjord Games', 'aff@fjord.example', 'EUR', 'FI', 'FI12345678', { status: 'inactive' }),
  advertiser('TaxPilot', 'hi@taxpilot.example', 'GBP', 'GB', 'GB987654321', { status: 'inactive' }),
  advertiser('Cloud Kitchen Club', 'ads@cloudkitchen.example', 'EUR', 'NL', '', { status: 'inactive' }),
  advertiser('Surf Rental Group', 'ads@surfrental.example', 'EUR', 'PT', '', { status: 'deleted' }),
  advertiser('Test Advertiser', 'test@ohma.example', 'USD', 'UA', '', { status: 'deleted' }),
  advertiser('Mint Mobile Plans', 'leads@mintplans.example', 'USD', 'US', '', { status: 'deleted' }),
  advertiser('Domino Loans', 'cpa@dominoloans.example', 'EUR', 'PL', '', { status: 'deleted' }),
  advertiser('Gadget Barn', 'sales@gadgetbarn.example', 'USD', 'US', '', { status: 'deleted' }),
]
