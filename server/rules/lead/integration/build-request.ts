import { XMLBuilder } from 'fast-xml-parser'
import type { RequestSpec } from '#contract/leads/integration-spec.ts'
import { putAt } from './path.ts'
import { allowance, fill, readTemplate, type Gather, type Values } from './template.ts'
import type { TransformContext } from './transform.ts'

/** A call as it goes out. `body` null = none. */
export type BuiltRequest = {
  method: RequestSpec['method']
  url: string
  headers: Record<string, string>
  body: string | null
  timeoutMs: number
}
/** What cannot be sent: which required values are missing, by their path, or the first text that grows too long, by its name. */
export type Unbuilt = { missing: string[]; tooLong: string }

const CONTENT_TYPES: Readonly<Record<RequestSpec['body'], string>> = {
  none: '',
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
  xml: 'application/xml',
  raw: 'text/plain',
}

/**
 * Writes a call from its spec and the values of a lead. The body is written first: `{{request.body}}` stands for its bytes in query
 * and headers, for those who sign them. Pure: the same spec and values give the same bytes. `gather` hears what became of values.
 */
export function buildRequest(spec: RequestSpec, values: Values, context: TransformContext, gather?: Gather): BuiltRequest | Unbuilt {
  const work = allowance()
  let tooLong = ''
  const filled = (where: string, text: string, of: Values) => {
    // the first one ends it: nothing more is worked out for a call that is not made
    const made = tooLong === '' ? fill(readTemplate(text).template, of, context, work, gather) : ''
    if (made === null) tooLong = where
    return made ?? ''
  }
  const nodes = spec.nodes.map((node) => ({ ...node, text: filled(node.path, node.value, values) }))
  if (tooLong !== '') return { missing: [], tooLong }
  const missing = nodes.filter(({ required, text }) => required && text === '').map(({ path }) => path)
  if (missing.length > 0) return { missing, tooLong }
  const boundary = `ohma-${(values['send.lead_id'] ?? '').replace(/\W/g, '')}-boundary`
  const kept = nodes.filter(({ text, omit_if_empty, type }) => !(omit_if_empty && text === '') || type === 'null')
  const body = bodyOf(spec, kept, boundary, () => filled('body', spec.raw, values))
  if (tooLong !== '' || (body?.length ?? 0) > LONGEST_BODY) return { missing: [], tooLong: tooLong || 'body' }
  const withBody: Values = { ...values, 'request.body': body ?? '', 'request.sorted': body === null ? '' : sorted(kept) }
  const pairs = (list: RequestSpec['query']): [string, string][] =>
    list
      .flatMap((pair) => (pair.value === EACH_ID ? eachId(pair, withBody) : [pair]))
      .map(({ name, value, omit_if_empty }) => ({
        name: filled(name, name, withBody),
        value: filled(name, value, withBody),
        omit_if_empty,
      }))
      .filter(({ value, omit_if_empty }) => !(omit_if_empty && value === ''))
      .map(({ name, value }) => [name, value])
  // what stands for a lead in a path is one part of it, never more
  const path = filled('url', spec.url, encodedInUrl(withBody))
  const query = pairs(spec.query)
    .map(([name, value]) => `${formEncoded(name)}=${formEncoded(value)}`)
    .join('&')
  const type = spec.content_type === '' ? CONTENT_TYPES[spec.body] : spec.content_type
  const headers = Object.fromEntries(pairs(spec.headers).map(([name, value]) => [name.toLowerCase(), headerText(value)]))
  if (tooLong !== '') return { missing: [], tooLong }
  return {
    method: spec.method,
    url: query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`,
    headers:
      type === '' || 'content-type' in headers
        ? headers
        : { 'content-type': spec.body === 'multipart' ? `${type}; boundary=${boundary}` : type, ...headers },
    body,
    timeoutMs: spec.timeout_ms,
  }
}

/** No body is longer, in characters. */
const LONGEST_BODY = 1_048_576

/** The value of a pair that stands in the query once for each id that is asked about. */
const EACH_ID = '{{poll.each_id}}'

function eachId(pair: RequestSpec['query'][number], values: Values): RequestSpec['query'] {
  const ids = (values['poll.each_id'] ?? '').split('\n').filter((id) => id !== '')
  return ids.map((id) => ({ ...pair, value: id.replaceAll('{{', '') }))
}

type Filled = RequestSpec['nodes'][number] & { text: string }

function bodyOf(spec: RequestSpec, nodes: readonly Filled[], boundary: string, raw: () => string): string | null {
  switch (spec.body) {
    case 'none':
      return null
    case 'raw':
      return raw()
    case 'form':
      return nodes.map(({ path, text }) => `${formEncoded(path)}=${formEncoded(text)}`).join('&')
    case 'multipart':
      return `${nodes.map(({ path, text }) => `--${boundary}\r\ncontent-disposition: form-data; name="${path.replace(/["\r\n]/g, '')}"\r\n\r\n${text}\r\n`).join('')}--${boundary}--\r\n`
    case 'json':
      return JSON.stringify(treeOf(nodes))
    case 'xml':
      return `<?xml version="1.0" encoding="UTF-8"?>${XML.build(treeOf(nodes)) as string}`
  }
}

const XML = new XMLBuilder({ ignoreAttributes: false, attributeNamePrefix: '@', suppressEmptyNode: false })

/** Node has it; the library of types does not yet. */
const rawJson = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON

/** The values at their paths: a number first makes an array. */
function treeOf(nodes: readonly Filled[]): unknown {
  const root: { tree: unknown } = { tree: /^\d+(\.|$)/.test(nodes[0]?.path ?? '') ? [] : {} }
  for (const node of nodes) putAt(root.tree, node.path, typed(node))
  return root.tree
}

function typed({ type, text }: Filled): unknown {
  switch (type) {
    case 'number':
      // a number is written as it was: no rounding on the way
      return /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) ? rawJson(text) : text
    case 'bool':
      return /^(1|true|yes|on)$/i.test(text)
    case 'null':
      return text === '' ? null : text
    case 'object':
    case 'array':
      return parsed(text) ?? (type === 'array' ? [] : {})
    case 'string':
      return text
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The pairs of a form in the order of their names: what some sign instead of the bytes. */
function sorted(nodes: readonly Filled[]): string {
  return nodes
    .toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
    .map(({ path, text }) => `${formEncoded(path)}=${formEncoded(text)}`)
    .join('&')
}

function formEncoded(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replace(/%20/g, '+')
    .replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
}

/** The base address and account of a product stand in URLs as they are; what a stranger sent never makes another path, query or host. */
function encodedInUrl(values: Values): Values {
  return new Proxy(values, {
    get: (all, name) => {
      const value = typeof name === 'string' ? all[name] : undefined
      if (value === undefined || typeof name !== 'string' || name === 'product.host') return value
      return encodeURIComponent(value.toWellFormed())
    },
  })
}

/** One line of printable signs. */
function headerText(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, (sign) => (/[\r\n\0]/.test(sign) ? '' : encodeURIComponent(sign.toWellFormed())))
}
