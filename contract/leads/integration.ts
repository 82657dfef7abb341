import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { bounded, byUuid, line, moment, paragraph, requiredLine, someOf, statusChange, uuid, version } from '#contract/fields.ts'
import { listOf, paging, sorting } from '#contract/paging.ts'
import { EXTRACTED, integrationSpec, outcome, responseSpec } from './integration-spec.ts'
import { INTEGRATION_TYPE_KEYS } from './integration-type.ts'

export const integrationType = z.enum(INTEGRATION_TYPE_KEYS)
/** archived: no new product takes it, those that have it go on. */
export const integrationStatus = z.enum(['active', 'archived'])
export type IntegrationStatus = z.output<typeof integrationStatus>

/** What staff call an integration, whatever its versions say. */
export const integrationFields = { title: requiredLine(100), type: integrationType, notes: paragraph() }

/** draft: being written; active: what new products take; deprecated: products that have it go on with it. Only a draft changes. */
export const versionState = z.enum(['draft', 'active', 'deprecated'])

/** What must be mended in a spec, by the path of its field. */
export const specMistake = z.object({
  path: z.string(),
  code: z.enum(['open', 'unknown_macro', 'unknown_transform', 'arguments', 'pattern', 'name_twice', 'no_rule']),
  at: z.string(),
})

const integrationVersion = z.object({
  number: z.int(),
  state: versionState,
  /** Why it was made. */
  note: z.string(),
  created_at: moment,
  created_by: z.string().nullable(),
  published_at: moment.nullable(),
})

export const integration = z.object({
  uuid,
  id: z.int(),
  ...integrationFields,
  status: integrationStatus,
  /** Of the presets it was made of; '' = of its own. */
  preset: z.string(),
  /** The number of the version new products take; null = none was published. */
  active: z.int().nullable(),
  /** The number of the version that is being written; null = none. */
  draft: z.int().nullable(),
  /** How many steps, and how what became of leads is learned: by asking, by their calls alone. */
  pulls: z.boolean(),
  version,
  created_at: moment,
  updated_at: moment,
})
export type Integration = z.output<typeof integration>

/** `spec`: of the draft where there is one, else of the active version. */
export const integrationDetail = integration.extend({
  spec: integrationSpec,
  mistakes: z.array(specMistake),
  versions: z.array(integrationVersion),
})
export type IntegrationDetail = z.output<typeof integrationDetail>

/** A lead to look at what would be sent: the macros and their values; none = of a person who does not exist. */
const sampleValues = bounded(z.string().max(60), z.string().max(2000), 100)

/** A call as it would go out. Secrets stand as dots. */
const builtCall = z.object({
  /** '' = the main call, `pull`, else the name of a step. */
  step: z.string(),
  method: z.string(),
  url: z.string(),
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
  body: z.string().nullable(),
  /** Required values that are missing: with any of them nothing is sent. */
  missing: z.array(z.string()),
})

const judged = z.object({
  outcome,
  reason: z.string(),
  /** From 0, the rule that decided; null = none did. */
  rule: z.int().nullable(),
  /** Of each rule, whether it would fit. */
  fits: z.array(z.boolean()),
  extracted: z.partialRecord(z.enum(EXTRACTED), z.string()),
})

/** How advertisers' systems take leads: written once, used by any number of their products. */
export const integrationApi = {
  list: endpoint({
    method: 'POST',
    path: '/api/integration/v1/list',
    access: 'integration.read',
    reads: true,
    summary: 'Integrations with advertisers’ systems.',
    body: z.object({
      ...paging,
      ...sorting(['id', 'title', 'type', 'status', 'created_at', 'updated_at']),
      search: line(100).default(''),
      /** None = all but archived ones. */
      status: someOf(integrationStatus),
      type: someOf(integrationType),
    }),
    response: listOf(integration),
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/integration/v1/get/:uuid',
    access: 'integration.read',
    summary: 'One integration with what its draft, else its active version says.',
    params: byUuid,
    response: integrationDetail,
  }),
  version: endpoint({
    method: 'GET',
    path: '/api/integration/v1/version/:uuid',
    access: 'integration.read',
    summary: 'What one version says.',
    params: byUuid,
    query: z.object({ number: z.coerce.number().int().min(1).max(100_000) }),
    response: integrationVersion.extend({ spec: integrationSpec }),
  }),
  presets: endpoint({
    method: 'GET',
    path: '/api/integration/v1/presets',
    access: 'integration.read',
    summary: 'Systems whose calls are known from public documents; none was seen against the real system.',
    response: z.object({
      list: z.array(z.object({ key: z.string(), name: z.string(), types: z.array(integrationType), notes: z.string() })),
    }),
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/integration/v1/create',
    access: 'integration.write',
    summary: 'Makes an integration with a first draft: of a preset, of another integration, or blank.',
    body: z.object({ ...integrationFields, preset: line(40).default(''), copy_of: uuid.nullable().default(null) }),
    response: integrationDetail,
  }),
  update: endpoint({
    method: 'POST',
    path: '/api/integration/v1/update/:uuid',
    access: 'integration.write',
    summary: 'Changes title, type and notes.',
    params: byUuid,
    body: z.object({ ...integrationFields, version }),
    response: integrationDetail,
  }),
  save: endpoint({
    method: 'POST',
    path: '/api/integration/v1/save/:uuid',
    access: 'integration.write',
    summary:
      'Saves the draft; the first save after a publication makes a new one. What products use never changes. Mistakes are answered, not refused.',
    params: byUuid,
    body: z.object({ spec: integrationSpec, note: line(200).default(''), version }),
    response: integrationDetail,
  }),
  publish: endpoint({
    method: 'POST',
    path: '/api/integration/v1/publish/:uuid',
    access: 'integration.write',
    summary:
      'Makes the draft the active version. Refused with mistakes in it. Products stay with their version until somebody tests them with the new one.',
    params: byUuid,
    body: z.object({ version }),
    response: integrationDetail,
  }),
  discard: endpoint({
    method: 'POST',
    path: '/api/integration/v1/discard/:uuid',
    access: 'integration.write',
    summary: 'Throws the draft away; the active version is edited next.',
    params: byUuid,
    body: z.object({ version }),
    response: integrationDetail,
  }),
  setStatus: endpoint({
    method: 'POST',
    path: '/api/integration/v1/set-status',
    access: 'integration.write',
    summary: 'Archives up to 1,000 integrations, or takes them back.',
    body: statusChange(integrationStatus),
    response: z.object({ changed: z.int() }),
  }),
  preview: endpoint({
    method: 'POST',
    path: '/api/integration/v1/preview',
    access: 'integration.read',
    reads: true,
    summary: 'What would be sent for a lead; nothing is.',
    body: z.object({ spec: integrationSpec, values: sampleValues.default({}) }),
    response: z.object({ calls: z.array(builtCall), mistakes: z.array(specMistake) }),
  }),
  simulate: endpoint({
    method: 'POST',
    path: '/api/integration/v1/simulate',
    access: 'integration.read',
    reads: true,
    summary: 'What an answer would come to, without asking anybody.',
    body: z.object({
      response: responseSpec,
      answer: z.object({
        status: z.int().min(100).max(599),
        headers: bounded(z.string().max(100), z.string().max(2000), 100).default({}),
        body: z.string().max(256_000),
      }),
    }),
    response: judged,
  }),
}
