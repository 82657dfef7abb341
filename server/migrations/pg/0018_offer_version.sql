-- An offer counts its versions as people do; where only its goals, payout rows or landings change, `updated_at` moves on.
alter table offer add version integer not null default 1;
-- pausing it, by hand or over its cap, must not refuse a form that stands open
create trigger offer_version before update on offer for each row execute function next_version('status', 'postback_token');
