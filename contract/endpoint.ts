import { z } from 'zod'
import type { Access } from './access.ts'
import { issueText } from './issue-text.ts'

// The panel runs under a CSP without eval; zod's compiled parsers would need it.
z.config({ jitless: true, customError: issueText })

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * One API endpoint as data: the server implements it, the web calls it, the OpenAPI page lists it.
 *
 * - `path` is `/api/<feature>/v1/<verb>`, with `:name` placeholders that `params` must name.
 * - `access` says who may call it; the server checks it before it parses anything.
 * - `response` is the shape of `data` inside the envelope; fields outside of it never leave the server.
 */
export type Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Response extends z.ZodType = z.ZodType,
  Rule extends Access = Access,
> = {
  method: Method
  path: string
  access: Rule
  summary: string
  /** Answered also to who has yet to set up the second factor that the role must have; all else is refused them. */
  whileSettingUp?: true
  /** Changes nothing although it is no GET, such as a list with filters. Whatever else is no GET changes something. */
  reads?: true
  /** Keeps only what the caller has looked at, or how they like to look at it; nothing where staff act as somebody else. */
  remembers?: true
  /** Answered also to staff who act as an affiliate without having allowed changes. */
  whileReadOnly?: true
  /** Whether API keys may call it: none (`never`), each (`always`), or, unsaid, those with the scope of its room. */
  key?: 'never' | 'always'
  /** Bytes its body may have, where that is more than others may. */
  largest?: number
  params: Params
  query: Query
  body: Body
  response: Response
}

/** Bytes as they are instead of JSON: what is uploaded (`application/octet-stream`), or an answer that is a file. */
export const bytes = z.instanceof(Uint8Array)

const nothing = z.object({})
type Nothing = typeof nothing

/** Declares an endpoint. `summary` is one sentence for the API reference. */
export function endpoint<
  Response extends z.ZodType,
  const Rule extends Access,
  Params extends z.ZodType = Nothing,
  Query extends z.ZodType = Nothing,
  Body extends z.ZodType = Nothing,
>(definition: {
  method: Method
  path: string
  access: Rule
  summary: string
  whileSettingUp?: true
  reads?: true
  remembers?: true
  whileReadOnly?: true
  key?: 'never' | 'always'
  largest?: number
  params?: Params
  query?: Query
  body?: Body
  response: Response
}): Endpoint<Params, Query, Body, Response, Rule> {
  return {
    params: nothing as unknown as Params, // the default type argument says the same
    query: nothing as unknown as Query,
    body: nothing as unknown as Body,
    ...definition,
  }
}

/** Whether a call may change something. */
export function changesSomething({ method, reads }: Pick<Endpoint, 'method' | 'reads'>): boolean {
  return method !== 'GET' && reads !== true
}

export type EndpointGroup = Record<string, Endpoint>

/** What a caller passes: only the parts that have fields. */
export type CallInput<E extends Endpoint> = Part<'params', E['params']> & Part<'query', E['query']> & Part<'body', E['body']>
export type CallOutput<E extends Endpoint> = z.output<E['response']>

type Part<Name extends string, Schema extends z.ZodType> = keyof z.input<Schema> extends never
  ? unknown
  : Record<never, never> extends z.input<Schema>
    ? { [K in Name]?: z.input<Schema> }
    : { [K in Name]: z.input<Schema> }

/** Fills the placeholders of a path; throws when one is missing, which is a bug of the caller. */
export function fillPath(path: string, params: Record<string, unknown>): string {
  return path.replace(/:(\w+)/g, (_whole, name: string) => {
    const value = params[name]
    if (value === undefined || value === null) throw new Error(`path ${path} needs ${name}`)
    return encodeURIComponent(String(value as string | number))
  })
}
