-- What affiliates ask and staff answer. `change` numbers all changes of all tickets in the order they were committed: who follows them asks from there on.
create sequence ticket_change;

create table ticket (
  id            integer generated always as identity primary key,
  uuid          uuid not null default gen_random_uuid() unique,
  affiliate_id  integer not null references affiliate (id),
  subject       text not null,
  category      text not null,
  priority      text not null default 'normal',
  status        text not null,
  assignee_id   integer references account (id) on delete set null,
  -- of an offer request: the offer, and what became of it
  offer_id      integer references offer (id) on delete set null,
  offer_answer  text,
  -- one that was closed too long ago to be reopened
  earlier_id    integer references ticket (id) on delete set null,
  -- whether staff opened it
  by_staff      boolean not null,
  created_at    timestamptz not null,
  -- its last message
  last_at       timestamptz not null,
  -- when staff first answered one that an affiliate opened
  answered_at   timestamptz,
  -- while it waits for staff
  waiting_since timestamptz,
  closed_at     timestamptz,
  change        bigint not null default 0,
  -- the last change that its affiliate may know of: notes are none
  told_change   bigint not null default 0,
  constraint ticket_category_known check (category in ('general', 'finance', 'technical', 'offer_request')),
  constraint ticket_priority_known check (priority in ('low', 'normal', 'high', 'urgent')),
  constraint ticket_status_known check (status in ('open', 'waiting_us', 'waiting_user', 'closed')),
  constraint ticket_offer_answer_known check (offer_answer in ('approved', 'rejected')),
  constraint ticket_closed check ((status = 'closed') = (closed_at is not null)),
  constraint ticket_waits check ((status = 'waiting_us') = (waiting_since is not null))
);
create index ticket_last on ticket (last_at desc, id desc);
create index ticket_affiliate on ticket (affiliate_id, last_at desc);
create index ticket_waiting on ticket (waiting_since) where status = 'waiting_us';
create index ticket_changed on ticket (change);
create index ticket_created on ticket (created_at);

create table ticket_message (
  id         integer generated always as identity primary key,
  uuid       uuid not null default gen_random_uuid() unique,
  ticket_id  integer not null references ticket (id) on delete cascade,
  -- a note is for staff alone; the last four say what was done, with what was said to it
  kind       text not null,
  author_id  integer not null references account (id),
  by_staff   boolean not null,
  body       text not null default '',
  -- the same call, sent again
  key        uuid not null,
  at         timestamptz not null,
  -- the other side is still to be told by mail
  mail_due   boolean not null default false,
  constraint ticket_message_kind_known check (kind in ('message', 'note', 'closed', 'reopened', 'approved', 'rejected')),
  constraint ticket_message_once unique (author_id, key)
);
create index ticket_message_of on ticket_message (ticket_id, id);
create index ticket_message_author on ticket_message (author_id, at);
create index ticket_message_words on ticket_message using gin (to_tsvector('simple', body));
create index ticket_message_mail on ticket_message (ticket_id, at) where mail_due;

-- Up to which message somebody has read a ticket.
create table ticket_reader (
  ticket_id  integer not null references ticket (id) on delete cascade,
  account_id integer not null references account (id) on delete cascade,
  read_id    integer not null,
  primary key (ticket_id, account_id)
);

-- Answers that staff give often.
create table ticket_template (
  id         integer generated always as identity primary key,
  uuid       uuid not null default gen_random_uuid() unique,
  title      text not null,
  body       text not null,
  created_at timestamptz not null,
  version    integer not null default 1
);
create trigger ticket_template_version before update on ticket_template for each row
  when (old.* is distinct from new.*) execute function next_version();
create unique index ticket_template_title on ticket_template (lower(title));

-- Files of messages have a name, and need not be pictures.
alter table file drop constraint file_kind_known;
alter table file add constraint file_kind_known check (kind in ('landing', 'ticket'));
alter table file alter column width drop not null;
alter table file alter column height drop not null;
alter table file add column name text not null default '';
-- among the files of one message
alter table file add column place integer not null default 1;
-- what somebody uploads in a day is limited
create index file_creator on file (created_by, created_at);
