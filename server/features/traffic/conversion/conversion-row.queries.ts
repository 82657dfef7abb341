import { sql } from 'kysely'
import { insertRowsReturning, recordsOf } from '#server/platform/pg/bulk.ts'
import { writeOnce } from '#server/platform/pg/compile-once.ts'
import type { DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import type { ConversionDraft, ConversionRow, KnownConversion } from './change.ts'

/** The conversions a report may be about. */
type Reported = { terms: { id: number }; goal: { id: number; repeatable: boolean }; clickId: string; transactionId: string | null }

/**
 * The conversion a report is about: by the advertiser's transaction where one was sent, else by click and goal. A goal
 * that converts once per click is recognised by its click also when the transaction id came later or was left out.
 */
export async function findConversion(
  db: DbOrTrx,
  { terms, goal, clickId, transactionId }: Reported,
  lock = false,
): Promise<ConversionRow | undefined> {
  const all = db
    .selectFrom('conversion')
    .selectAll()
    .$if(lock, (query) => query.forUpdate())
  if (transactionId !== null) {
    const found = await all
      .where('offer_id', '=', terms.id)
      .where('goal_id', '=', goal.id)
      .where('transaction_id', '=', transactionId)
      .executeTakeFirst()
    if (found !== undefined) return found
  }
  const byClick = all.where('click_id', '=', clickId).where('goal_id', '=', goal.id)
  if (transactionId === null) return byClick.orderBy('id').executeTakeFirst()
  return goal.repeatable ? undefined : byClick.where('transaction_id', 'is', null).executeTakeFirst()
}

/**
 * What `findConversion` finds for each of many reports, in their order, and whether the click has brought a conversion of the goal by
 * another transaction; the conversions are locked, in the order of their numbers, unless nothing is to be written.
 */
export async function findConversions(trx: DbOrTrx, reported: readonly Reported[], lock = true): Promise<KnownConversion[]> {
  const found = await reportedIn(trx, reported)
  if (found.length === 0) return among([], reported)
  const rows = await trx
    .selectFrom('conversion')
    .selectAll()
    .where(sql<boolean>`id = any(${found.map(({ id }) => id)}::bigint[])`)
    .orderBy('id')
    .$if(lock, (query) => query.forUpdate())
    .execute()
  return among(rows, reported)
}

/** Whose the conversion is that each of many reports is about, in their order; undefined where there is none yet. */
export async function advertisersReported(db: DbOrTrx, reported: readonly Reported[]): Promise<(number | undefined)[]> {
  return among(await reportedIn(db, reported), reported).map(({ conversion }) => conversion?.advertiser_id)
}

type Identity = Pick<ConversionRow, 'id' | 'click_id' | 'offer_id' | 'goal_id' | 'transaction_id' | 'advertiser_id'>

/** Which of these conversions each report is about, and whether its click has brought one of the goal by another transaction. */
export function among<Row extends Identity>(
  rows: readonly Row[],
  reported: readonly Reported[],
): { conversion: Row | undefined; converted: boolean }[] {
  const ofClick = Map.groupBy(rows, (row) => row.click_id)
  const ofTransaction = new Map(rows.map((row) => [`${row.offer_id} ${row.goal_id} ${row.transaction_id ?? ''}`, row]))
  return reported.map(({ terms, goal, clickId, transactionId }) => {
    const same = (ofClick.get(clickId) ?? []).filter((row) => row.goal_id === goal.id)
    const named = transactionId === null ? undefined : ofTransaction.get(`${terms.id} ${goal.id} ${transactionId}`)
    const conversion =
      named ?? (transactionId === null ? same[0] : goal.repeatable ? undefined : same.find((row) => row.transaction_id === null))
    return { conversion, converted: conversion === undefined && !goal.repeatable && same.length > 0 }
  })
}

/** The conversions that reports may be about, in no order. */
function reportedIn(db: DbOrTrx, reported: readonly Reported[]): Promise<Identity[]> {
  const byTransaction = reported.flatMap(({ terms, goal, transactionId }) =>
    transactionId === null ? [] : [{ offer: terms.id, goal: goal.id, transaction: transactionId }],
  )
  return identitiesAbout(db, {
    clicks: [...new Set(reported.map(({ clickId }) => clickId))],
    offers: byTransaction.map(({ offer }) => offer),
    goals: byTransaction.map(({ goal }) => goal),
    transactions: byTransaction.map(({ transaction }) => transaction),
  })
}

// one after the other by their indexes, whatever is known of the table: joined at once it may be read whole
const identitiesAbout = writeOnce(
  ({
    clicks,
    offers,
    goals,
    transactions,
  }: {
    clicks: string[]
    offers: number[]
    goals: number[]
    transactions: string[]
  }) => sql<Identity>`
    select c.* from unnest(${clicks}::text[]) as click
      cross join lateral (select id, click_id, offer_id, goal_id, transaction_id, advertiser_id from conversion where click_id = click offset 0) c
    union
    select c.* from unnest(${offers}::int[], ${goals}::int[], ${transactions}::text[]) as asked (offer, goal, transaction)
      cross join lateral (select id, click_id, offer_id, goal_id, transaction_id, advertiser_id from conversion
                           where offer_id = offer and goal_id = goal and transaction_id = transaction offset 0) c`,
)

/** The goals and transactions of a click's conversions, oldest first. */
export function goalsOfClick(db: DbOrTrx, clickId: string) {
  return db.selectFrom('conversion').select(['goal_id', 'transaction_id']).where('click_id', '=', clickId).orderBy('id').execute()
}

/** Locks the identities conversions may have, until the end of the transaction: copies of one postback come one after the other. */
export async function lockIdentities(trx: Trx, identities: readonly string[]): Promise<void> {
  await lockedIdentities(trx, { identities: [...identities] })
}
const lockedIdentities = writeOnce(
  ({ identities }: { identities: string[] }) => sql`
    select pg_advisory_xact_lock(key)
      from (select distinct hashtextextended(identity, 0) as key from unnest(${identities}::text[]) as identity order by key) as keys`,
)

/** Adds conversions; answers the number of each by its uuid. */
export async function insertConversions(trx: Trx, rows: readonly ConversionDraft[]): Promise<Map<string, string>> {
  const made = await insertRowsReturning(trx, 'conversion', rows, ['id', 'uuid'])
  return new Map(made.map(({ id, uuid }) => [uuid, id]))
}

/** Writes what may change of conversions: status, money and what was reported. */
export async function updateConversions(trx: Trx, rows: readonly ConversionRow[]): Promise<void> {
  if (rows.length === 0) return
  // what stays is most of a row, and would be written and read as text for nothing
  const changing = rows.map((row) => Object.fromEntries(['id' as const, ...CHANGING].map((column) => [column, row[column]])))
  await sql`
    update conversion as c set ${SET}
      from ${recordsOf('conversion', changing)} as n where c.id = n.id`.execute(trx)
}

/** What may change of a conversion by a report or a decision. */
const CHANGING = [
  'status',
  'reason',
  'payout',
  'revenue',
  'amount',
  'rule',
  'hold_until',
  'within_cap',
  'reported_status',
  'reported_amount',
  'reported_currency',
  'updated_at',
] as const
const SET = sql.raw(CHANGING.map((column) => `${column} = n.${column}`).join(', '))

/** Notes what the advertiser said last of a conversion that stays as it is. */
export async function noteReported(trx: Trx, id: string, status: ConversionRow['reported_status']): Promise<void> {
  await trx.updateTable('conversion').set({ reported_status: status }).where('id', '=', id).execute()
}

/** Locks conversions whose hold is over, oldest first; rows another holds are passed over. */
export function lockDueHolds(trx: Trx, now: number, count: number) {
  return trx
    .selectFrom('conversion')
    .selectAll()
    .where('status', '=', 'hold')
    .where('hold_until', '<=', new Date(now))
    .orderBy('hold_until')
    .limit(count)
    .forUpdate()
    .skipLocked()
    .execute()
}
