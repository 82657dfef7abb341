import { XMLParser } from 'fast-xml-parser'
import { sayCallReason } from '#contract/leads/call-reason.ts'
import { EXTRACTED, type Outcome, type ResponseSpec } from '#contract/leads/integration-spec.ts'
import { cutAtWord } from '../cut-at-word.ts'
import { readAt } from './path.ts'
import { matchIn, patience, patternAt, type Patience } from './pattern.ts'

/** What came back: a status, or why there is none. */
export type Answer = {
  status: number | null
  failure: '' | 'connect' | 'timeout' | 'cut' | 'unreadable' | 'refused'
  headers: Readonly<Record<string, string>>
  body: string
}

type Condition = ResponseSpec['rules'][number]['when'][number]
export type Judged = {
  outcome: Outcome
  reason: string
  /** Which of the rules decided, from 0; null = none did. */
  rule: number | null
  /** Which of the rules would fit, for who looks on. */
  fits: boolean[]
  extracted: Partial<Record<(typeof EXTRACTED)[number], string>>
}

/** An answer as a tree, whatever its type says: JSON behind a mark of order or a warning, XML, else only text. HTML is text. */
export function decodeAnswer(body: string): { kind: 'json' | 'xml' | 'text'; tree: unknown } {
  const text = body.replace(/^\uFEFF/, '').trim()
  const json = jsonIn(text)
  if (json !== undefined) return { kind: 'json', tree: json }
  if (text.startsWith('<') && !/^<(!doctype\s+html|html|br|p\b|div)/i.test(text)) {
    try {
      return { kind: 'xml', tree: XML.parse(text) as unknown }
    } catch {
      return { kind: 'text', tree: undefined }
    }
  }
  return { kind: 'text', tree: undefined }
}

const XML = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '@', parseTagValue: false, processEntities: false })

/** JSON, also behind what a server wrote before it. A bare word is no JSON to us, a bare number is. */
function jsonIn(text: string): unknown {
  const from = text.search(/[[{]/)
  for (const part of [text, from > 0 ? text.slice(from) : '']) {
    try {
      if (part !== '') return JSON.parse(part)
    } catch {
      // perhaps behind a warning
    }
  }
  return undefined
}

/**
 * What an answer means: the first rule that fits; where none does, what the way it came says, and else nobody knows. Nobody does either
 * where its patterns take too long: a rule that was not looked at might have fitted.
 */
export function judgeAnswer(answer: Answer, spec: ResponseSpec): Judged {
  const decoded = decodeAnswer(answer.body)
  const patient = patience()
  const fits: boolean[] = []
  let rule = -1
  let isKnown = true
  for (const { when } of spec.rules) {
    const fit =
      answer.status !== null &&
      when.every((one) => holds(one, one.at === '' ? [answer.status] : lookAt(answer, decoded.tree, one.at, patient), patient))
    // what was found before it took too long stands
    if (rule < 0 && patient.left < 0) isKnown = false
    if (rule < 0 && isKnown && fit) rule = fits.length
    fits.push(isKnown && fit)
  }
  const reading = patience()
  const extracted = Object.fromEntries(
    EXTRACTED.flatMap((what) => {
      const text = firstText((spec.extract[what] ?? []).flatMap((place) => lookAt(answer, decoded.tree, place, reading)))
      return text === undefined
        ? []
        : [[what, what === 'error_text' ? cutAtWord(text, 500) : text.slice(0, what === 'redirect_url' ? 4000 : 500)]]
    }),
  )
  if (!isKnown || reading.left < 0) return { outcome: 'ambiguous', reason: sayCallReason('too_slow'), rule: null, fits, extracted }
  const decided = spec.rules[rule]
  const outcome = decided?.outcome ?? outcomeOfTransport(answer)
  // what stands beside a yes is no error: some put there where the person goes on
  const error = outcome === 'accepted' ? undefined : extracted.error_text
  const own = decided?.reason ?? ''
  const said = decided === undefined ? reasonOf(answer) : byRule(answer, decided.outcome, rule)
  const reason = own === '' ? (error ?? said) : own
  return { outcome, reason, rule: rule < 0 ? null : rule, fits, extracted }
}

/** What the first of several places of an answer holds; undefined where none holds a text, number or truth. */
export function extractFrom(answer: Answer, places: readonly string[]): string | undefined {
  const { tree } = decodeAnswer(answer.body)
  const patient = patience()
  return firstText(places.flatMap((place) => lookAt(answer, tree, place, patient)))
}

function outcomeOfTransport({ status, failure }: Answer): Outcome {
  if (failure === 'refused') return 'config_error'
  // nothing reached them
  if (failure === 'connect') return 'temporary'
  if (status === 401 || status === 403) return 'config_error'
  if (status === 429 || status === 502 || status === 503 || status === 504) return 'temporary'
  // it may have been taken: who knows
  return 'ambiguous'
}

/** What a rule decided that says no reason, where they say none either; who took a lead needs none. */
function byRule({ status }: Answer, outcome: Outcome, rule: number): string {
  return outcome === 'accepted' ? '' : sayCallReason('by_rule', { status: status ?? 0, rule: rule + 1 })
}

function reasonOf({ status, failure }: Answer): string {
  return failure === '' ? sayCallReason('no_rule', { status: status ?? 0 }) : sayCallReason(failure)
}

/** What stands at a place of an answer; `tree` is the answer decoded, or a part of it. */
export function lookAt({ headers, body }: Answer, tree: unknown, place: string, patient: Patience): unknown[] {
  if (place === 'text') return [body]
  if (place.startsWith('header:')) {
    const value = headers[place.slice('header:'.length).toLowerCase()]
    return value === undefined ? [] : [value]
  }
  const pattern = patternAt(place)
  if (pattern !== undefined) {
    const found = matchIn(body, pattern, patient)
    return found === undefined ? [] : [found]
  }
  return tree === undefined ? [] : readAt(tree, place)
}

/** The first that is a text, a number or a truth, as text; '' counts for none. */
export function firstText(found: readonly unknown[]): string | undefined {
  return found.map(textOf).find((text) => text !== undefined && text !== '')
}

function textOf(value: unknown): string | undefined {
  // a database holds neither
  return typeof value === 'string'
    ? value.replaceAll('\0', '').toWellFormed().trim()
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : undefined
}

/** Numbers, truths and texts of one meaning are alike; of several values found one is enough, but `absent`, `ne` and `falsy` are of all. */
export function holds({ op, value }: Condition, found: readonly unknown[], patient: Patience): boolean {
  const there = found.filter((one) => one !== undefined && one !== null)
  const texts = there.map(textOf).filter((text) => text !== undefined)
  switch (op) {
    case 'exists':
      return there.length > 0
    case 'absent':
      return there.length === 0
    case 'eq':
      return texts.some((text) => same(text, value))
    case 'ne':
      return texts.every((text) => !same(text, value))
    case 'in':
      return value.split('\n').some((one) => texts.some((text) => same(text, one)))
    case 'contains':
      return value !== '' && texts.some((text) => text.toLowerCase().includes(value.toLowerCase()))
    case 'matches':
      return texts.some((text) => matchIn(text, value, patient) !== undefined)
    case 'truthy':
      return texts.some((text) => TRUE.has(text.toLowerCase())) || there.some((one) => typeof one === 'object')
    case 'falsy':
      return !texts.some((text) => TRUE.has(text.toLowerCase()))
    case 'gt':
      return texts.some((text) => isNumber(text) && isNumber(value) && Number(text) > Number(value))
    case 'lt':
      return texts.some((text) => isNumber(text) && isNumber(value) && Number(text) < Number(value))
  }
}

const TRUE: ReadonlySet<string> = new Set(['true', '1', 'yes', 'ok', 'success'])

function isNumber(text: string): boolean {
  return text.trim() !== '' && Number.isFinite(Number(text))
}

/** `2xx` stands for a hundred statuses. */
function same(text: string, wanted: string): boolean {
  const value = wanted.trim()
  return /^[1-5]xx$/.test(value)
    ? /^[1-5]\d\d$/.test(text) && text.startsWith(value.slice(0, 1))
    : text.toLowerCase() === value.toLowerCase()
}
