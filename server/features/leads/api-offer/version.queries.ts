import { sql } from 'kysely'
import type { IntegrationSpec } from '#contract/leads/integration-spec.ts'
import { specOf } from '#server/features/leads/integration/kept-secret.queries.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { needsOf } from '#server/rules/lead/integration/needs.ts'

/** A version by its number, and whose it is: numbers are those of one database. */
type Version = { version_id: number; integration_uuid: string }
type Known = { spec: IntegrationSpec; needs: readonly string[] }

/** Versions, once they were read: what was published never changes. */
const known = new Map<string, Known>()
const MOST_KNOWN = 1_000

/** What of a lead each of some products cannot do without, by the version it is sent by. */
export async function readNeeds(db: DbOrTrx, versions: readonly Version[]): Promise<(of: Version) => readonly string[]> {
  const of = await readVersions(db, versions)
  return (version) => of(version)?.needs ?? []
}

/** How a system is spoken to by a version of its integration. */
export async function readSpec(db: DbOrTrx, version: Version): Promise<IntegrationSpec> {
  const found = (await readVersions(db, [version]))(version)
  if (found === undefined) throw new Error('a product has no version')
  return found.spec
}

async function readVersions(db: DbOrTrx, versions: readonly Version[]): Promise<(of: Version) => Known | undefined> {
  const asked = [...new Set(versions.filter((one) => !known.has(keyOf(one))).map(({ version_id }) => version_id))]
  const read = new Map<number, Known>()
  if (asked.length > 0) {
    const { rows } = await sql<{ id: number; spec: IntegrationSpec; state: string }>`
      select v.id, ${specOf('v')} as spec, v.state from integration_version v where v.id = any(${asked}::int[])`.execute(db)
    for (const { id, spec, state } of rows) {
      const version = { spec, needs: needsOf(spec) }
      read.set(id, version)
      if (state === 'draft') continue
      if (known.size >= MOST_KNOWN) known.clear()
      for (const one of versions) if (one.version_id === id) known.set(keyOf(one), version)
    }
  }
  return (of) => known.get(keyOf(of)) ?? read.get(of.version_id)
}

function keyOf({ version_id, integration_uuid }: Version): string {
  return `${integration_uuid} ${version_id}`
}
