import { sql } from 'kysely'
import type { Db } from '#server/platform/pg/database.ts'
import { makeAffiliateId, makeOffer } from '#test/support/make/money.ts'
import { makeAdvertiser } from '#test/support/make/factories.ts'

const DAY = 86_400_000
const CHUNK = 50_000
const AFFILIATES = 500

/**
 * Approved conversions of the last 90 days in the order of time, evenly over so many advertisers and 500 affiliates, with the two transfers
 * and four entries each has, and balances that are their sums; nothing of it is invoiced. By plain statements: by way of the product it would take an hour.
 */
export async function makeBooks(db: Db, { advertisers, conversions, now }: { advertisers: number; conversions: number; now: number }) {
  const owners: { advertiser: number; offer: number; goal: number }[] = []
  for (let made = 0; made < advertisers; made++) {
    const { id } = await makeAdvertiser(db)
    const offer = await makeOffer(db, { advertiserId: id })
    const goal = await db.selectFrom('goal').select('id').where('offer_id', '=', offer.id).executeTakeFirstOrThrow()
    owners.push({ advertiser: id, offer: offer.id, goal: goal.id })
  }
  const affiliates: number[] = []
  for (let made = 0; made < AFFILIATES; made++) affiliates.push(await makeAffiliateId(db))
  await sql`
    insert into ledger_account (kind, owner_id, currency)
    select kind, owner, 'USD' from unnest(array['receivable', 'network_revenue']) as kind, unnest(${owners.map((one) => one.advertiser)}::int[]) as owner
    union all select kind, owner, 'USD' from unnest(array['payout_cost', 'affiliate_available']) as kind, unnest(${affiliates}::int[]) as owner`.execute(
    db,
  )
  await db.connection().execute(async (one) => {
    // rows are of one making: what the database checks of each would take most of the time
    await sql`set session_replication_role = replica`.execute(one)
    await sql`set statement_timeout = 0`.execute(one)
    for (let from = 0; from < conversions; from += CHUNK) {
      const to = Math.min(from + CHUNK, conversions)
      const at = sql`to_timestamp(${(now - 90 * DAY) / 1000}::float8 + n * ${(89.9 * DAY) / 1000 / conversions}::float8)`
      const first = await sql<{ id: string }>`
      with made as (
        insert into conversion (offer_id, goal_id, affiliate_id, advertiser_id, click_id, click_at, status, payout, revenue, currency, rule, created_at, updated_at)
        select (${owners.map((one) => one.offer)}::int[])[1 + n % ${advertisers}], (${owners.map((one) => one.goal)}::int[])[1 + n % ${advertisers}],
               (${affiliates}::int[])[1 + (n / 7) % ${AFFILIATES}], (${owners.map((one) => one.advertiser)}::int[])[1 + n % ${advertisers}],
               md5(n::text), ${at}, 'approved', 10, 15, 'USD', '{}', ${at}, ${at}
          from generate_series(${from}::int, ${to - 1}::int) as n order by n returning id)
      select min(id)::text as id from made`.execute(one)
      const since = first.rows[0]?.id ?? '0'
      await sql`
      insert into ledger_transfer (at, booked_at, kind, conversion_id, key)
      select c.created_at, c.created_at, part, c.id, 'conversion:' || c.id || ':1:' || part
        from conversion c cross join unnest(array['payout', 'revenue']) as part where c.id >= ${since}::bigint order by c.id, part`.execute(
        one,
      )
      await sql`
      insert into ledger_entry (transfer_id, line, account_id, amount, at)
      select t.id, s.line, a.id, s.amount, t.at
        from conversion c join ledger_transfer t on t.conversion_id = c.id
        join lateral (values ('payout', 1, 'payout_cost', c.affiliate_id, c.payout), ('payout', 2, 'affiliate_available', c.affiliate_id, -c.payout),
                             ('revenue', 1, 'receivable', c.advertiser_id, c.revenue), ('revenue', 2, 'network_revenue', c.advertiser_id, -c.revenue)) as s (part, line, kind, owner, amount)
          on s.part = t.kind
        join ledger_account a on a.kind = s.kind and a.owner_id = s.owner and a.currency = c.currency
       where c.id >= ${since}::bigint order by t.id, s.line`.execute(one)
    }
    await sql`
      update ledger_account a set balance = e.amount, debited = e.debited
        from (select account_id, sum(amount) as amount, coalesce(sum(amount) filter (where amount > 0), 0) as debited from ledger_entry group by 1) e where e.account_id = a.id`.execute(
      one,
    )
    await sql`
      insert into advertiser_cost (advertiser_id, currency, payout) select advertiser_id, currency, sum(payout) from conversion group by 1, 2`.execute(
      one,
    )
    await sql`analyze`.execute(one)
    await sql`reset session_replication_role`.execute(one)
    await sql`reset statement_timeout`.execute(one)
  })
}
