import { sql } from 'kysely'
import type { DbOrTrx } from '#server/platform/pg/database.ts'

/**
 * Keeps back referrals whose two sides are paid at the same place, came from the same address, or by the same browser out of the same
 * network. What staff released comes back only for another cause; what they refused stays so.
 */
export async function holdSuspicious(db: DbOrTrx, at: Date): Promise<void> {
  await sql`
    with pair as (
      select r.id, r.affiliate_id, f.account_id, r.referrer_id, g.account_id as referrer_account
        from referral r join affiliate f on f.id = r.affiliate_id join affiliate g on g.id = r.referrer_id where r.state <> 'refused'
    ), whose as (select distinct account_id as account from pair union select distinct referrer_account from pair),
    seen as (
      select distinct w.account, s.address, s.device from whose w join sign_in s on s.account_id = w.account and s.outcome = 'in' where s.address <> ''
      union select f.account_id, p.address, p.device from whose w join affiliate f on f.account_id = w.account
        join application p on p.affiliate_id = f.id where p.address <> ''
    ), placed as (
      select account, address, device, case when pg_input_is_valid(address, 'inet')
        then network(set_masklen(address::inet, case family(address::inet) when 4 then 24 else 48 end)) end as net from seen
    ), found as (
      select id, 'method' as cause from pair p where exists (
        select from payment_method m join payment_method o on o.mark = m.mark and m.mark <> '' where m.affiliate_id = p.affiliate_id and o.affiliate_id = p.referrer_id)
      union select p.id, 'address' from pair p join placed a on a.account = p.account_id
        join placed b on b.account = p.referrer_account and b.address = a.address
      union select p.id, 'device' from pair p join placed a on a.account = p.account_id and a.device <> ''
        join placed b on b.account = p.referrer_account and b.device = a.device and b.net = a.net
    ), causes as (select id, array_agg(cause order by cause) as causes from found group by id)
    update referral r set state = 'held', held_at = ${at}, decided_at = null, decided_by = null,
           causes = (select array_agg(distinct cause order by cause) from unnest(r.causes || c.causes) as cause)
      from causes c where c.id = r.id and not c.causes <@ r.causes`.execute(db)
}
