import type { Generated, GeneratedAlways } from 'kysely'
import type { GeneratedJson, Json } from './json.ts'

type PostbackIn = {
  id: GeneratedAlways<string>
  request_key: string
  received_at: Date
  method: string
  query: string
  body: Generated<string>
  address: string
  outcome: 'created' | 'changed' | 'repeat' | 'refused' | 'waiting' | 'unmatched' | 'test'
  reason: Generated<string>
  http_status: number
  click_id: Generated<string>
  transaction_id: Generated<string>
  goal_code: Generated<string>
  offer_id: number | null
  affiliate_id: number | null
  advertiser_id: number | null
  conversion_id: string | null
  parsed: Json<Record<string, unknown>> | null
  next_try_at: Date | null
  /** `{ http_status, body }` */
  answer: GeneratedJson<{ http_status?: number; body?: Record<string, unknown> }>
}

type AffiliatePostback = {
  id: GeneratedAlways<number>
  uuid: Generated<string>
  affiliate_id: number
  offer_id: number | null
  goal_code: string | null
  statuses: Generated<string[]>
  method: Generated<'GET' | 'POST'>
  url: string
  status: Generated<'active' | 'paused' | 'suspended' | 'deleted'>
  failures: Generated<number>
  suspended_at: Date | null
  created_at: Generated<Date>
}

type PostbackDelivery = {
  id: GeneratedAlways<string>
  uuid: Generated<string>
  postback_id: number
  affiliate_id: number
  conversion_id: string
  history_seq: number
  replay: Generated<number>
  method: 'GET' | 'POST'
  url: string
  host: Generated<string>
  state: Generated<'queued' | 'sent' | 'dead' | 'held'>
  tries: Generated<number>
  next_try_at: Date | null
  http_status: number | null
  error: Generated<string>
  created_at: Date
  done_at: Date | null
}

type PostbackAttempt = {
  id: GeneratedAlways<string>
  delivery_id: string
  at: Date
  duration_ms: number
  http_status: number | null
  error: Generated<string>
  response: Generated<string>
}

export interface PostbackTables {
  postback_in: PostbackIn
  affiliate_postback: AffiliatePostback
  postback_delivery: PostbackDelivery
  postback_attempt: PostbackAttempt
}
