import { sql, type RawBuilder } from 'kysely'
import type { DbOrTrx, Trx } from '#server/platform/pg/database.ts'
import { balances, usedPercent } from './receivable.queries.ts'

export type Turn = {
  advertiser_id: number
  uuid: string
  name: string
  currency: string
  used_percent: number
  blocked: boolean
  /** What it was before. */
  was_blocked: boolean
  was_near: boolean
  near: boolean
}

/** Limits whose advertisers stand otherwise by the books than was noted: locked, in the order of their keys; those another worker judges are passed over. */
export async function takeTurns(trx: Trx, warnPercent: number, most: number): Promise<Turn[]> {
  const { rows } = await sql<Turn>`
    with judged as (
      select c.advertiser_id, c.currency, v.uuid, v.name, ${usedPercent()} as used_percent,
             coalesce(a.exposure, 0) >= c.credit_limit as blocked, c.blocked_at is not null as was_blocked, c.warned_at is not null as was_near
        from advertiser_credit c join advertiser v on v.id = c.advertiser_id
        left join (${balances()}) a on a.owner_id = c.advertiser_id and a.currency = c.currency)
    select j.*, j.blocked or j.used_percent >= ${warnPercent} as near from judged j
      join advertiser_credit k on k.advertiser_id = j.advertiser_id and k.currency = j.currency
     where j.blocked <> (k.blocked_at is not null) or (j.blocked or j.used_percent >= ${warnPercent}) <> (k.warned_at is not null)
     order by j.advertiser_id, j.currency limit ${most} for update of k skip locked`.execute(trx)
  return rows
}

/** Notes how an advertiser stands. */
export async function noteTurn(trx: DbOrTrx, { advertiser_id, currency, blocked, near }: Turn, at: Date): Promise<void> {
  await sql`
    update advertiser_credit set blocked_at = case when ${blocked} then coalesce(blocked_at, ${at}) end, warned_at = case when ${near} then coalesce(warned_at, ${at}) end
     where advertiser_id = ${advertiser_id} and currency = ${currency}`.execute(trx)
}

/** Whether an advertiser's credit is used up in any currency, so that its offers take no traffic; `advertiser` is a column holding its number, such as `v.id`. */
export function isCreditBlocked(advertiser: string): RawBuilder<boolean> {
  return sql<boolean>`exists (select from advertiser_credit k where k.advertiser_id = ${sql.ref(advertiser)} and k.blocked_at is not null)`
}
