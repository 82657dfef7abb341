-- When somebody who was erased had last complained, or wished no more of it: figures of second sales still count them.
alter table person_erasure add column complained_at timestamptz, add column opted_out_at timestamptz;
