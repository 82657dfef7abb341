import { readNames } from './foreign-link.ts'
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
const IN_PATH = /^\/(?:go?\/)?([\w.~-]{3,100})\/?$/
/** Partnerize's, with its parameters in the path; the address it leads to is the rest. */
const IN_PAIRS = /^\/click\/camref:([\w.~-]{3,100})((?:\/(?!destination:)[a-z_\d]+:[^/]*)*)(?:\/destination:(.+?))?\/?$/i
/** Keitaro's other way: the alias is the first word of the query. */
const IN_FRONT = /^([\w.~-]{3,100})(?:&|$)/

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

/**
 * Of an address of another tracker the code of its campaign and the rest of its query in our own names; null = it names none.
 * Whether anybody keeps such a code is for the caller to look up.
 */
export function readKeptLink(path: string, query: string): { code: string; query: string } | null {
  const pairs = IN_PAIRS.exec(path)
  if (pairs !== null) {
    const [, code = '', said = '', destination] = pairs
    const inPath = said.split('/').filter(Boolean)
    const all = [
      ...inPath.map((pair) => pair.replace(':', '=')),
      ...(destination === undefined ? [] : [`destination=${destination}`]),
      query,
    ]
    return { code, query: inOurNames(all.filter(Boolean).join('&')) }
  }
  const name = IN_QUERY.get(path.toLowerCase())
  if (name !== undefined) {
    const named = readNames(query, {}).map(({ text }) => text)
    const found = named.find((text) => text.toLowerCase().startsWith(`${name}=`))
    const code = found?.slice(name.length + 1) ?? ''
    return isCode(code) ? { code, query: inOurNames(named.filter((text) => text !== found).join('&')) } : null
  }
  const front = path === '/' ? IN_FRONT.exec(query)?.[1] : undefined
  if (front !== undefined) return { code: front, query: inOurNames(query.slice(front.length + 1)) }
  const code = IN_PATH.exec(path)?.[1]
  return code === undefined ? null : { code, query: inOurNames(query) }
}

function isCode(text: string): boolean {
  return /^[\w.~-]{3,100}$/.test(text)
}

function inOurNames(query: string): string {
  return readNames(query, NAMES)
    .map(({ text }) => text)
    .join('&')
}
