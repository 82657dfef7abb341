import { z } from 'zod'
import { bytes, changesSomething, type Endpoint } from '#contract/endpoint.ts'
import { ERRORS } from '#contract/errors.ts'
import { isPartnerPath, KEPT_ANSWER_HOURS, problem } from '#contract/problem.ts'
import { CALLS_A_MINUTE } from '#contract/people/api-key.ts'
import type { HttpServer } from '#server/platform/http/app.ts'
import { API, roomOf } from './api.ts'
import { EXAMPLE_UUID, PARTNER_EXAMPLES } from './partner-examples.ts'

/**
 * Serves the OpenAPI 3.1 descriptions of the panel's API and of the partners' one, generated from the contract. They are made
 * when first asked for: to make them takes longer than all else a start does.
 */
export function documentationRoutes(app: HttpServer, version: string): void {
  serve('/api/openapi.json', describeApi)
  serve('/api/partner/v1/openapi.json', describePartnerApi)

  function serve(path: string, describe: (version: string) => object): void {
    let text: string | undefined
    app.server.get(path, async (_request, reply) => reply.type('application/json').send((text ??= JSON.stringify(describe(version)))))
  }
}

/** The OpenAPI 3.1 document of every endpoint of the panel. */
export function describeApi(version: string) {
  const security = [{ session: [] }]
  return documentOf((endpoint) => !isPartnerPath(endpoint.path), {
    info: {
      title: 'Panel API',
      version,
      description:
        'The API of the panel. Every answer is an envelope: `{status: "success", data}` or `{status: "error", errors}`. ' +
        `An API key makes up to ${CALLS_A_MINUTE} calls a minute that read, and as many that change something, such as sending leads.`,
    },
    securitySchemes: { session: { type: 'http', scheme: 'bearer', description: 'The token of a session, or an API key.' } },
    schemas: { Failure: failure },
    answer: (data) => ({ type: 'object', required: ['status', 'data'], properties: { status: { const: 'success' }, data } }),
    failed: { description: 'Failure', content: json({ $ref: '#/components/schemas/Failure' }) },
    headers: {},
    parameters: () => [],
    operation: ({ access }) => ({ 'x-access': access, security: access === 'public' ? [] : security }),
  })
}

/** The OpenAPI 3.1 document of what programs of affiliates call. */
export function describePartnerApi(version: string) {
  return documentOf((endpoint) => isPartnerPath(endpoint.path), {
    info: {
      title: 'Partner API',
      version,
      description:
        'Offers, links, figures, conversions, clicks, balance and tickets of one affiliate. Calls carry a key of your account; ' +
        'lists are read by cursor, newest first; failures are problems of RFC 9457. A key makes up to ' +
        `${CALLS_A_MINUTE} calls a minute that read, and as many that change something.`,
    },
    securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'An API key of your account, with the scope the call names.' } },
    schemas: { Problem: schemaOf(problem, 'output') },
    answer: (data) => data,
    failed: {
      description: 'A problem: what is wrong, and with which field.',
      headers: { 'X-Request-Id': header('What the call is called in our log.', 'string') },
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    },
    headers: {
      'X-Request-Id': header('The name of the call: yours where you sent one.', 'string'),
      'RateLimit-Limit': header(
        'Calls of this kind a key may make in a minute: of those that read, or of those that change something.',
        'integer',
      ),
      'RateLimit-Remaining': header('Those left of this minute.', 'integer'),
      'RateLimit-Reset': header('Seconds until the next minute begins.', 'integer'),
    },
    parameters: (endpoint) => (changesSomething(endpoint) ? [IDEMPOTENCY_KEY] : []),
    operation: (endpoint) => ({
      'x-scope': scopeOf(endpoint),
      description: `Takes a key with the scope \`${scopeOf(endpoint)}\`.`,
      security: [{ key: [] }],
    }),
  })
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: `A name of the call: sent again within ${KEPT_ANSWER_HOURS} hours it is answered as the first time and changes nothing.`,
  schema: { type: 'string', minLength: 1, maxLength: 200 },
}

function scopeOf(endpoint: Endpoint): string {
  return `${roomOf(endpoint)}.${changesSomething(endpoint) ? 'write' : 'read'}`
}

/** What differs between the two documents. */
type Style = {
  info: { title: string; version: string; description: string }
  securitySchemes: object
  schemas: object
  /** What a success is, by the schema of its data. */
  answer(data: object): object
  failed: object
  headers: object
  /** What every such call takes beside its own. */
  parameters(endpoint: Endpoint): object[]
  operation(endpoint: Endpoint): object
}

function documentOf(chosen: (endpoint: Endpoint) => boolean, style: Style) {
  const paths: Record<string, Record<string, unknown>> = {}
  const tags = []
  for (const [tag, group] of Object.entries(API)) {
    const endpoints = Object.entries<Endpoint>(group).filter(([, endpoint]) => chosen(endpoint))
    if (endpoints.length > 0) tags.push({ name: tag, description: `Calls of ${tag}.` })
    for (const [name, endpoint] of endpoints) {
      const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
      paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(tag, name, endpoint, style) }
    }
  }
  return {
    openapi: '3.1.0',
    info: { ...style.info, license: { name: 'MIT', identifier: 'MIT' } },
    // wherever the network is: the address this document came from
    servers: [{ url: '/' }],
    tags,
    components: { securitySchemes: style.securitySchemes, schemas: style.schemas },
    paths,
  }
}

const failure = {
  type: 'object',
  required: ['status', 'errors'],
  properties: {
    status: { const: 'error' },
    errors: {
      type: 'object',
      additionalProperties: { type: 'string' },
      examples: [{ [ERRORS.bad_request.code]: ERRORS.bad_request.text }],
    },
    data: { type: 'object', properties: { fields: { type: 'object', additionalProperties: { type: 'string' } } } },
  },
}

function operation(tag: string, name: string, endpoint: Endpoint, style: Style) {
  const body = schemaOf(endpoint.body, 'input')
  const hasBody = endpoint.method !== 'GET' && Object.keys(propertiesOf(endpoint.body)).length > 0
  const parameters = [...parametersOf(endpoint, 'path'), ...parametersOf(endpoint, 'query'), ...style.parameters(endpoint)]
  return {
    operationId: `${tag}.${name}`,
    tags: [tag],
    summary: endpoint.summary,
    ...style.operation(endpoint),
    parameters,
    ...(endpoint.body === bytes && { requestBody: { required: true, content: { 'application/octet-stream': {} } } }),
    ...(hasBody && { requestBody: { required: true, content: { 'application/json': { schema: body, ...bodyExample(endpoint) } } } }),
    responses: {
      200: {
        description: 'Success',
        headers: style.headers,
        content:
          endpoint.response === bytes ? { 'application/octet-stream': {} } : json(style.answer(schemaOf(endpoint.response, 'output'))),
      },
      '4XX': style.failed,
      '5XX': style.failed,
    },
  }
}

const exampleOf = ({ method, path }: Endpoint) => PARTNER_EXAMPLES[`${method} ${path}`]

function bodyExample(endpoint: Endpoint): { example?: object } {
  const body = exampleOf(endpoint)?.body
  return body === undefined ? {} : { example: body }
}

/** The example of a parameter of a partner's call. */
function parameterExample(endpoint: Endpoint, place: 'path' | 'query', name: string): { example?: string | number } {
  if (!isPartnerPath(endpoint.path)) return {}
  const example = place === 'path' ? EXAMPLE_UUID : exampleOf(endpoint)?.query?.[name]
  return example === undefined ? {} : { example: /^\d+$/.test(example) ? Number(example) : example }
}

function json(schema: object) {
  return { 'application/json': { schema } }
}

function header(description: string, type: string) {
  return { description, schema: { type } }
}

function parametersOf(endpoint: Endpoint, place: 'path' | 'query') {
  const schema = place === 'path' ? endpoint.params : endpoint.query
  const { required = [] } = schemaOf(schema, 'input')
  return Object.entries(propertiesOf(schema)).map(([name, shape]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: shape,
    ...parameterExample(endpoint, place, name),
  }))
}

function propertiesOf(schema: z.ZodType): Record<string, unknown> {
  return schemaOf(schema, 'input').properties ?? {}
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output') {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: tellMore })
  return rest
}

/** Says what readers of OpenAPI look for: the fields of a table by known names, and that something is any value. */
function tellMore({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  const { propertyNames, additionalProperties, required } = jsonSchema
  const names = typeof propertyNames === 'object' ? propertyNames.enum : undefined
  if (names !== undefined && required !== undefined) {
    jsonSchema.properties = Object.fromEntries(names.map((name) => [String(name), additionalProperties ?? {}]))
    jsonSchema.additionalProperties = false
    delete jsonSchema.propertyNames
  }
  if (zodSchema._zod.def.type === 'custom') jsonSchema.description ??= 'Any value'
}
