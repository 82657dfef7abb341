-- How people were called in the platform they came from: staff find them by it.
alter table affiliate add column external_id text not null default '';
alter table advertiser add column external_id text not null default '';
