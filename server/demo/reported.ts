import type { RecordedChange } from '#server/features/traffic/conversion/change.ts'
import type { OfferTerms } from '#server/features/traffic/conversion/terms.queries.ts'
import { storeAllIncoming, type IncomingResult, type IncomingRow } from '#server/features/traffic/postback/incoming/incoming.queries.ts'
import { parsePostback } from '#server/features/traffic/postback/incoming/parse.service.ts'
import type { Trx } from '#server/platform/pg/database.ts'
import { POSTBACK_PATH } from '#server/rules/conversion/postback-hand-over.ts'
import { LISTED_ADDRESS } from './people.ts'

/** What the systems of advertisers send, each in its own words: the names of click, goal, status, transaction and amount. */
const DIALECTS = [
  { names: ['click_id', 'goal', 'status', 'txn_id', 'amount'], method: 'GET', content_type: '' },
  { names: ['clickid', 'event', 'status', 'transaction_id', 'sum'], method: 'GET', content_type: '' },
  {
    names: ['cid', 'event_name', 'conversion_status', 'order_id', 'price'],
    method: 'POST',
    content_type: 'application/x-www-form-urlencoded',
  },
  { names: ['click_id', 'goal_code', 'status', 'tid', 'revenue'], method: 'POST', content_type: 'application/json' },
] as const

/** Logs the postbacks by which conversions came, each in the dialect of its advertiser. */
export async function storeReported(trx: Trx, terms: ReadonlyMap<number, OfferTerms>, made: readonly RecordedChange[]): Promise<void> {
  const entries = made.flatMap(({ after }) => {
    const offer = terms.get(after.offer_id)
    const goal = offer?.goals.find(({ id }) => id === after.goal_id)
    const dialect = DIALECTS[after.advertiser_id % DIALECTS.length]!
    if (offer === undefined || goal === undefined) return []
    const values = [after.click_id, goal.code, after.reported_status, after.transaction_id, after.reported_amount]
    const pairs = dialect.names.flatMap((name, index) => (values[index] ? [[name, values[index]] as const] : []))
    const fields = { ...Object.fromEntries(pairs), ...(after.reported_amount !== null && { currency: after.reported_currency ?? '' }) }
    const text = new URLSearchParams(fields).toString()
    const received = {
      id: `demo-${after.uuid}`,
      received_at: after.created_at.toISOString(),
      method: dialect.method,
      path: POSTBACK_PATH,
      query: dialect.method === 'GET' ? text : '',
      body: dialect.method === 'GET' ? '' : dialect.content_type === 'application/json' ? JSON.stringify(fields) : text,
      content_type: dialect.content_type,
      ip: offer.postback_auth === 'token' ? `203.0.113.${10 + (after.advertiser_id % 40)}` : LISTED_ADDRESS,
      headers: {},
    }
    const parsed = parsePostback(received)
    const row: IncomingRow = {
      requestKey: received.id,
      receivedAt: after.created_at.getTime(),
      method: received.method,
      path: received.path,
      query: parsed.query,
      body: parsed.body,
      address: received.ip,
      fields: parsed.fields,
      offerId: after.offer_id,
      affiliateId: after.affiliate_id,
      advertiserId: after.advertiser_id,
      authorized: true,
      tokenHash: null,
    }
    const reason = after.reason === 'cap_reached' ? 'cap_reached' : ''
    const body = { status: 'success', outcome: 'created', conversion_id: after.uuid, conversion_status: after.status }
    const result: IncomingResult = { outcome: 'created', reason, conversionId: after.id, answer: { httpStatus: 200, body } }
    return [{ row, result }]
  })
  await storeAllIncoming(trx, entries)
}
