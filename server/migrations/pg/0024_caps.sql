-- Caps by period, scope and measure. A conversion takes its place when it is received and keeps it until it is declined.

-- CAP in contract/offers/offer-cap.ts: { period, scope, measure, limit }
alter table offer add column caps jsonb not null default '[]';
update offer
   set caps = jsonb_build_array(jsonb_build_object('period', 'day', 'scope', 'offer', 'measure', 'conversions', 'limit', daily_cap::text))
 where daily_cap is not null;

-- false = a cap was full when it came: it holds no place, and what it became is the offer's over-cap action
alter table conversion add column within_cap boolean not null default true;
update conversion set within_cap = false where reason = 'cap_reached';
alter table conversion drop column cap_day;

-- What conversions that hold a place make in a period. A row may be deleted while no conversion is being written: it is
-- counted anew from the conversions when it is needed.
drop table cap_counter;
create table cap_counter (
  offer_id     integer not null references offer (id) on delete cascade,
  -- 0 = the whole offer
  affiliate_id integer not null,
  period       text not null,
  -- in the offer's zone; 1970 for a cap without period
  starts       timestamptz not null,
  measure      text not null,
  used         numeric not null,
  primary key (offer_id, affiliate_id, period, starts, measure),
  constraint cap_counter_period_known check (period in ('hour', 'day', 'week', 'month', 'total')),
  constraint cap_counter_measure_known check (measure in ('conversions', 'payout'))
);
insert into cap_counter (offer_id, affiliate_id, period, starts, measure, used)
select o.id, 0, 'day', today.starts, 'conversions',
       (select count(*) from conversion c where c.offer_id = o.id and c.within_cap and c.status in ('pending', 'hold', 'approved') and c.created_at >= today.starts)
  from offer o, lateral (select date_trunc('day', now(), o.time_zone) as starts) as today
 where o.daily_cap is not null;
alter table offer drop column daily_cap;
