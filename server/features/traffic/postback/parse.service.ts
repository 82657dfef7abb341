import { z } from 'zod'
import type { PostbackRefusal } from '#contract/traffic/postback.ts'
import type { ReceivedPostback } from '#server/rules/conversion/postback-hand-over.ts'
import { cleanPostbackValue, parsePostbackJson, POSTBACK_NAMES, storable } from '#server/rules/conversion/postback-reading.ts'

/** The parameters by their own names, as text; '' = not sent. Kept beside the postback, without secrets, to apply it again. */
export const postbackFields = z.object({
  click_id: z.string(),
  goal: z.string(),
  status: z.string(),
  amount: z.string(),
  currency: z.string(),
  txn_id: z.string(),
  reason: z.string(),
})
export type PostbackFields = z.output<typeof postbackFields>
type Secrets = { token: string; signature: string; timestamp: string }

const NAMES: Readonly<Record<string, keyof (PostbackFields & Secrets)>> = POSTBACK_NAMES
const SECRET_NAMES = new Set(Object.keys(NAMES).filter((name) => NAMES[name] === 'token' || NAMES[name] === 'signature'))
const HIDDEN = '***'
const LONGEST_KEPT = 8_000

export type ParsedPostback = {
  fields: PostbackFields
  secrets: Secrets
  /** Query and body as they are kept: no secrets, no characters PostgreSQL refuses. */
  query: string
  body: string
  refusal: PostbackRefusal | null
}

/**
 * Reads query and body (a form, or a flat JSON object); the first value given under any of a parameter's names counts,
 * the query before the body. Signature headers count where the parameters are missing.
 */
export function parsePostback(received: ReceivedPostback): ParsedPostback {
  const values: Partial<Record<keyof (PostbackFields & Secrets), string>> = {}
  const take = (name: string, value: string) => {
    const field = NAMES[name.toLowerCase()]
    if (field !== undefined) values[field] ??= cleanPostbackValue(value)
  }
  for (const [name, value] of new URLSearchParams(received.query)) take(name, value)
  const body = readBody(received)
  for (const [name, value] of body?.pairs ?? []) take(name, value)
  const get = (field: keyof (PostbackFields & Secrets)) => values[field] ?? ''
  return {
    fields: {
      click_id: get('click_id').toLowerCase(),
      goal: get('goal'),
      status: get('status').toLowerCase(),
      amount: get('amount'),
      currency: get('currency').toUpperCase(),
      txn_id: get('txn_id'),
      reason: get('reason').slice(0, 200),
    },
    secrets: {
      token: get('token'),
      signature: get('signature') || (received.headers['x-signature'] ?? ''),
      timestamp: get('timestamp') || (received.headers['x-timestamp'] ?? ''),
    },
    query: hidePairs(received.query),
    body: body?.kept ?? '',
    refusal: body === null ? 'body_invalid' : null,
  }
}

/** Takes a secret out of text that is kept, wherever it stands. */
export function hide(text: string, secrets: readonly string[]): string {
  return secrets.reduce((kept, secret) => (secret.length < 6 ? kept : kept.replaceAll(secret, HIDDEN)), text)
}

/** Null when it says it is something that it is not. */
function readBody({ method, body, content_type }: ReceivedPostback): { pairs: [string, string][]; kept: string } | null {
  if (method === 'GET' || body.trim() === '') return { pairs: [], kept: '' }
  if (!/json/i.test(content_type) && !body.trimStart().startsWith('{'))
    return { pairs: [...new URLSearchParams(body)], kept: hidePairs(body) }
  let value: unknown
  try {
    value = parsePostbackJson(body)
  } catch {
    return null
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const members = Object.entries(value)
  const pairs = members.flatMap(([name, member]): [string, string][] =>
    typeof member === 'string' || typeof member === 'number' ? [[name, String(member)]] : [],
  )
  const kept = JSON.stringify(
    Object.fromEntries(members.map(([name, member]) => [name, SECRET_NAMES.has(name.toLowerCase()) ? HIDDEN : member])),
  )
  return { pairs, kept: storable(kept).slice(0, LONGEST_KEPT) }
}

function hidePairs(text: string): string {
  const pairs = text.split('&').map((pair) => {
    const [name = ''] = pair.split('=')
    const [[decoded] = ['']] = [...new URLSearchParams(name)]
    return SECRET_NAMES.has((decoded ?? '').toLowerCase()) ? `${name}=${HIDDEN}` : pair
  })
  return storable(pairs.join('&')).slice(0, LONGEST_KEPT)
}
