import type { IntegrationSpec, RequestSpec } from '#contract/leads/integration-spec.ts'
import { readTemplate } from './template.ts'

/** They make something of nothing. */
const OUT_OF_NOTHING: ReadonlySet<string> = new Set(['default', 'hash', 'hmac', 'lookup'])

/**
 * What of a lead a spec cannot do without, by the names of the lead API: required values of its calls that are one macro of the lead, and
 * nothing where that is. What is put together of several, or comes of a step, is only known when it is sent.
 */
export function needsOf({ steps, request }: Pick<IntegrationSpec, 'steps' | 'request'>): string[] {
  return [...new Set([...steps.map((step) => step.request), request].flatMap(needed))]
}

function needed({ nodes }: RequestSpec): string[] {
  return nodes.flatMap(({ required, value }) => {
    if (!required) return []
    const [only, ...others] = readTemplate(value).template
    if (only === undefined || typeof only === 'string' || others.length > 0) return []
    const isLost = only.macro.startsWith('lead.') && only.transforms.every(({ name }) => !OUT_OF_NOTHING.has(name))
    return isLost ? [only.macro.slice('lead.'.length)] : []
  })
}
