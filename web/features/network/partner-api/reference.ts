import { z } from 'zod'
import type { ExampleCall } from '#contract/partner-example.ts'

const parameter = z.object({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  required: z.boolean(),
  example: z.union([z.string(), z.number()]).optional(),
  schema: z.object({ type: z.string().optional(), enum: z.array(z.string()).optional() }),
})
const operation = z.object({
  operationId: z.string(),
  tags: z.array(z.string()),
  summary: z.string(),
  'x-scope': z.string(),
  parameters: z.array(parameter),
  requestBody: z
    .object({ content: z.object({ 'application/json': z.object({ example: z.record(z.string(), z.unknown()).optional() }) }) })
    .optional(),
})
/** What the page reads of the OpenAPI document. */
export const reference = z.object({ paths: z.record(z.string(), z.record(z.string(), operation)) })

export type Operation = z.output<typeof operation> & { method: string; path: string }

/** The calls of the document by what they are about, as `Offer` or `Click`. */
export function roomsOf({ paths }: z.output<typeof reference>): [room: string, operations: Operation[]][] {
  const all = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => ({ ...one, method: method.toUpperCase(), path })),
  )
  return [...Map.groupBy(all, ({ tags }) => (tags[0] ?? '').replace('partnerApi', ''))]
}

/** The call a reader begins with: its examples filled in. */
export function exampleOf({ method, path, parameters, requestBody }: Operation): ExampleCall {
  const given = parameters.filter(({ example }) => example !== undefined)
  const filled = given
    .filter((one) => one.in === 'path')
    .reduce((text, { name, example }) => text.replace(`{${name}}`, String(example)), path)
  const query = new URLSearchParams(given.filter((one) => one.in === 'query').map(({ name, example }) => [name, String(example)]))
  const body = requestBody === undefined ? null : (requestBody.content['application/json'].example ?? {})
  return { method, path: query.size === 0 ? filled : `${filled}?${query.toString()}`, body }
}
