-- A worker takes a message for a while before it hands it to the server: two workers never have the same one, and what a
-- worker that died had taken comes back.
alter table mail add column taken_at timestamptz;
alter table mail add column leased_until timestamptz;
-- how many went out in the last minute
create index mail_taken on mail (taken_at) where taken_at is not null;

-- What was refused or given up may be sent once more while its values are of use; the worker clears them when they are not.
alter table mail drop constraint mail_unsealed;
alter table mail add constraint mail_unsealed check (status in ('waiting', 'refused', 'failed') or sealed is null);
create index mail_to_clear on mail (expires_at) where status in ('refused', 'failed') and sealed is not null;

-- What the mail server is told in confidence. Apart from the settings, which are read, answered and logged as they are.
create table smtp_secret (
  name    text primary key,
  sealed  bytea not null,
  set_at  timestamptz not null,
  constraint smtp_secret_known check (name in ('password', 'dkim_key'))
);
