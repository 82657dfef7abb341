import { sql } from 'kysely'
import type { z } from 'zod'
import { incomingSettings, type PostbackOutcome, type PostbackRefusal } from '#contract/traffic/postback.ts'
import type { DbOrTrx } from '#server/platform/pg/database.ts'
import type { PostbackFields } from './parse.service.ts'

export type IncomingSettings = z.output<typeof incomingSettings>

/** The key of the settings table. */
export const INCOMING_SETTING = 'postback'

/** How the network takes postbacks; what was never set is open. */
export async function getIncomingSettings(db: DbOrTrx): Promise<IncomingSettings> {
  const row = await db.selectFrom('setting').select('value').where('key', '=', INCOMING_SETTING).executeTakeFirst()
  return { token: null, allowed_ips: [], statuses: {}, ...incomingSettings.partial().parse(row?.value ?? {}) }
}

export type PostbackAnswer = { httpStatus: number; body: Record<string, unknown> }

/** What was answered to a hand-over that came before; undefined for a new one. */
export async function findAnswer(db: DbOrTrx, requestKey: string): Promise<PostbackAnswer | undefined> {
  const row = await db.selectFrom('postback_in').select(['http_status', 'answer']).where('request_key', '=', requestKey).executeTakeFirst()
  return row && { httpStatus: row.http_status, body: row.answer.body ?? {} }
}

/** What was answered to the postback that brought a conversion into its present state: what a repeat of it gets too. */
export async function findFirstAnswer(db: DbOrTrx, conversionId: string): Promise<PostbackAnswer | undefined> {
  const row = await db
    .selectFrom('postback_in')
    .select('answer')
    .where('conversion_id', '=', conversionId)
    .where('outcome', 'in', ['created', 'changed'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.answer.http_status === undefined ? undefined : { httpStatus: row.answer.http_status, body: row.answer.body ?? {} }
}

export type IncomingRow = {
  requestKey: string
  receivedAt: number
  method: string
  query: string
  body: string
  address: string
  fields: PostbackFields
  offerId: number | null
  affiliateId: number | null
  advertiserId: number | null
}
export type IncomingResult = { outcome: PostbackOutcome; reason: PostbackRefusal | ''; conversionId: string | null; answer: PostbackAnswer }

/** Stores a postback with what became of it; false when the same hand-over is stored already. */
export async function storeIncoming(db: DbOrTrx, row: IncomingRow, result: IncomingResult): Promise<boolean> {
  const stored = await db
    .insertInto('postback_in')
    .values({
      request_key: row.requestKey,
      received_at: new Date(row.receivedAt),
      method: row.method,
      query: row.query,
      body: row.body,
      address: row.address,
      click_id: row.fields.click_id.slice(0, 255),
      transaction_id: row.fields.txn_id.slice(0, 255),
      goal_code: row.fields.goal.slice(0, 64),
      offer_id: row.offerId,
      // an id that was ours may name somebody who is gone
      affiliate_id: row.affiliateId === null ? null : sql<number | null>`(select id from affiliate where id = ${row.affiliateId})`,
      advertiser_id: row.advertiserId,
      parsed: JSON.stringify(row.fields),
      http_status: result.answer.httpStatus,
      next_try_at: result.outcome === 'waiting' ? new Date(row.receivedAt) : null,
      ...resultColumns(result),
    })
    .onConflict((conflict) => conflict.column('request_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  return stored !== undefined
}

/** Notes what became of a postback that had waited or is applied again. What was answered at the time stays in `http_status`. */
export async function settleIncoming(db: DbOrTrx, id: string, result: IncomingResult): Promise<void> {
  await db
    .updateTable('postback_in')
    .set({ next_try_at: null, ...resultColumns(result) })
    .where('id', '=', id)
    .execute()
}

function resultColumns({ outcome, reason, conversionId, answer }: IncomingResult) {
  return { outcome, reason, conversion_id: conversionId, answer: JSON.stringify({ http_status: answer.httpStatus, body: answer.body }) }
}
