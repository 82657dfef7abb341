import type { z } from 'zod'
import type { integration, integrationApi, IntegrationDetail } from '#contract/leads/integration.ts'
import { integrationSpec, type IntegrationSpec } from '#contract/leads/integration-spec.ts'
import { INTEGRATION_PRESETS } from '#server/rules/lead/integration/preset/preset.ts'
import { checkSpec } from '#server/rules/lead/integration/check-spec.ts'
import type { getVersion, IntegrationRow, listVersions } from './integration.queries.ts'

type Version = Awaited<ReturnType<typeof listVersions>>[number]
type FullVersion = NonNullable<Awaited<ReturnType<typeof getVersion>>>

export function presentIntegration(row: IntegrationRow): z.input<typeof integration> {
  const preset_name = INTEGRATION_PRESETS.find(({ key }) => key === row.preset)?.name ?? ''
  return { ...row, preset_name, created_at: row.created_at.toISOString(), updated_at: row.updated_at.toISOString() }
}

export function presentDetail(row: IntegrationRow, versions: readonly Version[], spec: IntegrationSpec): IntegrationDetail {
  return { ...presentIntegration(row), spec, mistakes: checkSpec(spec), versions: versions.map(presentVersion) }
}

export function presentFullVersion({ id: _id, spec, ...version }: FullVersion): z.output<typeof integrationApi.version.response> {
  return { ...presentVersion(version), spec: readSpec(spec) }
}

/** A spec as it was kept, with what fields that came since are without a word. */
export function readSpec(kept: unknown): IntegrationSpec {
  return integrationSpec.parse(kept)
}

function presentVersion({ created_at, published_at, ...version }: Version) {
  return { ...version, created_at: created_at.toISOString(), published_at: published_at?.toISOString() ?? null }
}
