import { expect, test } from 'vitest'
import type { IntegrationDetail } from '#contract/leads/integration.ts'
import { integrationSpec } from '#contract/leads/integration-spec.ts'
import { INTEGRATION_PRESETS } from '#server/rules/lead/integration/preset/preset.ts'
import { specOf, specValues } from '#web/features/leads/integration/spec/spec-values.ts'

test.each(INTEGRATION_PRESETS.map(({ key, spec }) => [key, integrationSpec.parse(spec)] as const))(
  '%s goes through the form and back without losing anything',
  (_key, spec) => {
    expect(specOf(specValues({ spec } as IntegrationDetail))).toEqual(spec) // of the rest the form asks nothing
  },
)
