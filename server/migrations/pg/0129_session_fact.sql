-- What statistics hold of user sessions and of their sends: one row each in ClickHouse, taken away and put in anew when it changes.

-- To which table of ClickHouse a row goes.
alter table outbox add column target text not null default 'conversion_fact';
alter table outbox add constraint outbox_target_known check (target in ('conversion_fact', 'session_fact'));

-- Sessions of which statistics do not know the present state. Whoever changes one writes it here, by a trigger, so that no way of
-- changing a session can forget it. An entry that is there is written once more: who counts waits for whoever changes.
create table session_due (
  session_id bigint primary key
);

-- What statistics were told of a session: what may change of it, and its sends.
create table session_told (
  session_id bigint primary key,
  state      jsonb not null
);

create function session_is_due() returns trigger language plpgsql as $$
begin
  insert into session_due (session_id) values (new.id)
    on conflict (session_id) do update set session_id = excluded.session_id;
  return null;
end $$;
create function send_is_due() returns trigger language plpgsql as $$
begin
  insert into session_due (session_id) values (new.session_id)
    on conflict (session_id) do update set session_id = excluded.session_id;
  return null;
end $$;
create trigger session_due_new after insert on user_session for each row execute function session_is_due();
create trigger session_due_changed after update on user_session for each row
  when (old.status is distinct from new.status or old.reason is distinct from new.reason) execute function session_is_due();
create trigger session_due_sent after insert on lead_send for each row execute function send_is_due();
create trigger session_due_answered after update on lead_send for each row
  when (old.status is distinct from new.status or old.outcome is distinct from new.outcome or old.answered_at is distinct from new.answered_at)
  execute function send_is_due();

insert into session_due (session_id) select id from user_session;
