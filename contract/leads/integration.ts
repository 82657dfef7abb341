import { z } from 'zod'
import { endpoint } from '#contract/endpoint.ts'
import { bounded, byUuid, line, moment, paragraph, requiredLine, someOf, statusChange, uuid, version } from '#contract/fields.ts'
import { listOf, paging, sorting } from '#contract/paging.ts'
import { CALL_STATUSES } from './call-status.ts'
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
  code: z.enum([
    'open',
    'unknown_macro',
    'unknown_transform',
    'arguments',
    'too_many',
    'pattern',
    'pattern_long',
    'name_twice',
    'no_rule',
    'of_lead',
  ]),
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
  /** What that system is called; '' = it was made of none, or of one there is no more. */
  preset_name: z.string(),
  /** The number of the version new products take; null = none was published. */
  active: z.int().nullable(),
  /** The number of the version that is being written; null = none. */
  draft: z.int().nullable(),
  /** Whether what became of leads is asked for, beside what their calls tell. */
  pulls: z.boolean(),
  /** How many words of theirs wait for somebody to say what they mean. */
  words: z.int(),
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
  /** The first text that grows longer than a call may hold: then nothing is sent either; '' = none. */
  too_long: z.string(),
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

/** A word of theirs for what became of a lead that no version knows. */
const statusWord = z.object({
  /** As words are compared: small, with single spaces. */
  word: z.string(),
  /** As it was written last. */
  raw: z.string(),
  first_seen_at: moment,
  last_seen_at: moment,
  /** How often it came while nobody had said what it means. */
  seen: z.int(),
  /** Leads it is the last that was heard of. */
  waiting: z.int(),
  /** What it might mean, by how other systems use it; null = nothing like it is known. Nothing follows from it. */
  suggested: z.enum(CALL_STATUSES).nullable(),
  meaning: z.enum(CALL_STATUSES).nullable(),
  mapped_at: moment.nullable(),
  mapped_by: z.string().nullable(),
  /** Leads that wait for it are being worked off. */
  applying: z.boolean(),
})
export type StatusWord = z.output<typeof statusWord>

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
  words: endpoint({
    method: 'POST',
    path: '/api/integration/v1/words/:uuid',
    access: 'integration.read',
    reads: true,
    summary: 'Words of theirs no version knows: those nobody has mapped first, the newest of them on top.',
    params: byUuid,
    body: z.object({ ...paging }),
    response: listOf(statusWord),
  }),
  mapWord: endpoint({
    method: 'POST',
    path: '/api/integration/v1/map-word/:uuid',
    access: 'integration.write',
    summary: 'Says what a word of theirs means, from now on and for the leads that wait; what it bills of them is booked.',
    params: byUuid,
    body: z.object({
      word: requiredLine(100),
      meaning: z.enum(CALL_STATUSES),
      /** What it meant when it was looked at; null = nobody had said. */
      expected: z.enum(CALL_STATUSES).nullable(),
    }),
    response: statusWord,
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
