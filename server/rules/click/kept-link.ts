import { inOurNames, readNames } from './foreign-link.ts'
import type { ClickParameter } from './click-parameters.ts'

/*
 * Links of trackers and networks that name a campaign, and neither offer nor affiliate (reference: postback-dialects 2.10, 2.11, 3):
 * here a campaign is the code of a kept link, which somebody has said the offer and affiliate of.
 */

/** The parameter that names the campaign on a path: Binom's, and RedTrack's. */
const IN_QUERY: ReadonlyMap<string, string> = new Map([
  ['/click.php', 'key'],
  ['/click', 'cmpid'],
  ['/preclick', 'cmpid'],
])
/** Keitaro's alias, Voluum's uuid, RedTrack's number; BeMob's behind `/go/`, Admitad's behind `/g/`. */
const IN_PATH = /^\/(?:go?\/)?([\w.~-]{2,100})\/?$/
/** Partnerize's, with its parameters in the path behind it. */
const IN_PAIRS = /^\/click\/camref:([\w.~-]{2,100})(?=\/|$)/i
/** Keitaro's other way: the alias is the first word of the query. */
const IN_FRONT = /^([\w.~-]{2,100})(?:&|$)/
const CODE = /^[\w.~-]{2,100}$/

const NAMES: Readonly<Record<string, ClickParameter>> = {
  external_id: 'click_id',
  externalid: 'click_id',
  subid: 'click_id',
  pubref: 'click_id',
  ulp: 'deeplink',
  destination: 'deeplink',
  ...Object.fromEntries(
    // the numbered marks are there from 1 to 10
    Array.from({ length: 10 }, (_, at) => `sub${at + 1}` as ClickParameter).flatMap((own, at) => [
      [`t${at + 1}`, own],
      [`subid${at + 1}`, own],
    ]),
  ),
}

export type KeptCode = {
  code: string
  /** The path, with the parameter that names the campaign where one does. */
  path: string
  /** The rest of the query in our own names: read only where somebody keeps the code. */
  rest: () => string
}

/** The campaign an address of another tracker names; null = it names none. Whether anybody keeps it is for the caller to look up. */
export function readKeptLink(path: string, query: string): KeptCode | null {
  const inPairs = IN_PAIRS.exec(path)
  if (inPairs !== null) {
    const [start, code = ''] = inPairs
    return { code, path: start, rest: () => inOurNames(pairsOf(path.slice(start.length), query).join('&'), NAMES) }
  }
  const name = IN_QUERY.get(path.toLowerCase())
  if (name !== undefined) {
    const named = readNames(query, {}).map(({ text }) => text)
    const found = named.find((text) => text.toLowerCase().startsWith(`${name}=`))
    const code = found?.slice(name.length + 1) ?? ''
    if (!CODE.test(code)) return null
    return { code, path: `${path}?${name}=${code}`, rest: () => inOurNames(named.filter((text) => text !== found).join('&'), NAMES) }
  }
  const front = path === '/' ? IN_FRONT.exec(query)?.[1] : undefined
  if (front !== undefined) return { code: front, path: `/?${front}`, rest: () => inOurNames(query.slice(front.length + 1), NAMES) }
  const code = IN_PATH.exec(path)?.[1]
  return code === undefined ? null : { code, path, rest: () => inOurNames(query, NAMES) }
}

/** The segments `name:value` of a path as parameters; an address to lead to is all that follows, slashes and question mark and all. */
function pairsOf(path: string, query: string): string[] {
  const at = path.search(/\/destination:/i)
  const segments = at < 0 ? path : path.slice(0, at)
  const pairs = segments.split('/').flatMap((one) => (one.includes(':') ? asValue(one.replace(':', '=')) : []))
  if (at < 0) return query === '' ? pairs : [...pairs, query]
  const destination = path.slice(at + '/destination:'.length)
  return [...pairs, `destination=${asValue(destination)}${query === '' ? '' : asValue(`?${query}`)}`]
}

/** Signs that mean something in a query and nothing in a path. */
function asValue(text: string): string {
  return text.replaceAll('+', '%2B').replaceAll('&', '%26')
}
