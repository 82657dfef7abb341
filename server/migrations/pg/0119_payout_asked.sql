-- what a call asked for that said what became of it, as a digest: the same again is answered as the first time
alter table payout add column asked text;
