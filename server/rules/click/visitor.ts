import { sipHash, type SipKey } from './siphash.ts'

/**
 * A visitor without a cookie: keyed hash of the address (IPv6: its /64, because a household moves inside it) and the
 * User-Agent. The key is rotated monthly, so hashes of different months cannot be joined.
 *
 * Two steps, because the tracker keeps the hash of each User-Agent: hash(key, first 8 bytes of address ‖ hash(key, User-Agent)).
 */
const message = new Uint8Array(16)
const out = new Int32Array(4)

/** The first step: 64 bits of the User-Agent's bytes as two words. */
export function hashUserAgent(key: SipKey, userAgent: Uint8Array): { low: number; high: number } {
  sipHash(key, userAgent, 0, userAgent.length, out)
  return { low: out[0]!, high: out[1]! }
}

/** The second step. `address` is 16 bytes (IPv4 as ::ffff:a.b.c.d). A whole number below 2^53, so that it is exact in JavaScript. */
export function visitorHash(key: SipKey, address: Uint8Array, userAgentLow: number, userAgentHigh: number): number {
  const mapped = isMapped(address)
  for (let i = 0; i < 8; i++) message[i] = mapped ? (i < 4 ? 0xff : address[8 + i]!) : address[i]!
  for (let i = 0; i < 4; i++) {
    message[8 + i] = userAgentLow >>> (8 * i)
    message[12 + i] = userAgentHigh >>> (8 * i)
  }
  sipHash(key, message, 0, 16, out)
  return (out[1]! & 0x1fffff) * 0x100000000 + (out[0]! >>> 0)
}

function isMapped(address: Uint8Array): boolean {
  for (let i = 0; i < 10; i++) if (address[i] !== 0) return false
  return address[10] === 0xff && address[11] === 0xff
}
