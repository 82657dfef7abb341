-- Webhooks: where an affiliate's systems hear what happens, as Standard Webhooks says.
create table webhook (
  id             integer generated always as identity primary key,
  uuid           uuid not null default gen_random_uuid(),
  affiliate_id   integer not null references affiliate (id) on delete cascade,
  url            text not null,
  events         text[] not null,
  status         text not null default 'active',
  -- failures in a row; 50 suspend it
  failures       integer not null default 0,
  suspended_at   timestamptz,
  secret         bytea not null,
  -- signs beside the other for a while after it was changed
  secret_before  bytea,
  before_until   timestamptz,
  created_at     timestamptz not null,
  constraint webhook_uuid_key unique (uuid),
  constraint webhook_status_known check (status in ('active', 'paused', 'suspended', 'deleted'))
);
create index webhook_affiliate on webhook (affiliate_id) where status <> 'deleted';

-- What happened, written by the transaction in which it did, for affiliates who asked to hear of it; a worker makes deliveries of it.
create table webhook_event (
  id           bigint generated always as identity primary key,
  affiliate_id integer not null references affiliate (id) on delete cascade,
  type         text not null,
  -- the number of what it happened to
  subject      bigint not null,
  was          text,
  became       text,
  at           timestamptz not null
);

create table webhook_delivery (
  id          bigint generated always as identity primary key,
  uuid        uuid not null default gen_random_uuid(),
  webhook_id  integer not null references webhook (id) on delete cascade,
  -- the same for all that hear of one event, and when it is sent again by hand
  message     uuid not null,
  replay      integer not null default 0,
  type        text not null,
  body        text not null,
  host        text not null,
  state       text not null default 'queued',
  tries       integer not null default 0,
  next_try_at timestamptz,
  http_status integer,
  error       text not null default '',
  created_at  timestamptz not null,
  done_at     timestamptz,
  constraint webhook_delivery_uuid_key unique (uuid),
  constraint webhook_delivery_key unique (webhook_id, message, replay),
  constraint webhook_delivery_state_known check (state in ('queued', 'sent', 'dead', 'held'))
);
create index webhook_delivery_due on webhook_delivery (next_try_at) where state = 'queued';
create index webhook_delivery_created on webhook_delivery (created_at);

create table webhook_attempt (
  id          bigint generated always as identity primary key,
  delivery_id bigint not null references webhook_delivery (id) on delete cascade,
  at          timestamptz not null,
  duration_ms integer not null,
  http_status integer,
  error       text not null default '',
  -- the first 500 characters of the answer
  response    text not null default ''
);
create index webhook_attempt_delivery on webhook_attempt (delivery_id, id);

-- In the database, so that no way to change one of these is forgotten; without a webhook that asks for it nothing is written.
create function note_webhook_event(affiliate integer, kind text, subject bigint, was text, became text, at timestamptz) returns void
language sql as $$
  insert into webhook_event (affiliate_id, type, subject, was, became, at)
  select affiliate, kind, subject, was, became, at
   where exists (select from webhook w where w.affiliate_id = affiliate and w.status in ('active', 'suspended') and kind = any(w.events))
$$;

create function conversion_webhook_event() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform note_webhook_event(new.affiliate_id, 'conversion.created', new.id, null, new.status, new.updated_at);
  else
    perform note_webhook_event(new.affiliate_id, 'conversion.status_changed', new.id, old.status, new.status, new.updated_at);
  end if;
  return null;
end $$;
create trigger conversion_webhook_created after insert on conversion for each row execute function conversion_webhook_event();
create trigger conversion_webhook_changed after update of status on conversion for each row
  when (old.status is distinct from new.status) execute function conversion_webhook_event();

create function lead_webhook_event() returns trigger language plpgsql as $$
begin
  perform note_webhook_event(new.affiliate_id, 'lead.status_changed', new.id, old.status, new.status, new.changed_at);
  return null;
end $$;
create trigger user_session_webhook_changed after update of status, call_status on user_session for each row
  when ((old.status, old.call_status) is distinct from (new.status, new.call_status)) execute function lead_webhook_event();

create function ticket_webhook_event() returns trigger language plpgsql as $$
begin
  perform note_webhook_event(t.affiliate_id, 'ticket.answered', new.id, null, null, new.at) from ticket t where t.id = new.ticket_id;
  return null;
end $$;
create trigger ticket_message_webhook_answered after insert on ticket_message for each row
  when (new.by_staff and new.kind in ('message', 'approved', 'rejected')) execute function ticket_webhook_event();
