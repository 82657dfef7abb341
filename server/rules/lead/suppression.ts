import { domainToASCII } from 'node:url'
import type { SuppressionKind } from '#contract/leads/suppression.ts'
import { lineOf, readableAddress } from '#server/platform/address.ts'
import { canonicalEmail, canonicalPhone, isEmail, maskedEmail, maskedPhone } from './contact.ts'
import { canonicalDomain } from './integrity/blacklist.ts'
import { parentsOf } from './integrity/email.ts'

/** A suppressed value as it is compared with those of people, and as it is shown. */
export type SuppressedValue = { canonical: string; shown: string }

/** A value as somebody wrote it, compared in the way people's own contacts are; a text says what is wrong with it. */
export function readSuppressed(kind: SuppressionKind, text: string): SuppressedValue | { mistake: string } {
  switch (kind) {
    case 'email': {
      const email = canonicalEmail(text)
      if (!isEmail(email)) return { mistake: 'This is not an e-mail address' }
      return { canonical: email, shown: maskedEmail(email) }
    }
    case 'phone': {
      const phone = canonicalPhone(text, '')
      if (phone === undefined) return { mistake: 'Write the telephone with the code of its country, such as +39 333 123 4567' }
      return { canonical: phone, shown: maskedPhone(phone) }
    }
    case 'domain': {
      const domain = canonicalDomain(text)
      return domain === undefined ? { mistake: 'Write a domain such as example.com' } : { canonical: domain, shown: domain }
    }
    case 'ip': {
      const address = readableAddress(text.trim(), false)
      if (address === '') return { mistake: 'Write a whole address such as 203.0.113.7' }
      return { canonical: lineOf(address), shown: lineOf(address) }
    }
  }
}

/** What of a person is looked for on the list. Contacts stand as they are compared. */
export function suppressibleValues({
  phone = '',
  email = '',
  ip = '',
}: Readonly<Record<string, string>>): { kind: SuppressionKind; canonical: string }[] {
  const domain = domainToASCII(email.slice(email.lastIndexOf('@') + 1))
  return [
    ...(phone === '' ? [] : [{ kind: 'phone' as const, canonical: phone }]),
    ...(email === '' ? [] : [{ kind: 'email' as const, canonical: email }]),
    ...(email === '' ? [] : parentsOf(domain).map((canonical) => ({ kind: 'domain' as const, canonical }))),
    ...(ip === '' ? [] : [{ kind: 'ip' as const, canonical: lineOf(ip) }]),
  ]
}
