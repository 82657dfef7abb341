-- Whose word counts for the leads of an affiliate on an offer. No row = the advertiser's.
create table lead_authority (
  affiliate_id integer not null references affiliate (id),
  offer_id     integer not null references offer (id),
  state        text not null,
  changed_at   timestamptz not null,
  changed_by   integer references account (id) on delete set null,
  -- what was only noted while it was tested is being applied
  applying     boolean not null default false,
  primary key (affiliate_id, offer_id),
  constraint lead_authority_state_known check (state in ('testing', 'live'))
);
create index lead_authority_offer on lead_authority (offer_id);
create index lead_authority_changed_by on lead_authority (changed_by) where changed_by is not null;
create index lead_authority_applying on lead_authority (affiliate_id) where applying;

-- What staff say of a lead stands among what advertisers do; what these said while it was tested is noted, and nothing follows.
alter table lead_status drop constraint lead_status_source_known;
alter table lead_status
  add column noted      boolean not null default false,
  add column note       text not null default '',
  add column account_id integer references account (id) on delete set null,
  add constraint lead_status_source_known check (source in ('pull', 'push', 'staff'));
create index lead_status_noted on lead_status (send_id) where noted;
create index lead_status_account on lead_status (account_id) where account_id is not null;

-- whoever looks after an advertiser is told when its system says nothing of open leads
do $$
declare
  known record;
begin
  for known in
    select (select string_agg(quote_literal(word[1]), ', ')
              from regexp_matches(pg_get_expr(c.conbin, c.conrelid), '''([a-z_]+)''', 'g') as word) as words
      from pg_constraint c where c.conname = 'notification_kind_known'
  loop
    alter table notification drop constraint notification_kind_known;
    execute format('alter table notification add constraint notification_kind_known check (kind in (%s, %L))', known.words, 'leads_silent');
  end loop;
end $$;
