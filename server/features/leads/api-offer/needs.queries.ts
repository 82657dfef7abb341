import { sql } from 'kysely'
import type { IntegrationSpec } from '#contract/leads/integration-spec.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import { needsOf } from '#server/rules/lead/integration/needs.ts'

type Version = { version_id: number; integration_uuid: string }

/** What versions need, once it was read: what was published never changes. */
const known = new Map<string, readonly string[]>()
const MOST_KNOWN = 2_000

/** What of a lead each of some products cannot do without, by the version it is sent by. */
export async function readNeeds(db: DbOrTrx, versions: readonly Version[]): Promise<(of: Version) => readonly string[]> {
  const asked = [...new Set(versions.filter((one) => !known.has(keyOf(one))).map(({ version_id }) => version_id))]
  const read = new Map<number, readonly string[]>()
  if (asked.length > 0) {
    const { rows } = await sql<{ id: number; spec: IntegrationSpec; state: string }>`
      select id, spec, state from integration_version where id = any(${asked}::int[])`.execute(db)
    for (const { id, spec, state } of rows) {
      const needs = needsOf(spec)
      read.set(id, needs)
      if (state === 'draft') continue
      if (known.size >= MOST_KNOWN) known.clear()
      for (const one of versions) if (one.version_id === id) known.set(keyOf(one), needs)
    }
  }
  return (of) => known.get(keyOf(of)) ?? read.get(of.version_id) ?? []
}

function keyOf({ version_id, integration_uuid }: Version): string {
  return `${integration_uuid} ${version_id}`
}
