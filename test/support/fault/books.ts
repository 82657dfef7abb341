import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { amountText } from '#contract/money/amount.ts'
import type { Clickhouse } from '#server/platform/clickhouse/client.ts'
import type { Db } from '#server/platform/pg/database.ts'
import type { Traffic } from './traffic-load.ts'

type Place = { dataDir: string; db: Db; clickhouse: Clickhouse; offerId: number; affiliateId: number }

/** What was sent against what is kept. Everything but `rows` and `conversions` must be empty or zero. */
export type Differences = {
  rows: number
  conversions: number
  clicks: { lost: string[]; doubled: number; invented: string[] }
  /** Rows minus what each roll-up counts. */
  rollups: { click_by_offer: number; click_by_affiliate: number; click_by_geo: number }
  money: { lost: string[]; doubled: number; invented: string[]; wrongLedgers: number; owed: string; facts: number; factPayout: string }
}

/** What a sound `Differences` holds beside its two counts, for conversions that pay 10. */
export function soundBooks(conversions: number) {
  return {
    conversions,
    clicks: { lost: [], doubled: 0, invented: [] },
    rollups: { click_by_offer: 0, click_by_affiliate: 0, click_by_geo: 0 },
    money: {
      lost: [],
      doubled: 0,
      invented: [],
      wrongLedgers: 0,
      owed: `${conversions * 10}.0000`,
      facts: conversions,
      factPayout: `${conversions * 10}.0000`,
    },
  }
}

/**
 * Waits until everything that was sent has arrived, and compares clicks with the raw table and the three roll-ups, and
 * postbacks with conversions, ledger and facts. The offer and the affiliate must belong to this traffic alone.
 */
export async function compareBooks(place: Place, seen: Traffic, withinMs = 120_000): Promise<Differences> {
  await settle(place, seen, withinMs)
  const { db, clickhouse, offerId, affiliateId } = place
  const nonces = await storedNonces(place)
  const unique = new Set(nonces)
  const counted = async (table: string, column: string, id: number) =>
    nonces.length - Number((await one(clickhouse, `SELECT sum(clicks) AS n FROM ${table} WHERE ${column} = ${id}`))['n'])
  const conversions = await db.selectFrom('conversion').select(['id', 'transaction_id']).where('offer_id', '=', offerId).execute()
  const transactions = conversions.map((row) => row.transaction_id ?? '')
  const converted = new Set(transactions)
  const facts = await one(
    clickhouse,
    `SELECT sum(sign) AS n, sum(sign * payout) AS payout FROM conversion_fact WHERE offer = ${offerId} AND status = 'approved'`,
  )
  return {
    rows: nonces.length,
    conversions: conversions.length,
    clicks: {
      lost: [...seen.redirected.keys()].filter((nonce) => !unique.has(nonce)),
      doubled: nonces.length - unique.size,
      invented: [...unique].filter((nonce) => !seen.sent.has(nonce)),
    },
    rollups: {
      click_by_offer: await counted('click_by_offer', 'offer', offerId),
      click_by_affiliate: await counted('click_by_affiliate', 'affiliate', affiliateId),
      click_by_geo: await counted('click_by_geo', 'offer', offerId),
    },
    money: {
      lost: [...seen.transactions].filter((transaction) => !converted.has(transaction)),
      doubled: transactions.length - converted.size,
      invented: transactions.filter((transaction) => !seen.redirected.has(transaction)),
      wrongLedgers: await wrongLedgers(db, offerId),
      owed: await owedTo(db, affiliateId),
      facts: Number(facts['n']),
      factPayout: amountText(facts['payout'] ?? '0'),
    },
  }
}

/** What has not arrived in time is left for the comparison to name. */
async function settle(place: Place, seen: Traffic, withinMs: number): Promise<void> {
  const arrived = async () => {
    if ((await segmentsWaiting(place.dataDir)) > 0 || new Set(await storedNonces(place)).size < seen.redirected.size) return false
    const { rows } = await sql<{ open: boolean; conversions: string }>`
      select exists (select from outbox) or exists (select from postback_in where outcome = 'waiting') as open,
             (select count(*) from conversion where offer_id = ${place.offerId}) as conversions`.execute(place.db)
    return rows[0]?.open === false && Number(rows[0].conversions) >= seen.transactions.size
  }
  const deadline = performance.now() + withinMs
  while (!(await arrived()) && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 250))
}

async function segmentsWaiting(dataDir: string): Promise<number> {
  const names = await readdir(join(dataDir, 'spool'), { recursive: true })
  return names.filter((name) => name.endsWith('.seg')).length
}

async function storedNonces({ clickhouse, affiliateId }: Place): Promise<string[]> {
  const query = `SELECT sub2 FROM click WHERE affiliate = ${affiliateId} AND sub2 != ''`
  const result = await clickhouse.query({ query, format: 'JSONCompactEachRow' })
  return (await result.json<[string]>()).map(([nonce]) => nonce)
}

/** Conversions that do not have exactly two transfers of two entries, each summing to zero. */
async function wrongLedgers(db: Db, offerId: number): Promise<number> {
  const { rows } = await sql<{ wrong: string }>`
    with transfer as (
      select c.id as conversion, t.id, count(e.id) as entries, sum(e.amount) as total
        from conversion c left join ledger_transfer t on t.conversion_id = c.id left join ledger_entry e on e.transfer_id = t.id
       where c.offer_id = ${offerId} group by 1, 2)
    select count(*) as wrong from (
      select conversion from transfer group by conversion
      having count(id) <> 2 or bool_or(entries <> 2) or bool_or(total <> 0)) as w`.execute(db)
  return Number(rows[0]?.wrong)
}

/** What the network owes the affiliate; in the ledger that is a negative balance. */
async function owedTo(db: Db, affiliateId: number): Promise<string> {
  const row = await db
    .selectFrom('ledger_account')
    .select(sql<string>`-balance`.as('owed'))
    .where('kind', '=', 'affiliate_available')
    .where('owner_id', '=', affiliateId)
    .executeTakeFirst()
  return row?.owed ?? '0.0000'
}

async function one(clickhouse: Clickhouse, query: string): Promise<Record<string, string>> {
  const result = await clickhouse.query({ query, format: 'JSONEachRow' })
  return (await result.json<Record<string, string>>())[0] ?? {}
}
