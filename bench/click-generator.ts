import { CLICK_TABLE, type ClickColumn } from '#server/rules/click/click-row.ts'

export type Shape = {
  rows: number
  affiliates: number
  offers: number
  /** The clicks lie in the `days` before `end`. */
  days: number
  end: Date
  seed?: number
  /** Share of the clicks that carry an ad network's own id, of 60 characters. */
  adIds?: number
}

/**
 * A SELECT of synthetic clicks in the columns of `click`, in the order of time: the same rows for the same shape.
 * Zipf over affiliates, over each affiliate's up to 24 offers and over all offers, a day curve, up to 8 of 40 countries an offer by weight, 500 User-Agents, four
 * of five visitors new, half the clicks with an affiliate's own 24-character id, a quarter with a fresh sub2;
 * 4 % refused, 3 % bots, 1 % duplicates. Of each country some 30 regions, 300 cities and 60 networks by Zipf; half the clicks tell client
 * hints, a third a referrer, a tenth a parameter nobody reads.
 */
export function clickRowsSql(shape: Shape, from = 0, count = shape.rows): string {
  const { rows, affiliates, offers, days, end, seed = 1, adIds = 0 } = shape
  // A number in [0, 1) that depends on the row and on what it is for.
  const u = (purpose: number, key = 'number') => `(cityHash64(${key}, ${purpose}, ${seed}) / 18446744073709551616.)`
  const zipf = (purpose: number, n: number | string, key = 'number') => `toUInt32(floor(pow(toFloat64(${n}), ${u(purpose, key)})))`
  const endMs = end.getTime()
  const pick = (purpose: number, values: string[], key = 'number') =>
    `arrayElement([${values.map((value) => `'${value}'`).join(', ')}], ${zipf(purpose, values.length, key)})`
  const columns: Partial<Record<ClickColumn, string>> = {
    ts: 'fromUnixTimestamp64Milli(toInt64(at))',
    rnd: 'toUInt32(cityHash64(number, 2))',
    affiliate: 'aff',
    offer: 'off',
    advertiser: 'toUInt32(1 + off % 37)',
    landing: `if(${u(5)} < 0.6, 0, toUInt32(off * 3 + ${zipf(6, 3)} - 1))`,
    prelanding: `if(${u(7)} < 0.9, 0, toUInt32(1000 + off % 20))`,
    geo: `arrayElement(${GEOS}, toUInt32(1 + cityHash64(off, ${zipf(8, 8)}) % 40))`,
    device: `multiIf(agent % 100 < 62, 'mobile', agent % 100 < 95, 'desktop', 'tablet')`,
    os: `multiIf(agent % 100 < 40, 'Android', agent % 100 < 62, 'iOS', agent % 100 < 85, 'Windows', 'macOS')`,
    browser: `multiIf(agent % 7 < 4, 'Chrome', agent % 7 < 6, 'Safari', 'Firefox')`,
    lang: pick(9, ['en', 'de', 'uk', 'pl', 'es', 'fr', 'it', 'pt']),
    source: pick(10, ['', 'facebook', 'google', 'tiktok', 'push', 'native', 'mail'], 'aff'),
    sub1: `concat('c', toString(aff), '-', toString(${zipf(11, 60)}))`,
    sub2: `if(${u(12)} < 0.26, hex(cityHash64(number, 13)), concat('ad', toString(${zipf(14, 400)})))`,
    sub3: `if(aff % 3 = 0, toString(${zipf(15, 2000)}), '')`,
    aff_click_id: `if(aff % 2 = 0, lower(substring(hex(sipHash128(number, 16)), 1, 24)), '')`,
    ip: `toIPv6(IPv4NumToString(toUInt32(cityHash64(person, 17))))`,
    ua: `concat('Mozilla/5.0 (', os, '; build ', toString(agent), ') AppleWebKit/537.36 (KHTML, like Gecko) ', browser, '/', toString(100 + agent % 40), '.0.0.0 Safari/537.36')`,
    visitor: 'bitShiftRight(cityHash64(person, agent), 1)',
    reason: `multiIf(${u(18)} < 0.96, '', ${u(19)} < 0.5, 'targeting_geo', ${u(19)} < 0.8, 'no_access', 'offer_inactive')`,
    os_version: `multiIf(os = 'Android', toString(10 + agent % 6), os = 'iOS', concat(toString(15 + agent % 4), '.', toString(agent % 7)), os = 'Windows', '10', '10.15')`,
    browser_version: `concat(toString(100 + agent % 40), '.0')`,
    brand: `multiIf(os = 'Android', ['Samsung', 'Xiaomi', 'Motorola', 'OPPO', ''][1 + agent % 5], os IN ('iOS', 'macOS'), 'Apple', '')`,
    model: `multiIf(os = 'Android' AND agent % 5 < 4, concat('SM-A', toString(agent)), os = 'iOS', 'iPhone', '')`,
    region: `concat(toString(geo), '-region ', toString(${zipf(30, 30, 'person')}))`,
    city: `concat(region, ' city ', toString(${zipf(31, 10, 'person')}))`,
    network: `concat('Some Telecom Ltd (AS', toString(1000 + cityHash64(geo, ${zipf(32, 60, 'person')}) % 60000), ')')`,
    connection: `multiIf(cityHash64(network) % 25 = 0, 'hosting', cityHash64(network) % 7 = 0, 'cellular', 'unknown')`,
    referrer: `if(${u(33)} < 0.35, ${pick(34, ['www.google.com', 'm.facebook.com', 'www.tiktok.com', 'news.example', 'blog.example', 'forum.example', 'shop.example', 'l.instagram.com'])}, '')`,
    referrer_path: `if(referrer = '', '', if(${u(35)} < 0.9, '/', concat('/article/', toString(${zipf(36, 5000)}))))`,
    ad_param: `if(${u(37)} < ${adIds}, ['gclid', 'fbclid', 'ttclid'][1 + aff % 3], '')`,
    ad_id: `if(ad_param = '', '', substring(base64Encode(concat(sipHash128(number, 38), sipHash128(number, 39), sipHash128(number, 40))), 1, 60))`,
    hints: `if(browser = 'Chrome', concat('"Chromium";v="', toString(100 + agent % 40), '", "Google Chrome";v="', toString(100 + agent % 40), '", "Not?A_Brand";v="99"|', if(device = 'mobile', '?1', '?0'), '|"', os, '"'), '')`,
    unread: `if(${u(41)} < 0.1, concat('utm_campaign=c', toString(${zipf(42, 300)}), '&utm_medium=cpc'), '')`,
    flags: `toUInt8(multiIf(${u(20)} < 0.96, 0, ${u(20)} < 0.985, 1, ${u(20)} < 0.99, 4, 16))`,
  }
  // The time of day is bent, so that the evening has about five times the clicks of the night.
  const at = `${endMs - days * 86_400_000} + floor(${days * 86_400_000} * ((number + ${u(1)}) / ${rows})) `
  return `SELECT ${CLICK_TABLE.map(({ name, type }) => `${columns[name] ?? (type.startsWith('UInt') ? '0' : `''`)} AS ${name}`).join(', ')}
FROM (
  SELECT number,
    ${at} AS plain,
    plain - modulo(plain, 86400000) + floor(86400000 * pow(modulo(plain, 86400000) / 86400000, 0.7)) AS at,
    ${zipf(3, affiliates)} AS aff,
    ${zipf(24, offers, `cityHash64(aff, ${zipf(4, 24)})`)} AS off,
    if(${u(21)} < 0.8, number, toUInt64(floor(number * ${u(22)}))) AS person,
    toUInt32(${zipf(23, 500, 'person')}) AS agent
  FROM numbers(${from}, ${count})
)`
}

const GEOS = `['US','DE','UA','PL','GB','FR','IT','ES','BR','IN','CA','NL','RO','CZ','TR','MX','AU','SE','PT','HU','AT','BE','CH','GR','BG','DK','FI','NO','IE','SK','JP','KR','TH','VN','ID','PH','MY','ZA','NG','ZZ']`
