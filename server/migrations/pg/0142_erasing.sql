-- The log stays as it was written, but for one thing: who was erased is taken out of the words of staff in it. Whoever erases says so in
-- the transaction; what is done, by whom, when and about what is never changed.
create function audit_stays() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and current_setting('ohma.erasing', true) = 'yes'
     and (to_jsonb(new) - 'before' - 'after') = (to_jsonb(old) - 'before' - 'after') then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
drop trigger audit_append_only on audit;
create trigger audit_append_only before update or delete on audit for each row execute function audit_stays();
