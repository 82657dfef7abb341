import { readAddress } from '../address.ts'
import { isInside, readNetworks } from '../network.ts'

/**
 * Networks no outgoing request may reach: what IANA's special-purpose registries keep from the public internet. A
 * customer's URL must never make this server talk to itself, its neighbours, or a cloud's metadata service.
 */
const FORBIDDEN_V4 = `
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.31.196.0/24
  192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4`
/** Inside 2000::/3, the only global unicast space there is; everything outside of it is forbidden anyway. */
const FORBIDDEN_V6 = '2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20'
const forbidden = readNetworks(`${FORBIDDEN_V4} ${FORBIDDEN_V6}`.trim().split(/\s+/))
const global = readNetworks(['0.0.0.0/0', '2000::/3'])

/** Whether a request may go to this IP address. IPv4 in any IPv6 clothing (mapped, NAT64, 6to4, Teredo) is refused, not unwrapped. */
export function isPublicAddress(address: string): boolean {
  const bytes = new Uint8Array(16)
  const kind = readAddress(address, bytes)
  if (kind === 0 || address.includes('%') || (kind === 4 && address.includes(':'))) return false
  return isInside(bytes, global) && !isInside(bytes, forbidden)
}
