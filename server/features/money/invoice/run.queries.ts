import { sql } from 'kysely'
import type { Db, DbOrTrx, Trx } from '#server/platform/pg/database.ts'

type Run = {
  /** Whose invoices it makes; of affiliates where nothing is said. */
  side?: 'affiliates' | 'advertisers'
  key: string
  /** What the call asked for, as `askedDigest` says. */
  asked?: string
  period_from: string | null
  period_to: string
  time_zone: string
  made_by: number | null
  created_at: Date
  schedule?: 'weekly' | 'twice_a_month' | 'monthly'
  state?: 'proposed' | 'made' | 'empty'
}

/** Stores a run; undefined where the same call, or the end of the same period, stored it before. */
export function insertRun(trx: Trx, run: Run) {
  return trx
    .insertInto('billing_run')
    .values(run)
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', 'uuid'])
    .executeTakeFirst()
}

/** What is to be made of one affiliate or advertiser; of chosen conversions, which. */
type RunRow = {
  affiliate?: { id: number } | null
  advertiser?: { id: number } | null
  currency: string
  net: string
  sends?: boolean
  chosen?: readonly string[]
  /** Of chosen conversions, whose affiliate owes: that is left to the next invoice. */
  leaves_debt?: boolean
  /** It asked to be paid more: nothing is made, and the run says why. */
  left_out?: string | null
}

/** Stores what is to be made; a row that is there already stays as it is. */
export async function insertRows(trx: Trx, runId: number, rows: readonly RunRow[]): Promise<void> {
  const waiting = rows.map(
    ({ affiliate, advertiser, currency, net, sends = false, chosen = null, leaves_debt = false, left_out = null }) => ({
      affiliate_id: affiliate?.id ?? null,
      advertiser_id: advertiser?.id ?? null,
      currency,
      expected: net,
      sends,
      conversions: chosen,
      leaves_debt,
      state: left_out === null ? 'waiting' : 'nothing',
      reason: left_out ?? '',
    }),
  )
  await sql`insert into billing_run_row (run_id, affiliate_id, advertiser_id, currency, expected, sends, conversions, leaves_debt, state, reason)
    select ${runId}, w.affiliate_id, w.advertiser_id, w.currency, w.expected, w.sends, w.conversions, w.leaves_debt, w.state, w.reason
      from jsonb_to_recordset(${JSON.stringify(waiting)}::jsonb) as w (affiliate_id int, advertiser_id int, currency text, expected numeric, sends boolean, conversions bigint[], leaves_debt boolean, state text, reason text)
    on conflict do nothing`.execute(trx)
}

/** The run a call made, whose key is its own, and what it asked for. */
export function findRun(db: DbOrTrx, key: string) {
  return db.selectFrom('billing_run').select(['uuid', 'asked']).where('key', '=', key).executeTakeFirst()
}

/** Takes a row nobody works on, of one run or of any. */
export async function takeRow(trx: Trx, uuid: string | null) {
  const { rows } = await sql<{
    id: string
    affiliate_id: number | null
    advertiser_id: number | null
    currency: string
    period_from: string | null
    period_to: string
    time_zone: string
    made_by: number | null
    /** Of chosen conversions: which. */
    conversions: string[] | null
    leaves_debt: boolean
  }>`
    select w.id, w.affiliate_id, w.advertiser_id, w.currency, w.conversions, w.leaves_debt, r.period_from, r.period_to, r.time_zone, r.made_by
      from billing_run_row w join billing_run r on r.id = w.run_id
     where w.state = 'waiting' and ${uuid === null ? sql`true` : sql`r.uuid = ${uuid}::uuid`}
     order by w.id limit 1 for update of w skip locked`.execute(trx)
  return rows[0]
}

export async function endRow(
  db: DbOrTrx,
  id: string,
  values: { state: 'made' | 'nothing' | 'failed'; invoice_id?: number; advertiser_invoice_id?: number; made?: string; reason?: string },
) {
  await db.updateTable('billing_run_row').set(values).where('id', '=', id).where('state', '=', 'waiting').execute()
}

/** What has become of a run, with its first hundred invoices. */
export async function readRun(db: Db, uuid: string) {
  const run = await db
    .selectFrom('billing_run as r')
    .leftJoin('billing_run_row as w', 'w.run_id', 'r.id')
    .select(['r.uuid', 'r.period_to', sql<number>`count(w.id)::int`.as('rows')])
    .select(
      (['waiting', 'made', 'nothing', 'failed'] as const).map((state) =>
        sql<number>`(count(*) filter (where w.state = ${state}))::int`.as(state),
      ),
    )
    .select(sql<number>`(count(*) filter (where w.state = 'nothing' and w.reason = 'requested'))::int`.as('requested'))
    .where('r.uuid', '=', uuid)
    .groupBy('r.id')
    .executeTakeFirst()
  if (run === undefined) return undefined
  const { rows: invoices } = await sql<{ uuid: string; id: number; party: string; currency: string; net: string; expected: string }>`
    select coalesce(i.uuid, j.uuid) as uuid, coalesce(i.id, j.id) as id, coalesce(a.name, v.name) as party, w.currency,
           coalesce(i.net, j.net)::text as net, w.expected::text
      from billing_run_row w join billing_run r on r.id = w.run_id
      left join invoice i on i.id = w.invoice_id left join affiliate f on f.id = i.affiliate_id left join account a on a.id = f.account_id
      left join advertiser_invoice j on j.id = w.advertiser_invoice_id left join advertiser v on v.id = j.advertiser_id
     where r.uuid = ${uuid}::uuid and w.state = 'made' order by w.id limit 100`.execute(db)
  return { ...run, invoices }
}
