import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { within } from '../within.ts'
import { isPublicAddress } from './address.ts'

/** `allow` are hosts or host:port pairs that may be reached although they are private (`OUTBOUND_ALLOW`); `resolve` is the system's resolver. */
export type OutboundPolicy = {
  allow: readonly string[]
  resolve?: Resolve
  /** The TXT records of a name, each of its parts; the system's own where absent. */
  resolveTxt?: (name: string) => Promise<string[][]>
  /** Names that exist nowhere, and the address on this machine that answers for them: the advertisers of the demo network. */
  standIn?: { hosts: ReadonlySet<string>; url: string }
  /** An authority of certificates to trust besides the system's. */
  ca?: string
}
/** Every address of a name. */
export type Resolve = (host: string) => Promise<LookupAddress[]>
export const systemResolve: Resolve = (host) => lookup(host, { all: true })

/** Why an address may not be called, as a sentence for the field of a form. */
export type TargetMistake = string

/** Where a request goes: the URL, and whether its host stands on the list of exceptions. */
export type Target = { url: URL; allowed: boolean }

/**
 * Reads an address a customer gave. Answers a sentence instead when it must not be called: no http(s), credentials in
 * it, or a host that is an address of a private network, however it is written (`0x7f.1`, `2130706433`, `[::ffff:7f00:1]`).
 */
export function readTarget(text: string, policy: OutboundPolicy): Target | TargetMistake {
  if (!URL.canParse(text)) return 'This is not an address.'
  const url = new URL(text) // normalises every spelling of an IPv4 address
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'Only http:// and https:// can be called.'
  if (url.username !== '' || url.password !== '') return 'The address must not carry a user name or password.'
  const host = hostOf(url)
  const allowed = isAllowed(url, policy)
  if (!allowed) {
    if (isIP(host) !== 0 && !isPublicAddress(host)) return 'This address belongs to a private network.'
    if (isIP(host) === 0 && (!host.includes('.') || /(^|\.)(localhost|local|internal|intranet|lan|home|corp|arpa)$/.test(host))) {
      return 'This host belongs to a private network.'
    }
  }
  return { url, allowed }
}

/**
 * The same, and where the host's name leads now: for the moment of saving. A name that cannot be resolved just now may
 * be saved; the socket checks again with every request, because names change their minds.
 */
export async function checkTarget(text: string, policy: OutboundPolicy): Promise<TargetMistake | null> {
  const target = readTarget(text, policy)
  if (typeof target === 'string') return target
  if (target.allowed || isIP(hostOf(target.url)) !== 0) return null
  const found = await within(2_000, (policy.resolve ?? systemResolve)(hostOf(target.url))).catch(() => [])
  return found.some(({ address }) => !isPublicAddress(address)) ? 'This host leads to a private network.' : null
}

/** The host without brackets and the root's dot. */
export function hostOf(url: URL): string {
  return url.hostname
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()
}

function isAllowed(url: URL, policy: OutboundPolicy): boolean {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  const host = url.hostname.toLowerCase()
  return policy.allow.some((entry) => entry === host || entry === `${host}:${port}`)
}
