import type { Selectable } from 'kysely'
import { insertRows } from '#server/platform/pg/bulk.ts'
import type { DbOrTrx, Tables, Trx } from '#server/platform/pg/database.ts'
import { CARRIED_COLUMNS } from '#server/rules/click/click-row.ts'

type ConversionRow = Selectable<Tables['conversion']>

/** One row of `conversion_fact`, in the words of its columns: a conversion in one state, added (1) or taken away (-1). */
export type Fact = Record<string, string | number>

/**
 * Puts deltas for the statistics into the outbox, in the transaction that makes them: a status change is the old state
 * taken away and the new one added, both with the original time and dimensions, so that past periods restate.
 */
export async function queueFacts(trx: Trx, deltas: readonly { row: ConversionRow; sign: 1 | -1 }[]): Promise<void> {
  await insertRows(
    trx,
    'outbox',
    deltas.map(({ row, sign }) => ({ fact: factOf(row, sign) })),
  )
}

/** What a conversion contributes to reports. Money is in the row's currency, times are UTC, `ttc` in seconds. */
export function factOf(row: ConversionRow, sign: 1 | -1): Fact {
  const subs = Object.fromEntries(Array.from({ length: 10 }, (_value, index) => [`sub${index + 1}`, row.subs[index] ?? '']))
  const carried = Object.fromEntries(CARRIED_COLUMNS.map((name) => [name, row.carried[name] ?? '']))
  return {
    conversion: row.id,
    sign,
    ts: momentOf(row.created_at),
    click_ts: momentOf(row.click_at),
    affiliate: row.affiliate_id,
    offer: row.offer_id,
    advertiser: row.advertiser_id,
    landing: row.landing,
    prelanding: row.prelanding,
    goal: row.goal_id,
    geo: row.geo || 'ZZ',
    device: row.device,
    os: row.os,
    browser: row.browser,
    lang: row.lang,
    source: row.source,
    ...subs,
    ...carried,
    currency: row.currency,
    status: row.status,
    test: row.test ? 1 : 0,
    payout: row.payout,
    revenue: row.revenue,
    ttc: Math.max(0, Math.round((row.created_at.getTime() - row.click_at.getTime()) / 1000)),
  }
}

/** How many facts wait, and since when the oldest does; what the system page shows. */
export async function outboxLag(db: DbOrTrx): Promise<{ rows: number; oldest: Date | null }> {
  const row = await db
    .selectFrom('outbox')
    .select((select) => [select.fn.countAll<string>().as('rows'), select.fn.min('created_at').as('oldest')])
    .executeTakeFirstOrThrow()
  return { rows: Number(row.rows), oldest: row.oldest }
}

/** DateTime64(3) as ClickHouse reads it. */
function momentOf(at: Date): string {
  return at.toISOString().slice(0, 23).replace('T', ' ')
}
