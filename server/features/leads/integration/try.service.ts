import type { z } from 'zod'
import type { integrationApi } from '#contract/leads/integration.ts'
import type { IntegrationSpec, RequestSpec } from '#contract/leads/integration-spec.ts'
import { MASKED } from '#server/features/leads/call/mask-secrets.ts'
import { buildRequest } from '#server/rules/lead/integration/build-request.ts'
import { checkSpec } from '#server/rules/lead/integration/check-spec.ts'
import { sampleLead } from '#server/rules/lead/sample-lead.ts'

type Preview = z.output<typeof integrationApi.preview.response>

/** What a preview is about, where nothing else is told: a lead nobody is, and a product that does not exist. */
const AT = Date.UTC(2026, 0, 15, 10)
const SAMPLE: Readonly<Record<string, string>> = {
  ...sampleLead('GB', AT),
  'session.uuid': '00000000-0000-4000-8000-000000000001',
  'send.lead_id': '00000000-0000-4000-8000-000000000002',
  'send.attempt': '1',
  'click.id': 'sample-click',
  'aff.id': '1',
  'offer.id': '1',
  'product.host': 'https://advertiser.example',
  'now.at': new Date(AT).toISOString(),
  'now.unix': String(AT / 1000),
  'poll.from': '2026-01-14T00:00:00Z',
  'poll.to': '2026-01-16T00:00:00Z',
  'poll.page': '1',
  'poll.offset': '0',
  'poll.cursor': '',
  'poll.ids': '1001',
  'poll.each_id': '1001\n1002',
}

/** The calls of a spec for a lead, steps first, with dots in place of secrets. Nothing is sent. */
export function previewCalls(spec: IntegrationSpec, given: Readonly<Record<string, string>>): Preview {
  const secrets = spec.credentials.map(({ key, secret, label }) => [`cred.${key}`, secret ? MASKED : label])
  const steps = spec.steps.flatMap((step) => Object.keys(step.give).map((text) => [`step.${step.name}.${text}`, MASKED]))
  const values = { ...SAMPLE, ...Object.fromEntries([...secrets, ...steps]), ...withoutSecrets(given) }
  const call = (step: string, request: RequestSpec): Preview['calls'][number] => {
    const built = buildRequest(request, values, { tables: spec.tables, country: values['lead.country'] ?? '' })
    if ('missing' in built)
      return { step, method: request.method, url: request.url, headers: [], body: null, missing: built.missing, too_long: built.tooLong }
    const headers = Object.entries(built.headers).map(([name, value]) => ({ name, value: shown(value) }))
    const body = built.body === null ? null : shown(built.body)
    return { step, method: built.method, url: shown(built.url), headers, body, missing: [], too_long: '' }
  }
  const calls = [...spec.steps.map(({ name, request }) => call(name, request)), call('', spec.request)]
  return { calls: spec.pull === null ? calls : [...calls, call('pull', spec.pull.request)], mistakes: checkSpec(spec) }
}

/** Accounts are never typed into a preview: what stood there would be read by whoever looks on. */
function withoutSecrets(given: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(given).filter(([name]) => !name.startsWith('cred.') && !name.startsWith('step.')))
}

/** Dots stay dots in addresses and forms, where they are encoded. */
function shown(text: string): string {
  return text.replaceAll(encodeURIComponent(MASKED), MASKED)
}
