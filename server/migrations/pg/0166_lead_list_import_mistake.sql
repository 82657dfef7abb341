-- What is wrong with rows of files, a row each: kept in one value it was written anew with each part that was read.
create table lead_list_import_mistake (
  import_id bigint not null references lead_list_import (id) on delete cascade,
  row       integer not null,
  place     integer not null,
  field     text not null,
  code      text not null,
  primary key (import_id, row, place)
);
insert into lead_list_import_mistake
  select m.id, (e.mistake ->> 'row')::int, e.place, e.mistake ->> 'field', e.mistake ->> 'code'
    from lead_list_import m, jsonb_array_elements(m.mistakes) with ordinality as e (mistake, place);
alter table lead_list_import drop column mistakes;
