alter table recold
  -- of `fixed`: for each that brings money, in the offer's currency
  add column payout_amount numeric(26, 8),
  -- what it was said to bring when it was started
  add column projection jsonb,
  drop constraint recold_payout_known,
  add constraint recold_payout_known check (payout in ('none', 'fixed', 'original')),
  add constraint recold_payout_said check ((payout = 'fixed') = (payout_amount is not null));
drop trigger recold_counts on recold;
create trigger recold_counts before update on recold for each row execute function next_version(
  'updated_at', 'pause_reason', 'taken_item_id', 'next_place', 'last_send_at', 'rests_until', 'forecast', 'resumed_at', 'started_at', 'finished_at',
  'caps_from', 'status', 'team', 'projection');
