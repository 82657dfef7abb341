import { createHmac, hkdfSync } from 'node:crypto'
import type { BlacklistKind } from '#contract/leads/blacklist.ts'
import { openSealer } from '#server/platform/seal.ts'

/** What a lead told of a person, by the names of the lead API, and what it was filled in with. Kept sealed. */
export type Told = Readonly<Record<string, string>>

/** Which key people are sealed with today. */
export const KEY_ID = 1

/** What is compared without being told: each kind by itself. */
export type Hashed = 'phone' | 'email' | 'ip' | 'domain' | 'device' | `blacklist ${BlacklistKind}`

/** Keeps what tells who somebody is. */
export type LeadVault = {
  sealTold(told: Told): Buffer
  openTold(sealed: Buffer): Told
  /** A text of a send: where the person goes on, what was called. */
  sealText(text: string): Buffer
  openText(sealed: Buffer): string
  /** Finds and compares a contact, an address or a name without telling it: nobody tries all numbers without the key. */
  hash(kind: Hashed, canonical: string): Buffer
}

const vaults = new Map<string, LeadVault>()

/** The vault of an instance's key. Each use has a key of its own out of it. */
export function openLeadVault(secretKey: string | null): LeadVault {
  const known = vaults.get(secretKey ?? '')
  if (known !== undefined) return known
  const people = openSealer(secretKey, 'person')
  const sends = openSealer(secretKey, 'lead send')
  // openSealer refused a missing key
  const index = Buffer.from(hkdfSync('sha256', secretKey ?? '', '', 'ohma person index', 32))
  // a lead is looked into several times on its way: what is held sealed is opened once
  const opened = new WeakMap<Buffer, Told>()
  const vault: LeadVault = {
    sealTold(told) {
      const sealed = people.seal(JSON.stringify(told))
      opened.set(sealed, told)
      return sealed
    },
    openTold(sealed) {
      const told = opened.get(sealed) ?? (JSON.parse(people.open(sealed)) as Told) // as it was sealed
      opened.set(sealed, told)
      return told
    },
    sealText: (text) => sends.seal(text),
    openText: (sealed) => sends.open(sealed),
    hash: (kind, canonical) => createHmac('sha256', index).update(`${kind} ${canonical}`).digest(),
  }
  vaults.set(secretKey ?? '', vault)
  return vault
}
