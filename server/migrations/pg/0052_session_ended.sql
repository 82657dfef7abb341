-- Whoever still answers a session, such as a stream of news, hears of its end at once.
create function announce_session_end() returns trigger language plpgsql as $$
begin
  perform pg_notify('session_ended', old.id::text);
  return old;
end $$;
create trigger session_ended after delete on session for each row execute function announce_session_end();
