-- One valid link for each account and purpose, whoever asks at the same moment: the newest stays.
delete from one_time_link o
 where used_at is null
   and exists (select from one_time_link n
                where n.used_at is null and n.purpose = o.purpose and n.account_id is not distinct from o.account_id
                  and (n.created_at, n.token_hash) > (o.created_at, o.token_hash));
create unique index one_time_link_unused on one_time_link (purpose, account_id) nulls not distinct where used_at is null;
