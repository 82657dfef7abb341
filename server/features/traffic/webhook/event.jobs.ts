import { randomUUID } from 'node:crypto'
import { reasonForAffiliate } from '#server/rules/conversion/reason.ts'
import type { Db, Trx } from '#server/platform/pg/database.ts'
import { hostOf } from '../conversion/delivery.service.ts'
import { listListening, listToldConversions, listToldLeads, listToldMessages, takeEvents, type EventRow } from './event.queries.ts'
import { insertDeliveries } from './webhook.queries.ts'

const MOST = 200
/** What staff say in a ticket is told no further than this: it stands there whole. */
const LONGEST_EXCERPT = 1_000

/**
 * Makes deliveries of what happened, one for each webhook that asks for it, and takes it off the list in the same transaction:
 * nothing is lost or told twice, whoever dies when. Answers how many events there were.
 */
export async function queueWebhookEvents(db: Db, now: number): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const events = await takeEvents(trx, MOST)
    if (events.length === 0) return 0
    const webhooks = await listListening(trx, [...new Set(events.map((event) => event.affiliate_id))])
    const dataOf = await readSubjects(trx, events)
    const at = new Date(now)
    const rows = events.flatMap((event) => {
      const data = dataOf(event)
      if (data === undefined) return []
      const message = randomUUID()
      const body = JSON.stringify({ type: event.type, timestamp: event.at.toISOString(), data })
      return webhooks
        .filter((webhook) => webhook.affiliate_id === event.affiliate_id && webhook.events.includes(event.type))
        .map(({ id, url, status }) => {
          const state = status === 'active' ? ('queued' as const) : ('held' as const)
          return { webhook_id: id, message, type: event.type, body, host: hostOf(url), state, next_try_at: at, created_at: at }
        })
    })
    await insertDeliveries(trx, rows)
    return events.length
  })
}

/** What is told of each event, read with a statement for each kind; undefined of what its affiliate may not know. */
async function readSubjects(trx: Trx, events: readonly EventRow[]): Promise<(event: EventRow) => object | undefined> {
  const ids = (kind: string) => [...new Set(events.filter(({ type }) => type.startsWith(kind)).map(({ subject }) => subject))]
  const [conversions, leads, messages] = [ids('conversion.'), ids('lead.'), ids('ticket.')]
  const known = new Map<string, (event: EventRow) => object>()
  for (const row of conversions.length === 0 ? [] : await listToldConversions(trx, conversions))
    known.set(`conversion ${row.id}`, ({ was, became }) => ({
      uuid: row.uuid,
      id: row.id,
      status: became,
      previous_status: was,
      reason: reasonForAffiliate(row.reason),
      payout: row.payout,
      currency: row.currency,
      offer: { uuid: row.offer_uuid, id: row.offer_number, name: row.offer_title },
      goal: row.goal_code === '' ? null : { code: row.goal_code, title: row.goal_title },
      click_id: row.click_id,
      aff_click_id: row.aff_click_id,
      transaction_id: row.transaction_id,
      source: row.source,
      subs: row.subs,
      hold_until: row.hold_until?.toISOString() ?? null,
      created_at: row.created_at.toISOString(),
    }))
  for (const row of leads.length === 0 ? [] : await listToldLeads(trx, leads))
    known.set(`lead ${row.id}`, ({ was, became }) => ({
      session_uuid: row.uuid,
      external_id: row.external_id,
      offer_uuid: row.offer_uuid,
      click_id: row.click_id,
      status: became,
      previous_status: was,
      reason: row.reason,
      call_status: row.call_status,
      country: row.country,
      received_at: row.received_at.toISOString(),
    }))
  for (const row of messages.length === 0 ? [] : await listToldMessages(trx, messages))
    known.set(`ticket ${row.id}`, () => ({
      ticket_uuid: row.ticket_uuid,
      ticket_id: row.ticket_number,
      subject: row.subject,
      status: row.status,
      message_uuid: row.uuid,
      excerpt: row.body.slice(0, LONGEST_EXCERPT),
    }))
  return (event) => known.get(`${event.type.split('.')[0]} ${event.subject}`)?.(event)
}
