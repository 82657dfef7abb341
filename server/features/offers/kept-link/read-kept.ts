import type { KEPT_REFUSALS } from '#contract/offers/kept-link.ts'
import { isForeignPath, readForeignLink } from '#server/rules/click/foreign-link.ts'
import { readKeptLink } from '#server/rules/click/kept-link.ts'

/** What one line names: the code of a campaign, the path it stood in, and who it is kept for ('' = whom all lines are for). */
export type KeptLine = { code: string; path: string; affiliate: string }

/** Paths the tracking domain answers itself. */
const SERVED = new Set(['click', 'click.php', 'preclick', 'postback', 'livez', 'readyz', 'metrics', 'robots.txt', 'favicon.ico'])

/** An address alone, or with who it is for behind a space, a tab, a comma or a semicolon; these may stand in an address too. */
const LINE = /^(\S+?)(?:\s*[;,]\s*|\s+)([^=&/?;,]+)$|^(\S+)$/

/** Reads a line. */
export function readKeptLine(text: string): KeptLine | { reason: (typeof KEPT_REFUSALS)[number] } {
  const [, before, affiliate = '', alone = ''] = LINE.exec(text.trim()) ?? []
  const url = addressOf(before ?? alone)
  if (url === null) return { reason: 'no_campaign' }
  const query = url.search.slice(1)
  if (namesBoth(url.pathname, query)) return { reason: 'needs_no_keeping' }
  const read = readKeptLink(url.pathname, query)
  if (read === null) return { reason: 'no_campaign' }
  if (SERVED.has(read.code.toLowerCase()) || isForeignPath(`/${read.code}`)) return { reason: 'served' }
  return { code: read.code, path: pathOf(url.pathname, query, read.code), affiliate: affiliate.trim() }
}

/** A whole address, one without its scheme, or what stands behind its host; null where nobody can tell. */
function addressOf(text: string): URL | null {
  if (/^https?:\/\//i.test(text)) return URL.parse(text)
  if (/^[/?]/.test(text)) return URL.parse(text, 'https://tracker.invalid')
  if (/^[^/?]+\.[^/?]+\//.test(text)) return URL.parse(`https://${text}`)
  // a name with a dot is a host as well as an alias
  return /^click\.php\?|^[^.]+(?:\?|$)/i.test(text) ? URL.parse(`https://tracker.invalid/${text}`) : null
}

/** Whether an address says its offer and affiliate by itself, in our names or another platform's. */
function namesBoth(path: string, query: string): boolean {
  if (path.toLowerCase() !== '/click') return readForeignLink(path, query) !== null
  // of one in our own names there is nothing to be read anew; in capitals there is
  return readForeignLink('/CLICK', query) !== null
}

/** The path, with what names the campaign where that stands in the query. */
function pathOf(path: string, query: string, code: string): string {
  const named = query.split('&').find((pair) => pair === code || pair.endsWith(`=${code}`))
  return path.includes(code) || named === undefined ? path : `${path}?${named.replace(/^(?:amp;)+/i, '')}`
}
