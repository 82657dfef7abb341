-- What a person said a word of an advertiser's system means, beside the versions, which never change; `applying`: leads wait for it.
alter table lead_word
  add column raw       text not null default '',
  add column meaning   text,
  add column mapped_at timestamptz,
  add column mapped_by integer references account (id) on delete set null,
  add column applying  boolean not null default false,
  add constraint lead_word_mapped check ((meaning is null) = (mapped_at is null));
create index lead_word_applying on lead_word (integration_id) where applying;
create index lead_word_mapped_by on lead_word (mapped_by) where mapped_by is not null;

-- The word as words are compared, of what nobody had mapped: by it the leads that wait are found.
alter table lead_status add column word text;
update lead_status set word = lower(raw) where status is null;
create index lead_status_word on lead_status (word, id) where status is null;
