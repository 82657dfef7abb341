-- How many rows of a batch differ, kept when they are written: to list fifty batches their rows, up to a hundred thousand each, were counted.
alter table reconciliation add column differing integer not null default 0;
update reconciliation b set differing = r.rows
  from (select batch_id, count(*) as rows from reconciliation_row where cause is not null group by batch_id) r where r.batch_id = b.id;
