-- who said what a word in the files of an advertiser means; null = before anybody noted it, or somebody who is gone
alter table import_word add column account_id integer references account (id) on delete set null;
