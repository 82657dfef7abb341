-- A landing counts its versions as people do. What a look at its address finds is no edit: it must not refuse a form that stands open.
alter table landing add version integer not null default 1;
alter table landing drop column updated_at;

create trigger landing_version before update on landing for each row
  when ((old.name, old.url, old.type, old.language, old.tags, old.privacy, old.affiliate_ids, old.advertiser_id, old.status, old.notes, old.preview)
        is distinct from
        (new.name, new.url, new.type, new.language, new.tags, new.privacy, new.affiliate_ids, new.advertiser_id, new.status, new.notes, new.preview))
  execute function next_version();
