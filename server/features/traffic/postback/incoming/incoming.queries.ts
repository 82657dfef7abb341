import { sql } from 'kysely'
import { incomingSetting } from '#contract/traffic/postback.ts'
import { NEEDS_MAPPING, type PostbackOutcome, type PostbackRefusal } from '#contract/traffic/postback-outcome.ts'
import { inScope } from '#server/access/in-scope.ts'
import type { Scope } from '#server/access/scope.ts'
import { getSetting } from '#server/features/network/setting/setting.queries.ts'
import type { DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { insertRows } from '#server/platform/pg/bulk.ts'
import { keyIs } from '#server/platform/pg/key.ts'
import { shapeOf } from '#server/rules/conversion/dialect/shape.ts'
import { storableJson } from '#server/rules/conversion/postback-reading.ts'
import { lockIdentities } from '../../conversion/conversion-row.queries.ts'
import type { PostbackFields } from './parse.service.ts'

export type IncomingSettings = typeof incomingSetting.defaults

/** How the network takes postbacks; what was never set is open. */
export function getIncomingSettings(db: DbOrTrx) {
  return getSetting(db, incomingSetting)
}

export type PostbackAnswer = { httpStatus: number; body: Record<string, unknown> }

/** What was answered to a hand-over that came before; undefined for a new one. */
export async function findAnswer(db: DbOrTrx, requestKey: string): Promise<PostbackAnswer | undefined> {
  const row = await db.selectFrom('postback_in').select(['http_status', 'answer']).where('request_key', '=', requestKey).executeTakeFirst()
  return row && { httpStatus: row.http_status, body: row.answer.body ?? {} }
}

/** What was answered to the postback that brought a conversion into its present state, where it said exactly this. */
export async function findFirstAnswer(db: DbOrTrx, conversionId: string, fields: PostbackFields): Promise<PostbackAnswer | undefined> {
  const row = await db
    .selectFrom('postback_in')
    .select(['answer', saysExactly(fields).as('same')])
    .where('conversion_id', '=', conversionId)
    .where('outcome', 'in', [...NEWS])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.same !== true || row.answer.http_status === undefined
    ? undefined
    : { httpStatus: row.answer.http_status, body: row.answer.body ?? {} }
}

/** What changed a conversion, or was to. */
const NEWS = ['created', 'changed', 'amount_changed', 'declined'] as const

/** Said in so many words. */
export function saysExactly(fields: PostbackFields) {
  return sql<boolean>`parsed = ${JSON.stringify(fields)}::jsonb`
}

/** When a shop last changed the order of a conversion, by the states of it that were applied or were as it stood; '' = none says so. A refund alone is none: it says nothing of the order's status. */
export async function latestChange(db: DbOrTrx, conversionId: string): Promise<string> {
  const row = await db
    .selectFrom('postback_in')
    .select(sql<string | null>`max(parsed ->> 'changed_at' collate "C")`.as('latest'))
    .where('conversion_id', '=', conversionId)
    .where('outcome', 'in', [...NEWS, 'repeat'])
    .where(sql<boolean>`parsed -> 'refund' is null`)
    .executeTakeFirst()
  return row?.latest ?? ''
}

/** Whether a conversion was made or changed by a postback that said exactly this. */
export async function wasApplied(db: DbOrTrx, conversionId: string, fields: PostbackFields): Promise<boolean> {
  const row = await db
    .selectFrom('postback_in')
    .select('id')
    .where('conversion_id', '=', conversionId)
    .where('outcome', 'in', [...NEWS])
    .where(saysExactly(fields))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export type IncomingRow = {
  requestKey: string
  receivedAt: number
  method: string
  path: string
  query: string
  body: string
  address: string
  fields: PostbackFields
  /** Where another click id of ours stands in it than the one that was read. */
  clickId?: string
  offerId: number | null
  affiliateId: number | null
  advertiserId: number | null
  /** null = refused before anybody could tell. */
  authorized: boolean | null
  /** Of the token that was sent; null = none, or it was right. */
  tokenHash: string | null
  /** It shows nothing that says who sent it. */
  stranger?: boolean
  /** Of its advertiser, which it was read by; null or none = read as from anybody. */
  dialectVersion?: number | null
}
export type IncomingResult = {
  outcome: PostbackOutcome
  reason: PostbackRefusal | 'cap_reached' | 'amount_noted' | ''
  conversionId: string | null
  answer: PostbackAnswer
}

/** Stores a postback with what became of it; false when the same hand-over is stored already. */
export async function storeIncoming(db: DbOrTrx, row: IncomingRow, result: IncomingResult): Promise<boolean> {
  const stored = await db
    .insertInto('postback_in')
    .values({
      ...incomingColumns(row, result),
      // an id that was ours may name somebody who is gone
      affiliate_id: row.affiliateId === null ? null : sql<number | null>`(select id from affiliate where id = ${row.affiliateId})`,
      parsed: JSON.stringify(row.fields),
      ...resultColumns(result),
    })
    .onConflict((conflict) => conflict.column('request_key').doNothing())
    .returning('id')
    .executeTakeFirst()
  return stored !== undefined
}

/** The same for many that are new and whose affiliates are there, with one statement. */
export function storeAllIncoming(db: DbOrTrx, entries: readonly { row: IncomingRow; result: IncomingResult }[]): Promise<void> {
  const rows = entries.map(({ row, result }) => ({
    ...incomingColumns(row, result),
    affiliate_id: row.affiliateId,
    parsed: row.fields,
    outcome: result.outcome,
    reason: result.reason,
    conversion_id: result.conversionId,
    answer: answerOf(result),
  }))
  return insertRows(db, 'postback_in', rows)
}

function incomingColumns(row: IncomingRow, result: IncomingResult) {
  return {
    request_key: row.requestKey,
    received_at: new Date(row.receivedAt),
    method: row.method,
    path: row.path,
    query: row.query,
    body: row.body,
    address: row.address,
    click_id: row.clickId ?? row.fields.click_id.slice(0, 255),
    transaction_id: row.fields.txn_id.slice(0, 255),
    goal_code: (row.fields.said.find(({ kind }) => kind === 'goal' || kind === 'event?')?.value ?? '').slice(0, 64),
    offer_id: row.offerId,
    advertiser_id: row.advertiserId,
    authorized: row.authorized,
    token_hash: row.tokenHash,
    stranger: row.stranger ?? false,
    dialect_version: row.dialectVersion ?? null,
    shape: shapeOfRefused(row, result),
    http_status: result.answer.httpStatus,
    next_try_at: result.outcome === 'waiting' ? new Date(row.receivedAt) : null,
  }
}

/** What calls that were not understood are grouped by; '' = nobody need map anything of it. */
function shapeOfRefused(row: IncomingRow, { outcome, reason }: IncomingResult): string {
  const isForMapping = outcome === 'refused' && row.advertiserId !== null && NEEDS_MAPPING.some((one) => one === reason)
  return isForMapping ? shapeOf(row, row.clickId ?? row.fields.click_id) : ''
}

/** Deletes at most `batch` postbacks received before `time` that wait for nothing; answers how many. */
export async function deleteIncomingBefore(db: DbOrTrx, time: Date, batch: number): Promise<number> {
  const old = db
    .selectFrom('postback_in')
    .select('id')
    .where('received_at', '<', time)
    .where('outcome', '<>', 'waiting')
    .where(sql<boolean>`not ((outcome = 'held_for_review' or reason = 'refund_early') and dismissed_at is null)`)
    .orderBy('received_at')
    .orderBy('id')
    .limit(batch)
  return Number((await db.deleteFrom('postback_in').where('id', 'in', old).executeTakeFirst()).numDeletedRows)
}

/** Those of some texts that are the token of an advertiser or offer. */
export async function findPartnersTokens(db: DbOrTrx, texts: readonly string[]): Promise<string[]> {
  if (texts.length === 0) return []
  // one parameter, for there may be tens of thousands
  const isOne = sql<boolean>`postback_token = any(${[...texts]}::text[])`
  const rows = await db
    .selectFrom('advertiser')
    .select('postback_token as token')
    .where(isOne)
    .union(
      db
        .selectFrom('offer')
        .select(sql<string>`postback_token`.as('token'))
        .where(isOne),
    )
    .union(
      db
        .selectFrom('advertiser')
        .select(sql<string>`previous_token`.as('token'))
        .where(sql<boolean>`previous_token = any(${[...texts]}::text[])`),
    )
    .execute()
  return rows.map(({ token }) => token)
}

/** The advertisers who may report with some tokens at a moment, each once. */
export async function ownersOfTokens(db: DbOrTrx, tokens: readonly string[], at: number): Promise<number[]> {
  if (tokens.length === 0) return []
  const { rows } = await sql<{ id: number }>`
    select id from advertiser where postback_token = any(${[...tokens]}::text[])
        or (previous_token = any(${[...tokens]}::text[]) and previous_token_until > ${new Date(at)})
    union select advertiser_id from offer where postback_token = any(${[...tokens]}::text[]) and advertiser_id is not null`.execute(db)
  return rows.map(({ id }) => id)
}

/** The addresses and networks of all advertisers. */
export async function listPartnersNetworks(db: DbOrTrx): Promise<string[]> {
  const rows = await db
    .selectFrom('advertiser')
    .select('allowed_ips')
    .where('allowed_ips', '<>', sql<string[]>`'{}'`)
    .execute()
  return rows.flatMap(({ allowed_ips }) => allowed_ips)
}

/** Notes what became of a postback that had waited or is applied again. What was answered at the time stays in `http_status`. */
export async function settleIncoming(db: DbOrTrx, id: string, result: IncomingResult): Promise<void> {
  await db
    .updateTable('postback_in')
    .set({ next_try_at: null, ...resultColumns(result) })
    .where('id', '=', id)
    .execute()
}

/** A postback that is looked at again: `fields` as they were parsed. */
export type StoredPostback = { id: string; receivedAt: number; fields: unknown }
type StoredRow = { id: string; received_at: Date; parsed: unknown }

/** Takes waiting ones whose look is due and sets their next look, so that a worker that dies delays them and loses none. */
export async function claimDue(db: DbOrTrx, now: number, batch: number): Promise<StoredPostback[]> {
  const { rows } = await sql<StoredRow>`
    with due as (
      select id, received_at from postback_in where outcome = 'waiting' and next_try_at <= ${new Date(now)} order by next_try_at limit ${batch} for update skip locked
    )
    update postback_in p
       set next_try_at = ${new Date(now)}::timestamptz + (case
             when due.received_at > ${new Date(now - 15_000)} then interval '300 milliseconds'
             when due.received_at > ${new Date(now - 120_000)} then interval '2 seconds'
             when due.received_at > ${new Date(now - 3_600_000)} then interval '15 seconds'
             else interval '5 minutes' end)
      from due where p.id = due.id
    returning p.id, p.received_at, p.parsed`.execute(db)
  return rows.map(asStored)
}

/** Lets those who apply postbacks of one click come one after the other. Taken before all locks of `recordChanges`. */
export function lockLine(trx: Trx, clickId: string): Promise<void> {
  return lockLines(trx, [clickId])
}

/** The same for several clicks. */
export function lockLines(trx: Trx, clickIds: readonly string[]): Promise<void> {
  return lockIdentities(
    trx,
    clickIds.map((clickId) => `line ${clickId}`),
  )
}

/** Lets a transaction about many fail rather than wait long for the lock of one. */
export async function boundLocks(trx: Trx): Promise<void> {
  await sql`set local lock_timeout = '2s'`.execute(trx)
}

/** Of these clicks, those of which a postback received after `since` still waits. */
export async function clicksThatWait(trx: DbOrTrx, clickIds: readonly string[], since: number): Promise<Set<string>> {
  const rows = await trx
    .selectFrom('postback_in')
    .select('click_id')
    .where('outcome', '=', 'waiting')
    .where(sql<boolean>`click_id = any(${[...clickIds]}::text[])`)
    .where('received_at', '>', new Date(since))
    .execute()
  return new Set(rows.map((row) => row.click_id))
}

/** Whether a postback of this click that came before `id` (null = any) still waits; what waits longer than `since` holds nobody up. */
export async function waitsBefore(trx: DbOrTrx, clickId: string, id: string | null, since: number): Promise<boolean> {
  const row = await trx
    .selectFrom('postback_in')
    .select('id')
    .where('outcome', '=', 'waiting')
    .where('click_id', '=', clickId)
    .$if(id !== null, (query) => query.where('id', '<', id!))
    .where('received_at', '>', new Date(since))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Those that wait for some clicks, in the order in which they came. */
export async function listLines(db: DbOrTrx, clickIds: readonly string[], most: number): Promise<StoredPostback[]> {
  if (clickIds.length === 0) return []
  const rows = await db
    .selectFrom('postback_in')
    .select(['id', 'received_at', 'parsed'])
    .where('outcome', '=', 'waiting')
    .where('click_id', 'in', [...clickIds])
    .orderBy('id')
    .limit(most)
    .execute()
  return rows.map(asStored)
}

/** What is known later of how a postback was sent. */
export type SentBy = { authorized: boolean | null; tokenHash: string | null; address: string; reason: string }
/** `call` as it was kept: secrets cut out, without its headers. */
export type UnappliedPostback = StoredPostback & {
  sent: SentBy
  clickId: string
  call: { method: string; path: string; query: string; body: string }
}

/** Those of some postbacks that were refused or never found their click, and how they were sent. */
export async function listUnapplied(db: DbOrTrx, ids: readonly string[]): Promise<UnappliedPostback[]> {
  const rows = await db
    .selectFrom('postback_in')
    .select(['id', 'received_at', 'parsed', 'authorized', 'token_hash', 'address', 'reason', 'click_id', 'method', 'path', 'query', 'body'])
    .where('id', 'in', [...ids])
    .where('outcome', 'in', ['refused', 'unmatched', 'held_for_review'])
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    ...asStored(row),
    clickId: row.click_id,
    call: { method: row.method, path: row.path, query: row.query, body: row.body },
    sent: { authorized: row.authorized, tokenHash: row.token_hash, address: row.address, reason: row.reason },
  }))
}

/** Locks a postback that still has one of these outcomes, and was not refused by staff while it was held; undefined where it has not, or another holds it. */
export function lockIncoming(trx: DbOrTrx, id: string, outcomes: ('waiting' | 'refused' | 'unmatched' | 'held_for_review')[]) {
  return trx
    .selectFrom('postback_in')
    .select('id')
    .where('id', '=', id)
    .where('outcome', 'in', outcomes)
    .where(sql<boolean>`not (outcome = 'held_for_review' and dismissed_at is not null)`)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}

function asStored(row: StoredRow): StoredPostback {
  return { id: row.id, receivedAt: row.received_at.getTime(), fields: row.parsed }
}

/** What identifies a conversion to its advertiser, by uuid or number. */
export function getConversionNames(db: DbOrTrx, scope: Scope, key: string) {
  return db
    .selectFrom('conversion as c')
    .innerJoin('goal as g', 'g.id', 'c.goal_id')
    .innerJoin('advertiser as v', 'v.id', 'c.advertiser_id')
    .select(['c.click_id', 'g.code as goal', 'c.transaction_id', 'c.advertiser_id'])
    .where(keyIs(key, { uuid: 'c.uuid', id: 'c.id' }))
    .where(inScope(scope, { advertiserManager: 'v.manager_id' }))
    .executeTakeFirst()
}

/** Whether an advertiser is in the scope: what a file says is booked against it. */
export async function isAdvertiserMine(db: DbOrTrx, scope: Scope, advertiserId: number): Promise<boolean> {
  const row = await db
    .selectFrom('advertiser as v')
    .select('v.id')
    .where('v.id', '=', advertiserId)
    .where(inScope(scope, { advertiserManager: 'v.manager_id' }))
    .executeTakeFirst()
  return row !== undefined
}

function resultColumns(result: IncomingResult) {
  return { outcome: result.outcome, reason: result.reason, conversion_id: result.conversionId, answer: JSON.stringify(answerOf(result)) }
}

function answerOf({ answer }: IncomingResult) {
  return storableJson({ http_status: answer.httpStatus, body: answer.body })
}
