-- Pictures that people upload; their bytes lie in the data folder under files/.
create table file (
  uuid          uuid primary key,
  -- what it is for, which is the table of its owner
  kind          text not null,
  content_type  text not null,
  size          integer not null,
  sha256        text not null,
  width         integer not null,
  height        integer not null,
  -- the row that shows it
  owner_id      integer,
  -- null while it has an owner; what has none for a day is deleted
  unowned_since timestamptz,
  created_by    integer not null references account (id),
  created_at    timestamptz not null,
  constraint file_kind_known check (kind in ('landing')),
  constraint file_owned_or_not check ((owner_id is null) <> (unowned_since is null))
);
create index file_owner on file (kind, owner_id);
create index file_unowned on file (unowned_since) where unowned_since is not null;
