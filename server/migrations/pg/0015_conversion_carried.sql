-- What a conversion took along from its click beside the columns above, by the name of the click's column: a new column of
-- clicks that facts take over stands here and needs no migration.
alter table conversion add column carried jsonb not null default '{}';
