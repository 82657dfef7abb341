/**
 * The columns of a stored click, in the order in which the tracker writes them and ClickHouse stores them.
 *
 * A spool segment names its columns in its header, so a column may be appended here without breaking older segments;
 * none may be renamed, moved or removed. Types live in `server/migrations/clickhouse`: rows go into `click_inlet`, which hands
 * them on to `click`; a new column needs both, and the view between them made anew.
 */
export const CLICK_COLUMNS = [
  'ts', // DateTime64(3) UTC, equal to the time inside the click id; written as seconds with three decimals
  'rnd', // UInt32, the random part of the click id
  'affiliate', // UInt32, numeric id (pid)
  'offer', // UInt32
  'advertiser', // UInt32
  'landing', // UInt32, 0 = the offer's own URL
  'prelanding', // UInt32, 0 = none
  'geo', // ISO 3166 alpha-2 in capitals, '' → stored as 'ZZ' when unknown
  'device', // desktop, mobile, tablet, tv, bot, unknown
  'os', // family, e.g. 'Windows', 'Android', 'iOS'
  'browser', // family, e.g. 'Chrome'
  'lang', // first language of Accept-Language, two lower-case letters or ''
  'source',
  'sub1',
  'sub2',
  'sub3',
  'sub4',
  'sub5',
  'sub6',
  'sub7',
  'sub8',
  'sub9',
  'sub10',
  'aff_click_id', // the affiliate's own id
  'ip', // IPv6 text; IPv4 as ::ffff:a.b.c.d
  'ua',
  'visitor', // UInt64 decimal below 2^63, keyed hash of address (/64 for IPv6) and User-Agent
  'reason', // '' = redirected to the offer, otherwise a code of REFUSALS
  'flags', // UInt8, bits of CLICK_FLAG
] as const
export type ClickColumn = (typeof CLICK_COLUMNS)[number]

/** Bits of `flags`. Rows with any bit but `duplicate` or `deeplink_ignored` set are not counted as clicks. */
export const CLICK_FLAG = { bot: 1, head: 2, prefetch: 4, test: 8, duplicate: 16, deeplink_ignored: 32 } as const

/** The flags that keep a row out of the click count. */
export const UNCOUNTED_FLAGS = CLICK_FLAG.bot | CLICK_FLAG.head | CLICK_FLAG.prefetch | CLICK_FLAG.test

/**
 * Why a click was refused, in the order in which the checks run; the first that fails wins.
 * The first three are answered 404 and counted in a metric only, with a sample of 1 % in the log.
 */
export const REFUSALS = [
  'malformed',
  'unknown_offer',
  'unknown_affiliate',
  'affiliate_inactive',
  'advertiser_inactive',
  'offer_inactive',
  'outside_dates',
  'no_access',
  'landing_inactive',
  'targeting_geo',
  'targeting_device',
  'targeting_os',
  'targeting_browser',
  'targeting_language',
  'conversion_cap',
] as const
export type Refusal = (typeof REFUSALS)[number]
