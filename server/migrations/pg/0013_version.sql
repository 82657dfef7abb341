-- A form is refused when somebody saved in between: its record carries a version that counts by itself, whoever writes.

create function next_version() returns trigger language plpgsql as $$
begin
  new.version := old.version + 1;
  return new;
end $$;

alter table account add version integer not null default 1;
alter table manager add version integer not null default 1;
alter table affiliate add version integer not null default 1;
alter table advertiser add version integer not null default 1;

-- a sign-in changes an account too, but nothing that is edited
create trigger account_version before update on account for each row
  when ((old.role, old.email, old.name, old.time_zone) is distinct from (new.role, new.email, new.name, new.time_zone))
  execute function next_version();
create trigger manager_version before update on manager for each row when (old.* is distinct from new.*) execute function next_version();
create trigger affiliate_version before update on affiliate for each row when (old.* is distinct from new.*) execute function next_version();
create trigger advertiser_version before update on advertiser for each row when (old.* is distinct from new.*) execute function next_version();

-- What a record holds of a person is told in full, so that a form that changes nothing is no change in the log.
alter table manager alter contacts set default '{"skype": "", "telegram": "", "linkedin": ""}';
alter table affiliate alter contacts set default '{"skype": "", "telegram": "", "linkedin": ""}';
alter table advertiser
  alter contacts set default '{"skype": "", "telegram": "", "linkedin": ""}',
  alter company set default
    '{"name": "", "vat_id": "", "registration_number": "", "address": "", "city": "", "postal_code": "", "country": null}';
update manager set contacts = '{"skype": "", "telegram": "", "linkedin": ""}' || contacts;
update affiliate set contacts = '{"skype": "", "telegram": "", "linkedin": ""}' || contacts;
update advertiser
   set contacts = '{"skype": "", "telegram": "", "linkedin": ""}' || contacts,
       company = '{"name": "", "vat_id": "", "registration_number": "", "address": "", "city": "", "postal_code": "", "country": null}'
                 || company;
