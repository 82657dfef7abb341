import { readAddress } from './address.ts'

/** Networks of IP addresses, and who is in them. An IPv4 address is the same in IPv6 clothes (`::ffff:192.0.2.1`). */
export type Networks = readonly Network[]
type Network = { bytes: Uint8Array; bits: number }

/** Addresses and networks such as `10.0.0.0/8` or `2001:db8::/32`, ready for `isInside`. Throws on text that is none. */
export function readNetworks(entries: readonly string[]): Networks {
  return entries.map((entry) => {
    const network = readNetwork(entry)
    if (network === null) throw new Error(`not an address or network: ${entry}`)
    return network
  })
}

/** Whether text is an address or network. */
export function isNetwork(entry: string): boolean {
  return readNetwork(entry) !== null
}

/** Whether an address stands on a list of addresses and networks; what cannot be read, there or here, is on none. */
export function isListed(address: string, list: readonly string[]): boolean {
  const bytes = new Uint8Array(16)
  return (
    readAddress(address, bytes) !== 0 &&
    isInside(
      bytes,
      list.flatMap((entry) => readNetwork(entry) ?? []),
    )
  )
}

/** Whether an address lies in one of the networks. */
export function isInside(address: Uint8Array, networks: Networks): boolean {
  for (const network of networks) if (isIn(address, network.bytes, network.bits)) return true
  return false
}

/**
 * The client behind proxies: the right-most address of X-Forwarded-For that is not a trusted proxy's, else the peer.
 * Only a trusted peer's header is believed. The result lies in `out`; returns its kind.
 */
export function readClientAddress(peer: string, forwardedFor: string, trusted: Networks, out: Uint8Array): 0 | 4 | 6 {
  if (forwardedFor !== '' && isTrustedProxy(peer, trusted) && readAddress(forwardedFor, out) === 4) {
    // One plain IPv4 address behind one proxy: nearly all there is.
    return 4
  }
  let kind = readAddress(peer, out)
  if (forwardedFor === '' || trusted.length === 0 || kind === 0) return kind
  let end = forwardedFor.length
  while (end > 0 && isInside(out, trusted)) {
    const comma = forwardedFor.lastIndexOf(',', end - 1)
    const next = readAddress(withoutPort(forwardedFor.slice(comma + 1, end).trim()), candidate)
    if (next === 0) break
    out.set(candidate)
    kind = next
    end = comma
  }
  return kind
}

const candidate = new Uint8Array(16)

// The proxy of the last request is mostly that of the next one.
let lastPeer = ''
let lastTrusted: Networks = []
let lastVerdict = false

function isTrustedProxy(peer: string, trusted: Networks): boolean {
  if (peer !== lastPeer || trusted !== lastTrusted) {
    lastPeer = peer
    lastTrusted = trusted
    lastVerdict = readAddress(peer, candidate) !== 0 && isInside(candidate, trusted)
  }
  return lastVerdict
}

function isIn(address: Uint8Array, network: Uint8Array, bits: number): boolean {
  const whole = bits >> 3
  for (let i = 0; i < whole; i++) if (network[i] !== address[i]) return false
  const rest = bits & 7
  return rest === 0 || ((network[whole]! ^ address[whole]!) & (0xff << (8 - rest)) & 0xff) === 0
}

function withoutPort(text: string): string {
  if (text.charCodeAt(0) === 0x5b) return text.slice(1, text.indexOf(']'))
  const colon = text.indexOf(':')
  return colon > 0 && colon === text.lastIndexOf(':') ? text.slice(0, colon) : text
}

function readNetwork(entry: string): Network | null {
  const [address = '', length, ...rest] = entry.split('/')
  const bytes = new Uint8Array(16)
  const kind = readAddress(address, bytes)
  if (kind === 0 || rest.length > 0 || (length !== undefined && !/^\d{1,3}$/.test(length))) return null
  const bits = length === undefined ? 128 : Number(length) + (address.includes(':') ? 0 : 96)
  return bits > 128 ? null : { bytes, bits }
}
