import type { ImportOptions, Mapping, ImportedKind } from '#contract/people/import.ts'
import type { Actor } from '#server/access/actor.ts'
import { getGeneralSettings } from '#server/features/network/setting/setting.queries.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { activeCurrencies, managersToName, takenAdvertisers, takenEmails } from './import.queries.ts'
import type { References } from './read-row.ts'

/** How the rows of an import are read. */
export type Plan = { mapping: Mapping; options: ImportOptions; references: References }

/** What rows may refer to, as somebody sees it. */
export async function loadReferences(db: DbOrTrx, actor: Actor): Promise<References> {
  const [currencies, managers, { time_zone }] = await Promise.all([
    activeCurrencies(db),
    managersToName(db, actor.scope),
    getGeneralSettings(db),
  ])
  const named = new Map<string, string | null>()
  for (const [name, those] of Map.groupBy(managers, (one) => one.name.toLowerCase()))
    named.set(name, those.length === 1 ? (those[0]?.uuid ?? null) : null)
  // an e-mail and a number say more than a name
  for (const { id, uuid, email } of managers) named.set(email, uuid).set(String(id), uuid)
  return { timeZone: time_zone, currencies, managers: named }
}

type Said = { name: string; email: string }

/** Of some rows those that there are already: affiliates by their e-mail, advertisers by name or e-mail. Told by field. */
export async function alreadyThere(
  db: DbOrTrx,
  kind: ImportedKind,
  actor: Actor,
  rows: readonly Said[],
): Promise<(row: Said) => Record<string, string> | undefined> {
  if (kind === 'affiliate') {
    const taken = await takenEmails(
      db,
      rows.map(({ email }) => email),
    )
    return ({ email }) => (taken.has(email) ? { email: 'Somebody has this e-mail already' } : undefined)
  }
  const words = rows.flatMap(({ name, email }) => [name.toLowerCase(), email].filter(Boolean))
  const taken = await takenAdvertisers(db, actor.scope, words)
  return ({ name, email }): Record<string, string> | undefined => {
    if (taken.has(name.toLowerCase())) return { name: 'There is an advertiser of this name already' }
    return taken.has(email) ? { email: 'There is an advertiser with this e-mail already' } : undefined
  }
}
