-- People chosen for a second sale. What state a list is in follows from its rows and from who uses it.
create table lead_list (
  id          integer generated always as identity primary key,
  uuid        uuid not null default gen_random_uuid() unique,
  title       text not null,
  description text not null default '',
  -- whose it is: team leads see the lists of their team
  manager_id  integer references manager (id),
  created_by  integer references account (id) on delete set null,
  version     integer not null default 1,
  created_at  timestamptz not null,
  updated_at  timestamptz not null,
  archived_at timestamptz,
  deleted_at  timestamptz,
  constraint lead_list_title check (length(title) between 3 and 100)
);
create unique index lead_list_title on lead_list (lower(title)) where deleted_at is null;
create index lead_list_manager on lead_list (manager_id, id);
create trigger lead_list_counts before update on lead_list for each row execute function next_version('updated_at');

-- Files people of lists came in.
create table lead_list_import (
  id         bigint generated always as identity primary key,
  uuid       uuid not null default gen_random_uuid() unique,
  list_id    integer not null references lead_list (id),
  file_name  text not null,
  status     text not null,
  -- columns, what each means, and what makes it lawful
  mapping    jsonb not null default '{}',
  basis      text not null default '',
  -- the rows, sealed, until they are read
  content    bytea,
  rows       integer not null default 0,
  done       integer not null default 0,
  added      integer not null default 0,
  there      integer not null default 0,
  refused    integer not null default 0,
  -- what was wrong, row by row; nobody is told of in it
  mistakes   jsonb not null default '[]',
  leased_until timestamptz,
  created_by integer not null references account (id),
  created_at timestamptz not null,
  ended_at   timestamptz,
  constraint lead_list_import_status_known check (status in ('draft', 'running', 'done', 'failed', 'cancelled'))
);
create index lead_list_import_list on lead_list_import (list_id, id desc);
create index lead_list_import_open on lead_list_import (id) where status = 'running';

-- A person in a list, once, and where they came from.
create table lead_list_item (
  id            bigint generated always as identity primary key,
  list_id       integer not null references lead_list (id),
  person_id     bigint not null references person (id),
  source        text not null,
  -- of a conversion: that it is of
  session_id    bigint references user_session (id),
  conversion_id bigint references conversion (id),
  import_id     bigint references lead_list_import (id),
  -- whose lead it was; null = it came in a file
  affiliate_id  integer references affiliate (id),
  country       text not null default '',
  via           text not null,
  added_by      integer references account (id) on delete set null,
  added_at      timestamptz not null,
  removed_at    timestamptz,
  unique (list_id, person_id),
  constraint lead_list_item_source_known check (source in ('session', 'conversion', 'file')),
  constraint lead_list_item_via_known check (via in ('manual', 'filter', 'rule', 'file', 'merge', 'split')),
  constraint lead_list_item_from check ((source = 'file') = (session_id is null))
);
create index lead_list_item_list on lead_list_item (list_id, id);
create index lead_list_item_person on lead_list_item (person_id);
create index lead_list_item_session on lead_list_item (session_id) where session_id is not null;
create index lead_list_item_conversion on lead_list_item (conversion_id) where conversion_id is not null;
create index lead_list_item_import on lead_list_item (import_id) where import_id is not null;

-- One distribution: the people of a list, offered again by an API offer, so many an hour.
create table recold (
  id            integer generated always as identity primary key,
  uuid          uuid not null default gen_random_uuid() unique,
  title         text not null,
  list_id       integer not null references lead_list (id),
  offer_id      integer not null references offer (id),
  -- of the offer's products those that are asked; none = all
  product_ids   integer[] not null default '{}',
  manager_id    integer references manager (id),
  -- under whom its leads register
  affiliate_id  integer not null references affiliate (id),
  -- what whoever brought the person first is paid: nothing, or by the offer
  payout        text not null default 'none',
  schedule      jsonb not null,
  pacing        jsonb not null,
  -- what is told of people besides, and what is left out
  data          jsonb not null,
  skip          jsonb not null,
  seed          bigint not null,
  status        text not null default 'draft',
  pause_reason  text not null default '',
  -- of its list, people up to this row are taken in
  taken_item_id bigint not null default 0,
  -- caps count from here
  caps_from     timestamptz,
  next_place    bigint not null default 0,
  started_at    timestamptz,
  last_send_at  timestamptz,
  finished_at   timestamptz,
  created_by    integer references account (id) on delete set null,
  version       integer not null default 1,
  created_at    timestamptz not null,
  updated_at    timestamptz not null,
  constraint recold_title check (length(title) between 3 and 100),
  constraint recold_status_known check (status in ('draft', 'active', 'paused', 'done', 'deleted')),
  constraint recold_payout_known check (payout in ('none', 'original'))
);
create index recold_list on recold (list_id);
create index recold_offer on recold (offer_id);
create index recold_manager on recold (manager_id, id);
create index recold_active on recold (id) where status = 'active';
create trigger recold_counts before update on recold for each row
  execute function next_version('updated_at', 'pause_reason', 'taken_item_id', 'next_place', 'last_send_at');

-- A person of a distribution, in the order they are asked, and what became of it.
create table recold_item (
  id           bigint generated always as identity primary key,
  uuid         uuid not null default gen_random_uuid() unique,
  recold_id    integer not null references recold (id),
  list_item_id bigint not null references lead_list_item (id),
  person_id    bigint not null references person (id),
  country      text not null default '',
  place        bigint not null,
  status       text not null default 'pending',
  skip_reason  text not null default '',
  scheduled_at timestamptz,
  sent_at      timestamptz,
  ended_at     timestamptz,
  leased_until timestamptz,
  -- the cold session it became: one at most, whoever looks at it twice
  session_id   bigint unique references user_session (id),
  unique (recold_id, list_item_id),
  constraint recold_item_status_known check (status in
    ('pending', 'scheduled', 'sending', 'accepted', 'rejected', 'no_capacity', 'failed', 'ambiguous', 'skipped', 'cancelled'))
);
create index recold_item_place on recold_item (recold_id, place) where status = 'pending';
create index recold_item_due on recold_item (scheduled_at) where status = 'scheduled';
create index recold_item_sending on recold_item (recold_id) where status = 'sending';
create index recold_item_status on recold_item (recold_id, status, id);
create index recold_item_sent on recold_item (recold_id, sent_at) where sent_at is not null;
create index recold_item_person on recold_item (person_id);

alter table user_session add column recold_id integer references recold (id);
create index user_session_recold on user_session (recold_id, id) where recold_id is not null;
-- leads that are looked for by what became of them, the newest first
create index user_session_person_received on user_session (person_id, received_at desc);
drop index user_session_person;

-- The network's own affiliate, under whom cold leads register where nobody else is named.
alter table affiliate add column house boolean not null default false;
create unique index affiliate_house on affiliate (house) where house;

-- Whom nobody may offer again, by keyed hashes: everywhere, or to one advertiser or by one offer.
create table suppression (
  id            bigint generated always as identity primary key,
  uuid          uuid not null default gen_random_uuid() unique,
  kind          text not null,
  hash          bytea not null,
  -- masked
  shown         text not null,
  advertiser_id integer references advertiser (id),
  offer_id      integer references offer (id),
  reason        text not null,
  source        text not null,
  note          text not null default '',
  expires_at    timestamptz,
  created_by    integer references account (id) on delete set null,
  created_at    timestamptz not null,
  constraint suppression_kind_known check (kind in ('email', 'phone', 'domain', 'ip')),
  constraint suppression_reason_known check (reason in ('opt_out', 'dnc', 'erasure', 'complaint', 'litigator', 'manual')),
  constraint suppression_source_known check (source in ('staff', 'file', 'api', 'link', 'erasure', 'call')),
  constraint suppression_one_scope check (advertiser_id is null or offer_id is null)
);
create unique index suppression_once on suppression (kind, hash, advertiser_id, offer_id) nulls not distinct;
create index suppression_created on suppression (created_at desc, id desc);
create index suppression_advertiser on suppression (advertiser_id) where advertiser_id is not null;
create index suppression_offer on suppression (offer_id) where offer_id is not null;
