-- How often programs filled in what people cannot see in a form of leads: nothing else of them is kept.
create table lead_form_trap (
  affiliate_id integer not null references affiliate (id),
  offer_id     integer not null references offer (id),
  day          date not null,
  caught       integer not null default 0,
  primary key (affiliate_id, offer_id, day)
);
