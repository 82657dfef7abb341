import { PARAMETER_NAMES, type ClickParameter } from './click-parameters.ts'

/**
 * Links as other platforms write them (reference: postback-dialects 2): where they lead, and what their parameters are
 * called there beside the names every link may use. Who moves a network here keeps the links that are out.
 */
const PLATFORMS: readonly { path: string; names: Readonly<Record<string, ClickParameter>> }[] = [
  // Trackier, Swaarm
  { path: '/click', names: { campaign_id: 'offer_id', pub_id: 'pid', pub_click_id: 'click_id', pub_sub_id: 'source' } },
  // TUNE
  { path: '/aff_c', names: { url: 'deeplink' } },
  // Offer18
  { path: '/c', names: { sub_aff_id: 'source' } },
  // FuseClick
  { path: '/tl', names: { sub_affid: 'source' } },
  // CAKE, whose s2 is where an affiliate's own id stands
  { path: '/', names: { c: 'offer_id' } },
]
const PATHS = new Map(PLATFORMS.map(({ path, names }) => [path, names]))
const NEEDED: readonly ClickParameter[] = ['offer_id', 'pid']

/** Whether clicks may come on a path in the manner of another platform. */
export function isForeignPath(path: string): boolean {
  return PATHS.has(path.toLowerCase())
}

/**
 * The query of a link in our own names, where it was written for another platform, in capitals, or pasted out of HTML;
 * null where it names no offer and affiliate in any of these ways, or needs no other reading. Our own names come first.
 */
export function readForeignLink(path: string, query: string): string | null {
  const names = PATHS.get(path.toLowerCase())
  const text = names === undefined ? null : wholeLink(query, names)
  return path === '/click' && text === query ? null : text
}

/** Whether an address says its offer and affiliate by itself, in our names or those of another platform. */
export function namesOfferAndAffiliate(path: string, query: string): boolean {
  const names = PATHS.get(path.toLowerCase())
  return names !== undefined && wholeLink(query, names) !== null
}

/** A click link in our names but for capitals or `amp;`, mended; null where nothing is to be mended, or it names no offer and affiliate so. */
export function mendedLink(query: string): string | null {
  const text = wholeLink(query, {})
  return text === query ? null : text
}

/** A query in our own names; null where it does not name both an offer and an affiliate. */
function wholeLink(query: string, names: Readonly<Record<string, ClickParameter>>): string | null {
  const read = readNames(query, names)
  return NEEDED.every((one) => read.some(({ as }) => as === one)) ? read.map(({ text }) => text).join('&') : null
}

/** The query of a link whose path names offer and affiliate, as Everflow writes it, in our own names; the path comes first. */
export function readPathLink({ offerId, affiliateId }: { offerId: number; affiliateId: number }, query: string): string {
  return [`offer_id=${offerId}`, `pid=${affiliateId}`, inOurNames(query)].join('&')
}

/** A query with its parameters in our own names as far as they have one. */
export function inOurNames(query: string, names: Readonly<Record<string, ClickParameter>> = {}): string {
  return readNames(query, names)
    .map(({ text }) => text)
    .join('&')
}

/**
 * The parameters of a query by our own names as far as they have one, also in capitals and pasted out of HTML. What is spelt right is left as
 * it is and comes first: a capital letter means the parameter only where nothing else does.
 */
export function readNames(
  query: string,
  names: Readonly<Record<string, ClickParameter>>,
): { as: ClickParameter | undefined; text: string }[] {
  const given = query
    .replaceAll(/(^|&)(?:amp(?:;|%3B))+/gi, '$1')
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const at = pair.indexOf('=')
      const name = at < 0 ? pair : pair.slice(0, at)
      return { pair, name: name.toLowerCase(), value: at < 0 ? '' : pair.slice(at), exact: PARAMETER_NAMES.get(name) }
    })
  const spelt = new Set(given.flatMap(({ exact }) => exact ?? []))
  const own = given.map(({ name, exact }) => {
    const loose = PARAMETER_NAMES.get(name)
    return exact ?? (loose !== undefined && !spelt.has(loose) ? loose : undefined)
  })
  const named = new Set(own)
  return given.map(({ pair, name, value, exact }, at) => {
    const other = Object.hasOwn(names, name) ? names[name] : undefined
    const as = own[at] ?? (other !== undefined && !named.has(other) ? other : undefined)
    return { as, text: exact !== undefined || as === undefined ? pair : `${as}${value}` }
  })
}
