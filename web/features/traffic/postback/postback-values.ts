import type { PostbackTrial } from '#contract/traffic/postback-message.ts'
import type { OwnPostback } from '#web/features/traffic/postback/own-postback-columns.tsx'

export const POSTBACK_KINDS = ['get', 'query', 'form', 'json'] as const

/** What a postback is made of, as its form holds it. `kept` is a secret that was saved before: its value is nowhere shown. */
export type MessageValues = {
  url: string
  /** Method and body in one choice: GET has none. */
  kind: (typeof POSTBACK_KINDS)[number]
  body: string
  headers: { name: string; value: string; secret: boolean; kept: boolean }[]
}
/** What is sent of it. */
type Message = Pick<PostbackTrial, 'url' | 'method' | 'body_type' | 'body' | 'headers'> & { method: 'GET' | 'POST' }

export const NO_MESSAGE: MessageValues = { url: '', kind: 'get', body: '', headers: [] }

/** The values of a postback that is stored. */
export function messageValues({ url, method, body_type, body, headers }: OwnPostback): MessageValues {
  return {
    url,
    kind: method === 'GET' ? 'get' : body_type,
    body,
    headers: headers.map(({ name, value, secret }) => ({ name, value: value ?? '', secret, kept: secret })),
  }
}

/** What is saved or tried of these values: a secret that was not typed again stays as it is. */
export function messageOf({ url, kind, body, headers }: MessageValues): Message {
  return {
    url,
    method: kind === 'get' ? 'GET' : 'POST',
    body_type: kind === 'get' ? 'query' : kind,
    body: kind === 'form' || kind === 'json' ? body : '',
    headers: headers.map(({ name, value, secret, kept }) => ({ name, value: secret && kept && value === '' ? null : value, secret })),
  }
}

/** A body to begin with, in the names most receivers use. */
export const BODY_SAMPLE: Readonly<Record<'form' | 'json', string>> = {
  form: 'click_id={aff_click_id}&status={status}&payout={payout}&currency={currency}',
  json: '{\n  "click_id": "{aff_click_id}",\n  "status": "{status}",\n  "payout": {payout},\n  "currency": "{currency}"\n}',
}
