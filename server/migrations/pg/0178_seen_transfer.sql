-- the last transfer of its conversion that is in the amount of a line: an invoice for an earlier period does not take back what one has
alter table invoice_line add column seen_transfer_id bigint not null default 0;
alter table advertiser_invoice_line add column seen_transfer_id bigint not null default 0;

-- as it was found out so far: what an invoice took first is all before it, what corrected that is of the end of its period, of a note of its day
update invoice_line l set seen_transfer_id = coalesce((select max(t.id) from ledger_transfer t
    where t.conversion_id = l.conversion_id and (l.kind = 'conversion' and t.id < s.first or t.at < s.taken)), 0)
  from (select x.id, (select min(f.id) from ledger_transfer f where f.invoice_id = x.invoice_id) as first,
          coalesce(n.created_at, greatest(least(e.at, i.created_at),
            (select max(case when h.event = 'refreshed' then h.at else least(e.at, h.at) end) from invoice_history h
              where h.invoice_id = i.id and h.event in ('refreshed', 'lines_added')))) as taken
          from invoice_line x join invoice i on i.id = x.invoice_id left join credit_note n on n.id = x.credit_note_id
          cross join lateral (select (i.period_to + 1)::timestamp at time zone i.time_zone as at) e
         where x.live and x.conversion_id is not null) s
 where l.id = s.id;

update advertiser_invoice_line l set seen_transfer_id = coalesce((select max(t.id) from ledger_transfer t
    where t.conversion_id = l.conversion_id and (l.kind = 'conversion' and t.id < s.first or t.at < s.taken)), 0)
  from (select x.id, (select min(f.id) from ledger_transfer f where f.advertiser_invoice_id = x.invoice_id and f.kind = 'advertiser_invoice') as first,
          coalesce(n.created_at, least((i.period_to + 1)::timestamp at time zone i.time_zone, i.issued_at)) as taken
          from advertiser_invoice_line x join advertiser_invoice i on i.id = x.invoice_id
          left join advertiser_credit_note n on n.id = x.credit_note_id
         where x.live and x.issued and x.conversion_id is not null) s
 where l.id = s.id;
