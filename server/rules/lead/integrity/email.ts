import type { IntegritySettings } from '#contract/leads/integrity.ts'
import { DISPOSABLE_DOMAINS, KNOWN_DOMAINS, LIKE_KNOWN } from './mail-domains.ts'
import type { Check, Finding } from './snapshot.ts'

/** Of an office, a program or nobody. */
const ROLES = new Set(
  'abuse accounting accounts admin administrator billing contact enquiries hello help helpdesk hostmaster hr info it jobs legal mail mailer-daemon marketing media news newsletter no-reply noc nobody noreply office orders postmaster press privacy root sales security service spam staff support sysadmin team test webmaster'.split(
    ' ',
  ),
)

/** Addresses that are thrown away, misspelt, or an office's. Their syntax was checked before; the name is not told: beside its domain it were the address. */
export const checkEmail: Check<IntegritySettings['mail']> = ({ email }, { roles }) => {
  const at = email.lastIndexOf('@')
  if (at < 1) return []
  const [name = ''] = email.slice(0, at).split('+')
  const domain = email.slice(at + 1)
  const found: Finding[] = []
  if (parentsOf(domain).some((parent) => DISPOSABLE_DOMAINS.has(parent)))
    found.push({ found: 'email_disposable', field: 'email', weight: 60, detail: { domain } })
  const meant = meantDomain(domain)
  if (meant !== undefined) found.push({ found: 'email_typo', field: 'email', weight: 40, detail: { domain, meant } })
  if (roles && ROLES.has(name)) found.push({ found: 'email_role', field: 'email', weight: 20 })
  return found
}

/** A domain and those above it, without the last part alone. */
export function parentsOf(domain: string): string[] {
  const parts = domain.split('.')
  return parts.slice(0, -1).map((_part, from) => parts.slice(from).join('.'))
}

/** The domain that was meant where one is misspelt by one letter; undefined = it may be as it is. */
export function meantDomain(domain: string): string | undefined {
  if (KNOWN_DOMAINS.includes(domain) || LIKE_KNOWN.has(domain)) return undefined
  return KNOWN_DOMAINS.find((known) => isOneOff(domain, known))
}

/** Whether one letter too many, too few, another, or two that changed places make one text the other. */
function isOneOff(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1 || one === other) return false
  let from = 0
  while (from < one.length && one[from] === other[from]) from++
  const [a, b] = [one.slice(from), other.slice(from)]
  return a.slice(1) === b.slice(1) || a.slice(1) === b || a === b.slice(1) || (a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2))
}

/** An address as those behind it know it: without what stands behind a +, at Google without dots. */
export function mailboxOf(email: string): string {
  const at = email.lastIndexOf('@')
  if (at < 1) return email
  const [name = ''] = email.slice(0, at).split('+')
  const domain = email.slice(at + 1)
  const google = domain === 'gmail.com' || domain === 'googlemail.com'
  return google ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`
}
