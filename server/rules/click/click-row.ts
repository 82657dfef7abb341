import { NO_NETWORK, type Connection } from '#server/platform/geo/network.ts'
import { NOWHERE } from '#server/platform/geo/place.ts'
import { readClickParameters, type ClickParameters } from './click-parameters.ts'
import { NOTHING_TOLD, type UserAgentFacts } from './user-agent.ts'

type Column = {
  name: string
  /** Its type in the table `click`; `click_inlet` takes the same without dictionaries. */
  type: string
  /** Its value before it is escaped. The core (server/tracker/core/core.ts) writes the same bytes without making the text. */
  from: (made: DecidedClick) => string
  /**
   * Conversions take it over, and with them `conversion_fact`. `own`: it has a column in PostgreSQL's `conversion`;
   * `carried`: it stands in `conversion.carried` under its name, so that a new one needs no migration there. `personal`:
   * there too, but in no fact, and forgotten with the address.
   */
  fact?: 'own' | 'carried' | 'personal'
  /** Never read back row by row, only counted. */
  countedOnly?: true
}

/**
 * The columns of a stored click, in the order in which the tracker writes them and ClickHouse stores them. Rows of the spool,
 * what lists and postbacks read back, facts and test rows follow from this table.
 *
 * A spool segment names its columns in its header, so a column may be appended here without breaking older segments;
 * none may be renamed, moved or removed. How a new one is added: docs/architecture.md, "What a change costs".
 */
export const CLICK_TABLE = [
  { name: 'ts', type: "DateTime64(3, 'UTC')", from: ({ click }) => secondsOf(click.at) }, // equal to the time inside the click id; written as seconds with three decimals
  { name: 'rnd', type: 'UInt32', from: ({ click }) => String(click.random) }, // the random part of the click id
  { name: 'affiliate', type: 'UInt32', from: ({ affiliate }) => String(affiliate) }, // numeric id (pid)
  { name: 'offer', type: 'UInt32', from: ({ offer }) => String(offer) },
  { name: 'advertiser', type: 'UInt32', from: ({ advertiser }) => String(advertiser) },
  { name: 'landing', type: 'UInt32', from: ({ landing }) => String(landing), fact: 'own' }, // 0 = the offer's own URL; of a refused click the one asked for
  { name: 'prelanding', type: 'UInt32', from: ({ prelanding }) => String(prelanding), fact: 'own' }, // 0 = none
  { name: 'geo', type: 'LowCardinality(FixedString(2))', from: ({ click }) => click.geo, fact: 'own' }, // ISO 3166 alpha-2 in capitals, '' → stored as 'ZZ' when unknown
  { name: 'device', type: 'LowCardinality(String)', from: ({ click }) => click.facts.device, fact: 'own' }, // one of DEVICES
  { name: 'os', type: 'LowCardinality(String)', from: ({ click }) => click.facts.os, fact: 'own' }, // family, e.g. 'Windows', 'Android', 'iOS'
  { name: 'browser', type: 'LowCardinality(String)', from: ({ click }) => click.facts.browser, fact: 'own' }, // family, e.g. 'Chrome'
  { name: 'lang', type: 'LowCardinality(String)', from: ({ click }) => click.language, fact: 'own' }, // first language of Accept-Language, two lower-case letters or ''
  { name: 'source', type: 'LowCardinality(String)', from: ({ click }) => click.parameters.source, fact: 'own' },
  { name: 'sub1', type: 'LowCardinality(String)', from: ({ click }) => click.parameters.sub1, fact: 'own' },
  { name: 'sub2', type: 'String', from: ({ click }) => click.parameters.sub2, fact: 'own' },
  { name: 'sub3', type: 'String', from: ({ click }) => click.parameters.sub3, fact: 'own' },
  { name: 'sub4', type: 'String', from: ({ click }) => click.parameters.sub4, fact: 'own' },
  { name: 'sub5', type: 'String', from: ({ click }) => click.parameters.sub5, fact: 'own' },
  { name: 'sub6', type: 'String', from: ({ click }) => click.parameters.sub6, fact: 'own' },
  { name: 'sub7', type: 'String', from: ({ click }) => click.parameters.sub7, fact: 'own' },
  { name: 'sub8', type: 'String', from: ({ click }) => click.parameters.sub8, fact: 'own' },
  { name: 'sub9', type: 'String', from: ({ click }) => click.parameters.sub9, fact: 'own' },
  { name: 'sub10', type: 'String', from: ({ click }) => click.parameters.sub10, fact: 'own' },
  { name: 'aff_click_id', type: 'String', from: ({ click }) => click.parameters.click_id }, // the affiliate's own id
  { name: 'ip', type: 'IPv6', from: ({ click }) => click.address.stored }, // IPv4 as ::ffff:a.b.c.d
  { name: 'ua', type: 'LowCardinality(String)', from: ({ click }) => click.userAgent },
  { name: 'visitor', type: 'UInt64', from: ({ click }) => String(click.visitor), countedOnly: true }, // decimal below 2^63, keyed hash of address (/64 for IPv6) and User-Agent
  { name: 'reason', type: 'LowCardinality(String)', from: ({ reason }) => reason }, // '' = redirected to the offer, otherwise a code of REFUSALS
  { name: 'flags', type: 'UInt8', from: ({ flags }) => String(flags) }, // bits of CLICK_FLAG
  { name: 'os_version', type: 'LowCardinality(String)', from: ({ click }) => click.facts.os_version, fact: 'carried' }, // '17.5', as told
  { name: 'browser_version', type: 'LowCardinality(String)', from: ({ click }) => click.facts.browser_version, fact: 'carried' },
  { name: 'brand', type: 'LowCardinality(String)', from: ({ click }) => click.facts.brand, fact: 'carried' },
  { name: 'model', type: 'LowCardinality(String)', from: ({ click }) => click.facts.model, fact: 'carried' },
  { name: 'region', type: 'LowCardinality(String)', from: ({ click }) => click.place.region, fact: 'carried' }, // names of DB-IP, '' = unknown
  { name: 'city', type: 'LowCardinality(String)', from: ({ click }) => click.place.city, fact: 'carried' },
  { name: 'network', type: 'LowCardinality(String)', from: ({ click }) => click.network.label, fact: 'carried' }, // who announces the address: 'Google LLC (AS15169)'
  { name: 'connection', type: 'LowCardinality(String)', from: ({ click }) => click.network.connection, fact: 'carried' }, // hosting, cellular, unknown
  { name: 'referrer', type: 'LowCardinality(String)', from: ({ click }) => click.referrer, fact: 'carried' }, // its host
  { name: 'referrer_path', type: 'String', from: ({ click }) => click.referrerPath, fact: 'personal' },
  { name: 'ad_param', type: 'LowCardinality(String)', from: ({ click }) => click.parameters.ad_param, fact: 'carried' }, // one of AD_PARAMETERS, e.g. 'gclid'
  { name: 'ad_id', type: 'String', from: ({ click }) => click.parameters.ad_id, fact: 'personal' }, // the ad network's own id of the click
  { name: 'hints', type: 'LowCardinality(String)', from: ({ click }) => click.hints, fact: 'personal' }, // Sec-CH-UA | Sec-CH-UA-Mobile | Sec-CH-UA-Platform
  { name: 'unread', type: 'String', from: ({ click }) => click.parameters.unread, fact: 'personal' }, // the parameters of the link that nothing else took, as they came
] as const satisfies readonly Column[]
export type ClickColumn = (typeof CLICK_TABLE)[number]['name']
export const CLICK_COLUMNS: readonly ClickColumn[] = CLICK_TABLE.map(({ name }) => name)

type FactOf<Kind> = Extract<(typeof CLICK_TABLE)[number], { fact: Kind }>['name']
const columnsThat = <Kind extends Column['fact']>(...kinds: Kind[]) =>
  CLICK_TABLE.filter(({ fact }: Column) => kinds.some((kind) => kind === fact)).map(({ name }) => name) as FactOf<Kind>[] // the same condition in types
/** The columns of conversion facts that conversions carry from their click. */
export const CARRIED_COLUMNS = columnsThat('carried')
/** What conversions carry beside them, until their visitor is forgotten. */
export const PERSONAL_COLUMNS = columnsThat('personal')
/** Of a conversion whose click was before there was such a column. */
export const BLANK_CARRIED: Carried = Object.fromEntries(
  CLICK_TABLE.map(({ name, type }) => [name, name === 'connection' ? 'unknown' : type.startsWith('UInt') ? 0 : '']),
)
/** Their values, by name. */
export type Carried = Readonly<Record<string, string | number>>

/** A click as the tracker sees it, decoded and cleaned. */
export type Click = {
  /** Whole milliseconds: the time of the id and of the row. */
  at: number
  /** 32 bits; draws the landing too. */
  random: number
  parameters: ClickParameters
  head: boolean
  /** `shown` is what people read (dotted for IPv4), `stored` the IPv6 form. */
  address: { shown: string; stored: string }
  userAgent: string
  facts: UserAgentFacts
  /** ISO alpha-2, 'ZZ' when unknown. */
  geo: string
  /** '' when unknown. */
  place: { region: string; city: string }
  network: { asn: number; label: string; connection: Connection }
  visitor: number
} & ToldByHeaders

/** What the headers of a click tell beside its address and its User-Agent. */
export type ToldByHeaders = {
  prefetch: boolean
  /** Two letters, '' when unknown. */
  language: string
  /** Host and path of the page the link stood on, '' when unknown. */
  referrer: string
  referrerPath: string
  /** What the browser says of itself beside its User-Agent: `brands|mobile|platform`, '' when it says nothing. */
  hints: string
}

/** A click that is not read from a request: what is not stated is as of a request that tells nothing. */
export function clickOf(stated: Partial<Click>): Click {
  return {
    at: 0,
    random: 0,
    parameters: NO_PARAMETERS,
    head: false,
    address: { shown: '', stored: '::' },
    userAgent: '',
    facts: NOTHING_TOLD,
    geo: 'ZZ',
    place: NOWHERE,
    network: NO_NETWORK,
    visitor: 0,
    prefetch: false,
    language: '',
    referrer: '',
    referrerPath: '',
    hints: '',
    ...stated,
  }
}

const NO_PARAMETERS = readClickParameters('')

/** A click with what was decided about it: numbers of entities, 0 = none. */
export type DecidedClick = {
  click: Click
  affiliate: number
  offer: number
  advertiser: number
  landing: number
  prelanding: number
  reason: string
  flags: number
}

/** The row of a click by the plain rules. */
export function clickRow(made: DecidedClick): Record<ClickColumn, string> {
  return Object.fromEntries(CLICK_TABLE.map(({ name, from }) => [name, from(made)])) as Record<ClickColumn, string> // one value for each column
}

/** Bits of `flags`. Rows with any bit but `duplicate` or `deeplink_ignored` set are not counted as clicks. */
export const CLICK_FLAG = { bot: 1, head: 2, prefetch: 4, test: 8, duplicate: 16, deeplink_ignored: 32 } as const

/** The flags that keep a row out of the click count. */
export const UNCOUNTED_FLAGS = CLICK_FLAG.bot | CLICK_FLAG.head | CLICK_FLAG.prefetch | CLICK_FLAG.test

/** Seconds and three decimals, as the column `ts` reads them. */
function secondsOf(at: number): string {
  return `${Math.floor(at / 1000)}.${String(at % 1000).padStart(3, '0')}`
}
