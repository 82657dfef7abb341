import { AppError } from '#server/platform/errors.ts'
import type { Config } from '#server/platform/config.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { findDefault, listTracking, listUsable, type UsableDomain } from './assignment.queries.ts'

/** What the network is configured with. */
export type Addresses = Pick<Config, 'publicUrl' | 'trackingUrl' | 'domainAddress'>

/** What begins the links of one affiliate. */
export type LinkDomains = {
  /** The hosts an affiliate may choose for an offer, the usual one first; there is always one. */
  hostsFor(offerId: number): string[]
  /** How links of an offer begin, on the usual host or on one of those. Throws `invalid_input` for another. */
  baseFor(offerId: number, host?: string): string
}

/**
 * Where the links of an affiliate may point. The narrowest wins: what is assigned to the affiliate for the offer, to the affiliate, to the
 * offer, then the default domain, then the configured address.
 */
export async function linkDomainsOf(db: DbOrTrx, addresses: Addresses, affiliateId: number): Promise<LinkDomains> {
  const listed = await listUsable(db, affiliateId, isSecure(addresses, 'tracking'))
  // the default one is for everybody, whatever it is assigned to besides
  const usable = listed.flatMap((domain) => (domain.is_default ? [domain, { ...domain, affiliate_id: null, offer_id: null }] : [domain]))
  const configured = new URL(addresses.trackingUrl).host
  const hostsFor = (offerId: number) => {
    const fitting = usable.filter(({ offer_id }) => offer_id === null || offer_id === offerId).toSorted((a, b) => rank(b) - rank(a))
    const hosts = [...new Set(fitting.map(({ host }) => host))]
    return hosts.length > 0 ? hosts : [configured]
  }
  return {
    hostsFor,
    baseFor(offerId, host = '') {
      const hosts = hostsFor(offerId)
      const chosen = host === '' ? (hosts[0] ?? configured) : host
      if (!hosts.includes(chosen)) throw new AppError('invalid_input', { fields: { domain: 'Choose one of the tracking domains' } })
      return usable.some((domain) => domain.host === chosen) ? addressOf(addresses, 'tracking', chosen) : addresses.trackingUrl
    },
  }
}

/** The tracking domains somebody may see: an affiliate its own, staff (null) all; the configured host where there are none. */
export async function trackDomains(db: DbOrTrx, addresses: Addresses, affiliateId: number | null): Promise<string[]> {
  const https = isSecure(addresses, 'tracking')
  const hosts =
    affiliateId === null
      ? await listTracking(db, https)
      : (await listUsable(db, affiliateId, https)).toSorted((a, b) => rank(b) - rank(a)).map(({ host }) => host)
  return hosts.length > 0 ? [...new Set(hosts)] : [new URL(addresses.trackingUrl).host]
}

/** Where links and postbacks point when nothing narrower is said: the default tracking domain, else the configured address. */
export function trackingAddress(db: DbOrTrx, addresses: Addresses): Promise<string> {
  return usualAddress(db, addresses, 'tracking')
}

/** Where people open the panel and mails lead: the default panel domain, else the configured address. Never what a request says its host is. */
function panelAddress(db: DbOrTrx, addresses: Addresses): Promise<string> {
  return usualAddress(db, addresses, 'panel')
}

/** The same, to be asked where a link is shown or sent. */
export type PanelAddress = (db: DbOrTrx) => Promise<string>
export function openPanelAddress(addresses: Addresses): PanelAddress {
  return (db) => panelAddress(db, addresses)
}

/** How addresses on a domain begin. */
export function addressOf({ domainAddress }: Pick<Config, 'domainAddress'>, kind: 'panel' | 'tracking', host: string): string {
  return domainAddress[kind].replace('*', host)
}

/** Whether addresses on domains of a kind are https. */
export function isSecure({ domainAddress }: Pick<Config, 'domainAddress'>, kind: 'panel' | 'tracking'): boolean {
  return domainAddress[kind].startsWith('https:')
}

async function usualAddress(db: DbOrTrx, addresses: Addresses, kind: 'panel' | 'tracking'): Promise<string> {
  const host = await findDefault(db, kind, isSecure(addresses, kind))
  if (host !== undefined) return addressOf(addresses, kind, host)
  return kind === 'panel' ? addresses.publicUrl : addresses.trackingUrl
}

function rank({ affiliate_id, offer_id }: UsableDomain): number {
  return (affiliate_id === null ? 0 : 2) + (offer_id === null ? 0 : 1)
}

/** The host others reach an address at; null for one that leads to this machine alone. */
export function publicHost(url: string): string | null {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '')
  return /^(127\.|0\.0\.0\.0$|::1?$)|(^|\.)localhost$/.test(host) ? null : host
}
