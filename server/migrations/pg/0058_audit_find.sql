-- The log is searched by person, thing, action and text, newest first, in a million rows as in a thousand.
create extension if not exists pg_trgm;

drop index audit_at;
create index audit_newest on audit (at desc, id desc);
create index audit_actor on audit (actor_id, at desc, id desc);
create index audit_acting on audit (acting_id, at desc, id desc) where acting_id is not null;
create index audit_action on audit (action, at desc, id desc);
create index audit_kind on audit (entity, at desc, id desc);
-- what was written before and after, as it is stored
create index audit_text on audit using gin ((coalesce(before::text, '') || ' ' || coalesce(after::text, '')) gin_trgm_ops);

-- A row cannot be changed or deleted; nor may all of them go at once.
create trigger audit_kept before truncate on audit for each statement execute function refuse_change();
