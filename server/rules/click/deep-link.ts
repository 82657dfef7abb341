import { headerSafe } from '#contract/traffic/macro-template.ts'

/**
 * The address a `deeplink` parameter may lead to, or null when it is to be ignored: https only, a host the offer lists
 * (or, for an entry that starts with a dot, below it), no user name, no port, no trick that browsers and parsers read differently.
 */
export function acceptDeepLink(text: string, hosts: readonly string[]): string | null {
  if (!/^https:\/\/[a-z0-9.-]+(?:[/?#]|$)/i.test(text)) return null
  // Browsers read a backslash as a slash; `@` and `%` are refused by the line above only inside the host.
  if (text.includes('\\') || /[\u0000-\u0020\u007f]/.test(text)) return null
  let url: URL
  try {
    url = new URL(text)
  } catch {
    return null
  }
  const host = url.hostname
  const listed = hosts.some((entry) => {
    const wanted = entry.trim().toLowerCase()
    return wanted.startsWith('.') ? host.endsWith(wanted) : host === wanted
  })
  return listed && url.port === '' && url.username === '' && url.password === '' ? headerSafe(url.href) : null
}

/** The deep link with the query of the offer's own (expanded) URL added, so that the advertiser still gets its click id. */
export function joinDeepLink(deepLink: string, offerUrl: string): string {
  const query = /\?([^#]*)/.exec(offerUrl)?.[1] ?? ''
  if (query === '') return deepLink
  const [beforeFragment = '', ...fragment] = deepLink.split('#')
  const joined = `${beforeFragment}${beforeFragment.includes('?') ? '&' : '?'}${query}`
  return fragment.length > 0 ? `${joined}#${fragment.join('#')}` : joined
}
