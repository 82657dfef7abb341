import { domainToASCII } from 'node:url'
import type { BlacklistKind } from '#contract/leads/blacklist.ts'
import { isMapped, readAddress, showAddress } from '#server/platform/address.ts'
import { canonicalEmail, canonicalPhone, isEmail, maskedEmail, maskedName, maskedPhone } from '../contact.ts'
import { mailboxOf, parentsOf } from './email.ts'

/** A value of the blacklist as it is compared, and as it is shown; `network` = of an address what it is kept as. */
export type ListedValue = { canonical: string; shown: string; network: string | null }

/** Wider ones would refuse half a continent. */
const WIDEST = { four: 8, six: 19 }

/** A value as somebody wrote it; a text says what is wrong with it. */
export function readListed(kind: BlacklistKind, text: string): ListedValue | { mistake: string } {
  switch (kind) {
    case 'email': {
      const email = canonicalEmail(text)
      if (!isEmail(email)) return { mistake: 'This is not an e-mail address' }
      return { canonical: mailboxOf(email), shown: maskedEmail(email), network: null }
    }
    case 'phone': {
      const phone = canonicalPhone(text, '')
      if (phone === undefined) return { mistake: 'Write the telephone with the code of its country, such as +39 333 123 4567' }
      return { canonical: phone, shown: maskedPhone(phone), network: null }
    }
    case 'domain': {
      const domain = canonicalDomain(text)
      if (domain === undefined) return { mistake: 'Write a domain such as example.com' }
      return { canonical: domain, shown: domain, network: null }
    }
    case 'ip': {
      const network = canonicalNetwork(text.trim())
      if (network === undefined) return { mistake: 'Write an address or a network such as 203.0.113.0/24' }
      if (network === 'wide') return { mistake: 'This network is too wide: at most /8, of IPv6 /19' }
      return { canonical: network, shown: network.replace(/\/(32|128)$/, (bits) => (isWhole(network, bits) ? '' : bits)), network }
    }
    case 'first_name':
    case 'last_name': {
      const name = canonicalName(text)
      return name === '' ? { mistake: 'Required' } : { canonical: name, shown: maskedName(name), network: null }
    }
  }
}

/** What of a lead is looked for on the blacklist, with the field it stands in. Addresses are found by their networks. */
export function listedValues(lead: {
  email: string
  phone: string
  firstName: string
  lastName: string
}): { kind: Exclude<BlacklistKind, 'ip'>; canonical: string; field: string }[] {
  const domain = domainToASCII(lead.email.slice(lead.email.lastIndexOf('@') + 1))
  const [first, last] = [canonicalName(lead.firstName), canonicalName(lead.lastName)]
  return [
    ...(lead.email === '' ? [] : [{ kind: 'email' as const, canonical: mailboxOf(lead.email), field: 'email' }]),
    ...(lead.phone === '' ? [] : [{ kind: 'phone' as const, canonical: lead.phone, field: 'phone' }]),
    ...(lead.email === '' ? [] : parentsOf(domain).map((canonical) => ({ kind: 'domain' as const, canonical, field: 'email' }))),
    ...(first === '' ? [] : [{ kind: 'first_name' as const, canonical: first, field: 'first_name' }]),
    ...(last === '' ? [] : [{ kind: 'last_name' as const, canonical: last, field: 'last_name' }]),
  ]
}

/** A name whatever its letters and spaces look like. */
function canonicalName(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim()
}

/** A domain in ASCII, without what stands for those below it; undefined where it is none. */
export function canonicalDomain(text: string): string | undefined {
  const domain = domainToASCII(
    text
      .trim()
      .toLowerCase()
      .replace(/^(?:@|\*\.|\.)/, ''),
  )
  return /^(?=.{3,253}$)(?:[a-z0-9_](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/.test(domain) ? domain : undefined
}

/** An address as a network with its length, without what lies behind it. */
function canonicalNetwork(text: string): string | 'wide' | undefined {
  const [address = '', length, ...rest] = text.split('/')
  const bytes = new Uint8Array(16)
  if (readAddress(address, bytes) === 0 || rest.length > 0 || (length !== undefined && !/^\d{1,3}$/.test(length))) return undefined
  const four = isMapped(bytes)
  const most = four && !address.includes(':') ? 32 : 128
  const bits = Number(length ?? most) + (most === 32 ? 96 : 0)
  if (bits > 128 || (four && bits < 96)) return undefined
  if (bits < (four ? 96 + WIDEST.four : WIDEST.six)) return 'wide'
  for (let bit = bits; bit < 128; bit++) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) & ~(0x80 >> (bit & 7))
  return `${showAddress(bytes)}/${four ? bits - 96 : bits}`
}

function isWhole(network: string, bits: string): boolean {
  return bits === (network.includes(':') ? '/128' : '/32')
}
