import { createHash } from 'node:crypto'

/**
 * The hash chain of an affiliate's history: every entry's hash covers the one before, so that an entry can neither be
 * changed nor taken out afterwards without changing every later hash, and an earlier head proves that today's chain
 * still begins with what was seen then. It cannot prove that something nobody reported ever happened.
 */
export type ChainHead = { seq: number; hash: string }
export type ChainEntry = { seq: number; body: string; hash: string }

/** Where every chain begins: before its first entry. */
export const GENESIS: ChainHead = { seq: 0, hash: '0'.repeat(64) }

/** hash = SHA-256(hash before, as 32 bytes, followed by the body's bytes in UTF-8), in hexadecimal. */
export function chainHash(before: string, body: string): string {
  return createHash('sha256').update(Buffer.from(before, 'hex')).update(body, 'utf8').digest('hex')
}

/**
 * JSON in the one form RFC 8785 gives it: keys sorted by UTF-16 units, no spaces, numbers as ECMAScript writes them.
 * Throws on what JSON cannot hold and on lone surrogates.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') {
    if (!value.isWellFormed()) throw new Error('a lone surrogate has no canonical form')
    return JSON.stringify(value)
  }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new Error(`${value} is no JSON number`)
    return JSON.stringify(value)
  }
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value === 'object') {
    const members = Object.entries(value).filter(([, member]) => member !== undefined)
    members.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)) // `<` on strings compares UTF-16 units, as the RFC asks
    return `{${members.map(([name, member]) => `${canonicalJson(name)}:${canonicalJson(member)}`).join(',')}}`
  }
  throw new Error(`${typeof value} is no JSON value`)
}

/**
 * Checks entries that follow `from` (a head seen and verified before, or the beginning). Answers the new head, or the
 * number of the first entry that is missing, out of order, or does not carry the hash its body and predecessor give.
 */
export function verifyChain(entries: readonly ChainEntry[], from: ChainHead = GENESIS): { head: ChainHead } | { brokenAt: number } {
  let head = from
  for (const entry of entries) {
    if (entry.seq !== head.seq + 1 || entry.hash !== chainHash(head.hash, entry.body)) return { brokenAt: head.seq + 1 }
    head = { seq: entry.seq, hash: entry.hash }
  }
  return { head }
}

/** Whether a head noted earlier is a prefix of today's whole chain: `entries` from the first to the last. */
export function isPrefix(earlier: ChainHead, entries: readonly ChainEntry[]): boolean {
  if ('brokenAt' in verifyChain(entries)) return false
  return earlier.seq === 0 ? earlier.hash === GENESIS.hash : entries[earlier.seq - 1]?.hash === earlier.hash
}
