import { sql } from 'kysely'
import type { Trx } from '#server/platform/pg/database.ts'
import { lockInvoice } from './advertiser-invoice.queries.ts'

/** An invoice whose advertiser is to be reminded today, locked: so many days overdue, and none of the days of a reminder since told. Undefined where there is none. */
export async function takeOverdue(trx: Trx, today: string, days: readonly number[]) {
  const { rows } = await sql<{ id: number; day: number }>`
    select i.id, (select max(d) from unnest(${[...days]}::int[]) as d where d <= ${today}::date - i.due_day) as day
      from advertiser_invoice i left join advertiser_billing b on b.advertiser_id = i.advertiser_id
     where i.open > 0 and i.due_day < ${today}::date and coalesce(b.remind, true)
       and exists (select from unnest(${[...days]}::int[]) as d where d <= ${today}::date - i.due_day and d > i.reminded_day)
     order by i.id limit 1 for update of i skip locked`.execute(trx)
  const [found] = rows
  return found === undefined ? undefined : { day: found.day, invoice: await lockInvoice(trx, found.id) }
}
