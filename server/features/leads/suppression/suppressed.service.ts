import type { LeadVault, Told } from '#server/features/leads/session/vault.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { suppressibleValues } from '#server/rules/lead/suppression.ts'
import { listSuppressed, suppressionKey, type SuppressedHash } from './suppression.queries.ts'

/** Where somebody is suppressed; `contact`: everywhere, by the telephone or e-mail address itself; `erased`: they were forgotten. */
export type Suppressed = {
  everywhere: boolean
  contact: boolean
  erased: boolean
  offers: ReadonlySet<number>
  advertisers: ReadonlySet<number>
}

/** What of a person is looked for on the list: what was told, its contacts as they are compared, and hashes that are known without it. */
export function suppressionKeys(vault: LeadVault, told: Told, known: { phone_hash?: Buffer | null; email_hash?: Buffer | null } = {}) {
  const keys: SuppressedHash[] = suppressibleValues(told).map(({ kind, canonical }) => ({ kind, hash: vault.hash(kind, canonical) }))
  if (known.phone_hash) keys.push({ kind: 'phone', hash: known.phone_hash })
  if (known.email_hash) keys.push({ kind: 'email', hash: known.email_hash })
  return keys
}

/** Where somebody is suppressed at a moment, by any of these. */
export async function suppressedFor(db: DbOrTrx, keys: readonly SuppressedHash[], now: number): Promise<Suppressed> {
  const [found] = await suppressedForMany(db, [keys], now)
  if (found === undefined) throw new Error('nothing was looked for')
  return found
}

/** The same of many people, each by its own, in their order: one statement. */
export async function suppressedForMany(db: DbOrTrx, people: readonly (readonly SuppressedHash[])[], now: number): Promise<Suppressed[]> {
  const all = new Map(people.flat().map((key) => [suppressionKey(key), key]))
  const found = all.size === 0 ? [] : await listSuppressed(db, [...all.values()], new Date(now))
  const byKey = Map.groupBy(found, suppressionKey)
  return people.map((keys) => {
    const rows = [...new Set(keys.map(suppressionKey))].flatMap((key) => byKey.get(key) ?? [])
    const everywhere = rows.filter(({ advertiser_id, offer_id }) => advertiser_id === null && offer_id === null)
    return {
      everywhere: everywhere.length > 0,
      contact: everywhere.some(({ kind }) => kind === 'phone' || kind === 'email'),
      erased: everywhere.some(({ reason }) => reason === 'erasure'),
      offers: new Set(rows.flatMap(({ offer_id }) => offer_id ?? [])),
      advertisers: new Set(rows.flatMap(({ advertiser_id }) => advertiser_id ?? [])),
    }
  })
}

/** Advertisers somebody must not be offered to by an offer; all = by that offer nobody may be asked. */
export function suppressedBy({ everywhere, offers, advertisers }: Suppressed, offerId: number): ReadonlySet<number> | 'all' {
  return everywhere || offers.has(offerId) ? 'all' : advertisers
}
