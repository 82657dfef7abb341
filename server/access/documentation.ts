import { z } from 'zod'
import { API } from './api.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { ERRORS } from '#contract/errors.ts'
import type { HttpServer } from '#server/platform/http/app.ts'

/** Serves the OpenAPI 3.1 description of the API, generated from the contract. */
export function documentationRoutes(app: HttpServer, version: string): void {
  const text = JSON.stringify(describeApi(version))
  app.server.get('/api/openapi.json', async (_request, reply) => reply.type('application/json').send(text))
}

/** The OpenAPI 3.1 document of every endpoint in the contract. */
export function describeApi(version: string) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const [tag, group] of Object.entries(API)) {
    for (const [name, endpoint] of Object.entries<Endpoint>(group)) {
      const path = endpoint.path.replace(/:(\w+)/g, '{$1}')
      paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(tag, name, endpoint) }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Ohma API',
      version,
      description: 'The API of the panel. Every answer is an envelope: `{status: "success", data}` or `{status: "error", errors}`.',
    },
    components: {
      securitySchemes: { session: { type: 'http', scheme: 'bearer' } },
      schemas: { Failure: failure },
    },
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

function operation(tag: string, name: string, endpoint: Endpoint) {
  const hasBody =
    endpoint.method !== 'GET' && 'properties' in schemaOf(endpoint.body, 'input') && Object.keys(propertiesOf(endpoint.body)).length > 0
  return {
    operationId: `${tag}.${name}`,
    tags: [tag],
    summary: endpoint.summary,
    'x-access': endpoint.access,
    ...(endpoint.access === 'public' ? {} : { security: [{ session: [] }] }),
    parameters: [...parametersOf(endpoint.params, 'path'), ...parametersOf(endpoint.query, 'query')],
    ...(hasBody ? { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(endpoint.body, 'input') } } } } : {}),
    responses: {
      200: {
        description: 'Success',
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['status', 'data'],
              properties: { status: { const: 'success' }, data: schemaOf(endpoint.response, 'output') },
            },
          },
        },
      },
      default: { description: 'Failure', content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } } },
    },
  }
}

function parametersOf(schema: z.ZodType, place: 'path' | 'query') {
  const { required = [] } = schemaOf(schema, 'input')
  return Object.entries(propertiesOf(schema)).map(([name, shape]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    schema: shape,
  }))
}

function propertiesOf(schema: z.ZodType): Record<string, unknown> {
  return schemaOf(schema, 'input').properties ?? {}
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output') {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}
