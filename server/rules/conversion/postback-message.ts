import { HASHED_MACRO } from '#contract/traffic/macro-alias.ts'
import type { SentHeader } from '#contract/traffic/postback-message.ts'
import {
  encodeValue,
  expand,
  type MacroValues,
  type Template,
  type TemplateError,
  type TemplateMacro,
} from '#contract/traffic/macro-template.ts'
import { describeTemplateErrors, parseTemplate, readMacro } from '../macros.ts'
import { expandJson, parseJson } from './json-template.ts'

/** A postback as it is kept: all but its secrets. */
export type MessageTemplate = {
  method: 'GET' | 'POST'
  url: string
  body_type: 'query' | 'form' | 'json'
  body: string
  headers: readonly SentHeader[]
}
/** The same with values in place of macros: what a delivery sends. */
export type Message = MessageTemplate & { headers: SentHeader[] }

/** So many macros a body or a header may have: each may hold hundreds of characters. */
const MOST_MACROS = 100

/** What a postback becomes with the values of a conversion, and the mistakes of its parts as sentences; with any it must not be saved. */
export function readMessage(of: MessageTemplate): {
  write: (values: MacroValues) => Message
  errors: { url?: string; body?: string; headers?: string }
  macros: string[]
} {
  const url = parseTemplate(of.url, 'postback')
  const address = url.template.map(asTyped)
  const body = of.method === 'POST' && of.body_type !== 'query' ? readBody(of.body_type, of.body) : NO_BODY
  const headers = of.headers.map(({ name, value }) => ({ name, ...(value === null ? SECRET : readText(value)) }))
  const headerErrors = headers.flatMap((one) => one.errors)
  const parts: Template = [...url.template, ...body.template, ...headers.flatMap(({ template }) => template ?? [])]
  return {
    write: (values) => ({
      method: of.method,
      body_type: of.method === 'POST' ? of.body_type : 'query',
      url: expand(address, values),
      body: body.write(values),
      headers: headers.map(({ name, template }) => ({ name, value: template === null ? null : inHeader(template, values) })),
    }),
    errors: {
      ...(url.errors.length > 0 && { url: describeTemplateErrors(url.errors) }),
      ...(body.mistake !== '' && { body: body.mistake }),
      ...(headerErrors.length > 0 && { headers: describeTemplateErrors(headerErrors) }),
    },
    macros: [...new Set(parts.flatMap((part) => (typeof part === 'string' ? [] : [part.macro])))],
  }
}

/** Macros of other systems that hold a `#` arrive as they are typed: unencoded, an address would end there for whoever sends it. */
function asTyped(part: Template[number]): Template[number] {
  return typeof part === 'string' ? part.replace(HASHED_MACRO, (macro) => macro.replaceAll('#', '%23')) : part
}

type Body = { template: Template; write: (values: MacroValues) => string; mistake: string }
const NO_BODY: Body = { template: [], write: () => '', mistake: '' }
const SECRET = { template: null, errors: [] as TemplateError[] }

function readBody(type: 'form' | 'json', text: string): Body {
  if (text.trim() === '') return { ...NO_BODY, mistake: 'Say what the body holds.' }
  if (type === 'form') {
    const { template, errors } = readText(text)
    // a line break separates pairs for who types them, and nothing for who reads them
    const write = (values: MacroValues) =>
      expand(
        template.map((part) => (typeof part === 'string' ? part.replace(/\s*\n\s*/g, '').replaceAll(' ', '+') : part)),
        values,
      )
    return { template, write, mistake: describeTemplateErrors(errors) || tooMany(template) }
  }
  const { template, errors } = parseJson(text)
  const write = (values: MacroValues) => expandJson(template, values)
  return { template, write, mistake: describeTemplateErrors(errors) || tooMany(template) || (isJson(write) ? '' : NOT_JSON) }
}

function tooMany(template: Template): string {
  return template.length > 2 * MOST_MACROS ? `At most ${MOST_MACROS} macros` : ''
}

const NOT_JSON = 'This is not JSON: look for missing quotes, commas and brackets.'

/** With values and without: then it is JSON whatever they are. */
function isJson(write: (values: MacroValues) => string): boolean {
  try {
    const whole = new Proxy<MacroValues>({}, { get: (_values, name) => (name === 'payout' ? '1.5' : '1"') })
    for (const values of [whole, {}]) JSON.parse(write(values))
    return true
  } catch {
    return false
  }
}

/** A text with macros anywhere: a form, or the value of a header. */
function readText(text: string): { template: Template; errors: TemplateError[] } {
  const errors: TemplateError[] = []
  const template: (string | TemplateMacro)[] = []
  let last = 0
  for (const { index, 0: whole, 1: inner = '' } of text.matchAll(/(?<![$#{])\{([^{}$]*)\}(?!\})/g)) {
    const macro = readMacro(inner, 'postback', errors)
    if (macro === null) continue
    template.push(text.slice(last, index), macro)
    last = index + whole.length
  }
  return { template: [...template, text.slice(last)], errors }
}

/** A value in a header: encoded as in addresses, or raw without what would break the line. */
function inHeader(template: Template, values: MacroValues): string {
  return template
    .map((part) => {
      if (typeof part === 'string') return part
      const value = values[part.macro] ?? ''
      const text = part.map?.get(value) ?? value
      return part.raw ? text.toWellFormed().replace(/[^\x20-\x7e]+/g, encodeRaw) : encodeValue(text)
    })
    .join('')
    .trim()
}

function encodeRaw(text: string): string {
  return encodeURIComponent(text.replace(/[\x00-\x1f\x7f]/g, ''))
}
