import { z } from 'zod'
import type { PostbackRefusal } from '#contract/traffic/postback-outcome.ts'
import type { ReceivedPostback } from '#server/rules/conversion/postback-hand-over.ts'
import type { NotUnderstood } from '#server/rules/conversion/postback-meaning.ts'
import { isSecretName } from '#server/rules/conversion/postback-names.ts'
import { plainLine } from '#server/rules/plain-line.ts'
import {
  pairsOf,
  pairsOfJson,
  readJson,
  READING_PROBLEMS,
  readParameters,
  storable,
  type Pair,
  type ReadingProblem,
} from '#server/rules/conversion/postback-reading.ts'

const mention = z.object({
  kind: z.enum(['goal', 'event?', 'status', 'status?', 'amount', 'amount?', 'rejection', 'other']),
  name: z.string(),
  value: z.string(),
  number: z.boolean().optional(),
})

/** What a postback says, as it stands beside it without secrets, to be applied again once its words are mapped. '' = not sent. */
export const postbackFields = z.preprocess(
  withMentions,
  z.object({
    click_id: z.string(),
    txn_id: z.string(),
    currency: z.string(),
    reason: z.string(),
    said: z.array(mention),
    problem: z.object({ reason: z.enum(READING_PROBLEMS), parameter: z.string() }).nullable(),
  }),
)
export type PostbackFields = z.output<typeof postbackFields>

const READ_METHODS = new Set(['GET', 'POST', 'PUT'])
/** Problems of the call as a whole: what it says is not known, not even whose it is. */
const UNREAD: ReadonlySet<ReadingProblem['reason']> = new Set(['body_unread', 'body_invalid', 'body_list', 'method_unread'] as const)
const HIDDEN = '***'
/** Of query and body each, in characters. */
const LONGEST_KEPT = 16_384

export type ParsedPostback = {
  fields: PostbackFields
  secrets: { token: string; signature: string; timestamp: string }
  /** Query and body as they are kept: no secrets, no characters PostgreSQL refuses. */
  query: string
  body: string
  /** Why nobody can read it at all, not even whose it is; a replay finds it in `fields`. */
  refusal: PostbackRefusal | null
}

/**
 * Reads query and body (a form, or a flat JSON object) together: what the one says must not contradict the other.
 * Signature headers and a Bearer token count where the parameters are missing.
 */
export function parsePostback(received: ReceivedPostback): ParsedPostback {
  const body = readBody(received)
  const { plain, said, problem } = readParameters([...pairsOf(received.query), ...body.pairs])
  const { click_id, txn_id, currency, reason, token, signature, timestamp } = plain
  const unread: ReadingProblem | null = READ_METHODS.has(received.method) ? body.problem : { reason: 'method_unread', parameter: '' }
  return {
    fields: { click_id, txn_id, currency, reason: plainLine(reason), said, problem: unread ?? problem },
    secrets: {
      token: token || bearerOf(received.headers['authorization'] ?? ''),
      signature: signature || (received.headers['x-signature'] ?? ''),
      timestamp: timestamp || (received.headers['x-timestamp'] ?? ''),
    },
    query: hidePairs(received.query),
    body: body.kept,
    refusal: unread !== null && UNREAD.has(unread.reason) ? unread.reason : null,
  }
}

/** What can be read by nobody, as a refusal. */
export function problemOf({ said }: PostbackFields, { reason, parameter }: NonNullable<PostbackFields['problem']>): NotUnderstood {
  if (parameter === '') return { refusal: reason }
  const value = said.find((one) => one.name === parameter)?.value
  return { refusal: reason, parameter, detail: value === undefined ? parameter : `${parameter}=${value.slice(0, 60)}` }
}

/** Takes secrets out of text that is kept, wherever they stand and however often they are percent-encoded. */
export function hide(text: string, secrets: readonly string[]): string {
  return secrets.reduce((kept, secret) => (secret.length < 6 ? kept : kept.replace(writtenAs(secret), HIDDEN)), text)
}

/** Every piece of a text, percent-encoded or not, that may be a token as `newToken` makes them, whatever stands around it. */
export function tokensLike(text: string): string[] {
  const decoded = text.replace(/%(?:25)*([2-7][0-9a-f])/gi, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)))
  const runs = new Set([text, decoded].flatMap((one) => one.match(LONG_RUN) ?? []))
  return [...runs].flatMap((run) => Array.from({ length: run.length - TOKEN_LENGTH + 1 }, (_none, at) => run.slice(at, at + TOKEN_LENGTH)))
}

const TOKEN_LENGTH = 43
const LONG_RUN = new RegExp(`[\\w-]{${TOKEN_LENGTH},}`, 'g')

/** A secret, each of its letters plain or percent-encoded. */
function writtenAs(secret: string): RegExp {
  const letters = [...secret].map((letter) => {
    const bytes = [...Buffer.from(letter)].map((byte) => `%(?:25)*${byte.toString(16).padStart(2, '0')}`)
    return `(?:${RegExp.escape(letter)}|${bytes.join('')})`
  })
  return new RegExp(letters.join(''), 'gi')
}

/** Every value a call holds, in whichever way it came: the segments of its path, its parameters, its JSON. At most 100. */
export function valuesOf(received: ReceivedPostback): string[] {
  const segments = received.path.split(/[/:]/).map((segment) => decodedOnce(segment))
  const body = readBody(received)
  const parameters = [...pairsOf(received.query), ...body.pairs].map(({ value }) => value)
  const bearer = bearerOf(received.headers['authorization'] ?? '')
  const loose = body.problem === null ? [] : received.body.split(/[\s"'<>=:;,&]+/)
  const values = [bearer, ...parameters, ...segments, ...loose]
    .map((value) => storable(value).trim())
    .filter((value) => value !== '' && value.length <= 1_000)
  return [...new Set(values)].slice(0, 100)
}

function decodedOnce(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

type Body = { pairs: Pair[]; kept: string; problem: ReadingProblem | null }

function readBody({ body, content_type }: ReceivedPostback): Body {
  const empty: Body = { pairs: [], kept: '', problem: null }
  if (body.trim() === '') return empty
  const unread = (reason: ReadingProblem['reason']): Body => ({ ...empty, kept: hideLoosely(body), problem: { reason, parameter: '' } })
  if (!/json/i.test(content_type) && !/^\s*[{[]/.test(body)) {
    if (/multipart|xml/i.test(content_type) || !isForm(body.trim())) return unread('body_unread')
    return { ...empty, pairs: pairsOf(body.trim()), kept: hidePairs(body) }
  }
  const { value, problem } = readJson(body)
  if (problem?.reason === 'body_nested') return unread('body_nested')
  if (typeof value !== 'object' || value === null) return unread('body_invalid')
  const kept = JSON.stringify(value, (name, member: unknown) => (name !== '' && isSecretName(name) ? HIDDEN : member))
  const shown = { ...empty, kept: storable(kept).slice(0, LONGEST_KEPT), problem }
  if (Array.isArray(value)) return { ...shown, problem: { reason: 'body_list', parameter: '' } }
  // what parsing has dropped is shown as well
  return { ...shown, pairs: pairsOfJson(value), ...(problem !== null && { kept: hideLoosely(body) }) }
}

/** Whether text is a form: each part a name and a value, on one line. */
function isForm(text: string): boolean {
  return text.split('&').every((part) => part === '' || /^(amp;)*[^\s<>"'{}=:;,]+=[^\r\n]*$/i.test(part))
}

function bearerOf(header: string): string {
  return /^bearer\s+(\S{1,500})\s*$/i.exec(header)?.[1] ?? ''
}

function hidePairs(text: string): string {
  const pairs = text.split('&').map((pair) => {
    const [name = ''] = pair.split('=')
    const [[decoded] = ['']] = [...new URLSearchParams(name)]
    return isSecretName((decoded ?? '').replace(/^(amp;)+/i, '')) ? `${name}=${HIDDEN}` : pair
  })
  return storable(pairs.join('&')).slice(0, LONGEST_KEPT)
}

/** Takes secrets out of text that follows no rule, by the names before them. */
function hideLoosely(text: string): string {
  const fields = text
    .replace(/(name="([\w-]{2,40})"[^\r\n]{0,200}\r?\n\r?\n)([^\r\n]{1,500})/g, (all, before: string, name: string) =>
      isSecretName(name) ? `${before}${HIDDEN}` : all,
    )
    .replace(/<([\w-]{2,40})>([^<]{1,500})</g, (all, name: string) => (isSecretName(name) ? `<${name}>${HIDDEN}<` : all))
  const hidden = fields.replace(/([\w-]{2,40})("?\s{0,9}[:=]\s{0,9}"?)([^"&,;\s}]{1,500})/g, (all, name: string, between: string) =>
    isSecretName(name) ? `${name}${between}${HIDDEN}` : all,
  )
  return storable(hidden).slice(0, LONGEST_KEPT)
}

/** What was stored before postbacks were read as a whole: one goal, status and amount. */
function withMentions(stored: unknown): unknown {
  if (typeof stored !== 'object' || stored === null || 'said' in stored) return stored
  const said = Object.entries(stored).flatMap(([name, value]) =>
    (name === 'goal' || name === 'status' || name === 'amount') && value !== '' ? [{ kind: name, name, value: String(value) }] : [],
  )
  return { ...stored, said, problem: null }
}
