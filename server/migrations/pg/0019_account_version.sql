-- An account, too, names only what is no edit: a column to come is one without anybody thinking of it.
drop trigger account_version on account;
create trigger account_version before update on account for each row
  execute function next_version('password_hash', 'language', 'last_login_at');
