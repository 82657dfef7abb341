-- The chain an affiliate can verify holds only what it is told: what happens to conversions of hidden goals that earn it nothing is
-- written down beside it. `seq` goes on numbering all entries, `chain_seq` those of the chain, without gaps. What was chained before stays.
alter table conversion_history add column chain_seq integer;
alter table conversion_history alter column hash drop not null;
alter table conversion_history disable trigger conversion_history_append_only;
update conversion_history set chain_seq = seq;
alter table conversion_history enable trigger conversion_history_append_only;
alter table conversion_history add constraint conversion_history_chained check ((chain_seq is null) = (hash is null));
create unique index conversion_history_chain on conversion_history (affiliate_id, chain_seq) where chain_seq is not null;

alter table history_head add column chain_seq integer not null default 0;
update history_head set chain_seq = seq;
alter table history_head alter column chain_seq drop default;
