-- How a rate came and when: typed in, in a file, from the daily address, or told anew for another base currency.
alter table currency_rate
  add column source text not null default 'hand' check (source in ('hand', 'file', 'feed', 'base')),
  add column set_at timestamptz;
create index currency_rate_day on currency_rate (base, day);

-- What came of the last look at the daily address; one row, which whoever looks next takes for a while.
create table rate_feed (
  id         int primary key default 1 check (id = 1),
  next_at    timestamptz,
  at         timestamptz,
  ok_at      timestamptz,
  problem    text not null default '',
  day        date,
  changed    int not null default 0,
  without    text[] not null default '{}',
  failures   int not null default 0
);
insert into rate_feed default values;
