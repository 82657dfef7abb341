-- What somebody is told of also goes out by mail, as they choose for each kind; what they did not choose is as usual for their role.
create table notification_choice (
  account_id integer not null references account (id) on delete cascade,
  kind       text not null,
  bell       boolean not null,
  mail       text not null,
  primary key (account_id, kind),
  constraint notification_choice_mail_known check (mail in ('off', 'now', 'daily'))
);

-- When somebody's digest goes out, and whether they want any of these mails.
create table notification_digest (
  account_id integer primary key references account (id) on delete cascade,
  hour       integer not null default 8,
  stopped    boolean not null default false,
  -- when it goes out, where something waits for it
  next_at    timestamptz,
  -- the day, in their zone, of the last one: one a day, whatever is changed meanwhile
  sent_on    date,
  constraint notification_digest_hour check (hour between 0 and 23)
);

-- When a worker looks whether it is to be mailed; null = it was, or need not be. Of what there is nothing is mailed afterwards.
alter table notification add column mail_at timestamptz;
create index notification_mail on notification (mail_at, account_id) where mail_at is not null;

-- Whoever writes one, it is looked at a minute later, so that fifty at once are one mail; one that is told again is looked at again.
create function mail_notification() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    new.mail_at := new.at + interval '1 minute';
  elsif new.at > old.at then
    new.mail_at := coalesce(old.mail_at, new.at + interval '1 minute');
  end if;
  return new;
end $$;
create trigger notification_is_mailed before insert or update of at on notification for each row execute function mail_notification();
