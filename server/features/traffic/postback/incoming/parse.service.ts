import { z } from 'zod'
import { BLANK_DIALECT, DIALECT_NUMBERS, type Dialect } from '#contract/traffic/dialect.ts'
import type { PostbackRefusal } from '#contract/traffic/postback-outcome.ts'
import { composedBy } from '#server/rules/conversion/dialect/composed.ts'
import { namedBy, pairsOfPath, secretNames, valueAt } from '#server/rules/conversion/dialect/naming.ts'
import { afterRefunds, changedAt, refundedOrder } from '#server/rules/conversion/dialect/refunds.ts'
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
  storableJson,
  type Pair,
  type ReadingProblem,
} from '#server/rules/conversion/postback-reading.ts'

const mention = z.object({
  kind: z.enum(['goal', 'event?', 'status', 'status?', 'amount', 'amount?', 'rejection', 'other']),
  name: z.string(),
  value: z.string(),
  number: z.boolean().optional(),
  format: z.enum(DIALECT_NUMBERS).exclude(['auto']).optional(),
  unsaid: z.boolean().optional(),
  earned: z.boolean().optional(),
  sale: z.boolean().optional(),
  stated: z.enum(['revenue', 'payout']).optional(),
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
    /** When the shop last changed the order, as only the body of a shop's own dialect says it: no parameter of anybody's is that. */
    changed_at: z.string().optional(),
    /** A refund of an order, told by itself by a shop that has signed it. */
    refund: z
      .object({
        id: z.string(),
        amount: z.string().nullable(),
        /** Where its order was not booked yet: the advertisers whose shop it may be. */
        of: z.array(z.int()).optional(),
      })
      .optional(),
    /** What is left of a shop's order, which refunds that counts, and what was charged for it before it was edited, where all of them can be read. */
    order: z
      .object({ left: z.string(), total: z.string().optional(), refunds: z.array(z.object({ id: z.string(), amount: z.string() })) })
      .optional(),
  }),
)
export type PostbackFields = z.output<typeof postbackFields>

/** Problems of the call as a whole: what it says is not known, not even whose it is. */
const UNREAD: ReadonlySet<ReadingProblem['reason']> = new Set(['body_unread', 'body_invalid', 'body_list', 'method_unread'] as const)
const HIDDEN = '***'
/** Of a body, in characters: all of it, so that a dialect made later reads it; and of a query. */
const LONGEST_KEPT = 65_536
const LONGEST_QUERY = 16_384

export type ParsedPostback = {
  fields: PostbackFields
  /** `others`: what else may be the token where a dialect is spoken: segments of the path, a key in a header. */
  secrets: { token: string; signature: string; timestamp: string; others: string[] }
  /** Query and body as they are kept: no secrets, no characters PostgreSQL refuses. */
  query: string
  body: string
  /** Why nobody can read it at all, not even whose it is; a replay finds it in `fields`. */
  refusal: PostbackRefusal | null
}

/** When the shop last changed the order a call is of; '' = it is of no shop. */
export function orderChangedAt({ changed_at = '' }: PostbackFields): string {
  return changed_at
}

/** What is read of a call; `received_at` and address say nothing. */
export type Call = Pick<ReceivedPostback, 'method' | 'path' | 'query' | 'body' | 'content_type' | 'headers'>

/**
 * Reads query and body (a form, or JSON) together: what the one says must not contradict the other. Without a dialect JSON
 * is read where it is flat; with one, what the dialect names counts, wherever it stands. Signature headers and a Bearer
 * token count where the parameters are missing.
 */
export function parsePostback(received: Call, dialect: Dialect | null = null): ParsedPostback {
  const secret = dialect === null ? NO_SECRETS : secretNames(dialect)
  const body = readBody(received, secret)
  const json = dialect === null ? body.json : afterRefunds(dialect.preset, body.json)
  const inPath = dialect === null ? [] : pairsOfPath(dialect, received.path)
  const composed = composedBy(dialect?.preset ?? '', [
    ...inPath,
    ...pairsOf(received.query),
    ...(json === body.json ? body.pairs : pairsOfJson(json)),
  ])
  const { plain, said, problem } = readParameters(composed.pairs, dialect === null ? undefined : { named: namedBy(dialect, json) })
  const { click_id, txn_id, currency, reason, token, signature, timestamp } = plain
  const changed = dialect === null ? '' : changedAt(dialect.preset, body.json)
  const order = dialect === null ? null : refundedOrder(dialect.preset, body.json)
  const isRead = (dialect?.methods ?? BLANK_DIALECT.methods).some((method) => method === received.method)
  const unread: ReadingProblem | null = isRead ? body.problem : { reason: 'method_unread', parameter: '' }
  return {
    fields: storableJson({
      click_id,
      txn_id,
      currency: currency || (dialect?.currency ?? ''),
      reason: plainLine(reason),
      said,
      problem: unread ?? composed.problem ?? problem,
      ...(changed !== '' && { changed_at: changed }),
      ...(order !== null && { order }),
    }),
    secrets: {
      token: token || bearerOf(received.headers['authorization'] ?? ''),
      signature: signature || (received.headers['x-signature'] ?? ''),
      timestamp: timestamp || (received.headers['x-timestamp'] ?? ''),
      others: dialect === null ? [] : keysOf(received),
    },
    query: hidePairs(received.query, secret),
    body: body.kept,
    refusal: unread !== null && UNREAD.has(unread.reason) ? unread.reason : null,
  }
}

const NO_SECRETS: ReadonlySet<string> = new Set()

/** The calls a call is: one for each member of the list the dialect names, with what stands beside the list; else the call itself. */
export function callsIn<Received extends Call>(received: Received, { list }: Dialect): Received[] {
  if (list === '' || received.body.trim() === '') return [received]
  const { value } = readJson(received.body)
  const members = list === '.' ? value : valueAt(value, list)
  if (!Array.isArray(members) || members.length === 0 || members.length > MOST_CALLS) return [received]
  const beside = list === '.' || typeof value !== 'object' || value === null ? {} : scalarsOf(value)
  return members.map((member: unknown) => ({
    ...received,
    body: JSON.stringify(typeof member === 'object' ? { ...beside, ...member } : member),
  }))
}
/** More in one call are not taken apart: it would hold up whoever calls. */
const MOST_CALLS = 200

function scalarsOf(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => typeof member !== 'object'))
}

/** What can be read by nobody, as a refusal. */
export function problemOf({ said }: PostbackFields, { reason, parameter }: NonNullable<PostbackFields['problem']>): NotUnderstood {
  if (parameter === '') return { refusal: reason }
  const value = said.find((one) => one.name === parameter)?.value
  return { refusal: reason, parameter, detail: value === undefined ? parameter : `${parameter}=${value.slice(0, 60)}` }
}

/** Takes secrets out of text that is kept, wherever they stand and however often they are percent-encoded. */
export function hide(text: string, secrets: readonly string[]): string {
  return secrets.reduce((kept, secret) => (secret.length < 6 || lacks(kept, secret) ? kept : kept.replace(writtenAs(secret), HIDDEN)), text)
}

/** Whether a text surely does not hold a secret: seen at once where nothing is percent-encoded, as in most calls. */
function lacks(text: string, secret: string): boolean {
  return text === '' || (!text.includes('%') && IS_ASCII.test(secret) && !text.toLowerCase().includes(secret.toLowerCase()))
}

const IS_ASCII = /^[ -~]*$/

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
  const segments = segmentsOf(received)
  const body = readBody(received, NO_SECRETS)
  const parameters = [...pairsOf(received.query), ...body.pairs].map(({ value }) => value)
  const bearer = bearerOf(received.headers['authorization'] ?? '')
  const loose = body.problem === null ? [] : received.body.split(/[\s"'<>=:;,&]+/)
  const values = [bearer, ...parameters, ...segments, ...loose]
    .map((value) => storable(value).trim())
    .filter((value) => value !== '' && value.length <= 1_000)
  return [...new Set(values)].slice(0, 100)
}

function segmentsOf({ path }: Call): string[] {
  return path.split(/[/:]/).map((segment) => decodedOnce(segment))
}

/** Where systems put a key that is no parameter. */
function keysOf(received: Call): string[] {
  const basic = /^basic\s+([\w+/=-]{1,700})\s*$/i.exec(received.headers['authorization'] ?? '')?.[1]
  const password =
    basic === undefined
      ? ''
      : Buffer.from(basic, 'base64')
          .toString('utf8')
          .replace(/^[^:]*:/, '')
  return [...segmentsOf(received), received.headers['x-api-key'] ?? '', password].filter((key) => key !== '').slice(0, 20)
}

function decodedOnce(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

type Body = { pairs: Pair[]; kept: string; problem: ReadingProblem | null; json?: unknown }

function readBody({ body, content_type }: Pick<Call, 'body' | 'content_type'>, secret: ReadonlySet<string>): Body {
  const empty: Body = { pairs: [], kept: '', problem: null }
  if (body.trim() === '') return empty
  const isSecret = (name: string) => isSecretName(name) || secret.has(name.toLowerCase())
  const unread = (reason: ReadingProblem['reason']): Body => ({ ...empty, kept: hideLoosely(body), problem: { reason, parameter: '' } })
  if (!/json/i.test(content_type) && !/^\s*[{[]/.test(body)) {
    if (/multipart|xml/i.test(content_type) || !isForm(body.trim())) return unread('body_unread')
    return { ...empty, pairs: pairsOf(body.trim()), kept: hidePairs(body, secret) }
  }
  const { value, problem } = readJson(body)
  if (problem?.reason === 'body_nested') return unread('body_nested')
  if (typeof value !== 'object' || value === null) return unread('body_invalid')
  const kept = JSON.stringify(value, (name, member: unknown) => (name !== '' && isSecret(name) ? HIDDEN : member))
  const shown = { ...empty, kept: storable(kept).slice(0, LONGEST_KEPT), problem }
  if (Array.isArray(value)) return { ...shown, problem: { reason: 'body_list', parameter: '' } }
  // what parsing has dropped is shown as well
  return { ...shown, json: value, pairs: pairsOfJson(value), ...(problem !== null && { kept: hideLoosely(body) }) }
}

/** Whether text is a form: each part a name and a value, on one line. */
function isForm(text: string): boolean {
  return text.split('&').every((part) => part === '' || /^(amp;)*[^\s<>"'{}=:;,]+=[^\r\n]*$/i.test(part))
}

function bearerOf(header: string): string {
  return /^bearer\s+(\S{1,500})\s*$/i.exec(header)?.[1] ?? ''
}

function hidePairs(text: string, secret: ReadonlySet<string>): string {
  const pairs = text.split('&').map((pair) => {
    const [name = ''] = pair.split('=')
    const [[decoded] = ['']] = [...new URLSearchParams(name)]
    const bare = (decoded ?? '').replace(/^(amp;)+/i, '')
    return isSecretName(bare) || secret.has(bare.toLowerCase()) ? `${name}=${HIDDEN}` : pair
  })
  return storable(pairs.join('&')).slice(0, LONGEST_QUERY)
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
