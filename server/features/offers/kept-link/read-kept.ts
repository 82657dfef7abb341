import type { KEPT_REFUSALS } from '#contract/offers/kept-link.ts'
import { isForeignPath, namesOfferAndAffiliate } from '#server/rules/click/foreign-link.ts'
import { readKeptLink } from '#server/rules/click/kept-link.ts'
import { isOnPath } from '#server/rules/conversion/dialect/naming.ts'
import { PRESETS } from '#server/rules/conversion/dialect/presets.ts'

/** What one line names: the code of a campaign, the path it stood in, and who it is kept for ('' = whom all lines are for). */
export type KeptLine = { code: string; path: string; affiliate: string }
type Refusal = { reason: (typeof KEPT_REFUSALS)[number] }

/** Paths the tracking domain answers itself. */
const SERVED = new Set(['click', 'click.php', 'preclick', 'postback', 'livez', 'readyz', 'metrics', 'robots.txt', 'favicon.ico'])

/** Reads a line: an address alone, or with who it is for behind it. */
export function readKeptLine(text: string): KeptLine | Refusal {
  const line = partsOf(text.trim())
  if ('reason' in line) return line
  const url = addressOf(line.address)
  if (url === null) return { reason: 'no_campaign' }
  const query = url.search.slice(1)
  if (namesOfferAndAffiliate(url.pathname, query)) return { reason: 'needs_no_keeping' }
  const read = readKeptLink(url.pathname, query)
  if (read === null) return { reason: 'no_campaign' }
  return isServed(read.code) ? { reason: 'served' } : { code: read.code, path: read.path, affiliate: line.affiliate }
}

/**
 * The affiliate stands behind a white space, or a semicolon or comma as in a table. These may stand in a query too: there nobody can tell,
 * and a space has to.
 */
function partsOf(line: string): { address: string; affiliate: string } | Refusal {
  const space = line.search(/\s/)
  if (space >= 0) {
    const address = line.slice(0, space)
    const between = /[;,]$/.test(address) ? address.slice(0, -1) : address
    return {
      address: between,
      affiliate: line
        .slice(space)
        .trim()
        .replace(/^[;,]\s*/, ''),
    }
  }
  const at = Math.max(line.lastIndexOf(';'), line.lastIndexOf(','))
  if (at < 0) return { address: line, affiliate: '' }
  const [address, behind] = [line.slice(0, at), line.slice(at + 1)]
  if (!address.includes('?') || behind.includes('@')) return { address, affiliate: behind }
  return /[=&/]/.test(behind) ? { address: line, affiliate: '' } : { reason: 'affiliate_unclear' }
}

/** A whole address, one without its scheme, or what stands behind its host; null where nobody can tell. */
function addressOf(text: string): URL | null {
  if (/^https?:\/\//i.test(text)) return URL.parse(text)
  if (text.startsWith('/') || text.startsWith('?')) return URL.parse(text, 'https://tracker.invalid')
  const end = text.search(/[/?]/)
  const first = end < 0 ? text : text.slice(0, end)
  if (first.includes('.') && text[end] === '/') return URL.parse(`https://${text}`)
  // a name with a dot is a host as well as an alias
  if (first.includes('.') && first.toLowerCase() !== 'click.php') return null
  return URL.parse(`https://tracker.invalid/${text}`)
}

/** Whether what comes on a path of this name is something else: ours, another platform's link, or how advertisers' systems report. */
function isServed(code: string): boolean {
  const path = `/${code}`
  return (
    SERVED.has(code.toLowerCase()) || isForeignPath(path) || PRESETS.some(({ dialect }) => dialect.path !== '/' && isOnPath(dialect, path))
  )
}
