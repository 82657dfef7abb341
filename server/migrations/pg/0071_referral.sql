-- By what others sign up as somebody's referral: a code that is made (12 hexadecimal digits), and one that may be chosen once.
-- Nobody may choose what looks like a made one, so that the two never meet. Both go on working.
alter table affiliate
  add column referral_code text not null default substr(replace(gen_random_uuid()::text, '-', ''), 21, 12) unique,
  add column chosen_code text unique check (chosen_code ~ '^[a-z0-9]{4,20}$' and chosen_code !~ '^[0-9a-f]{12}$');

-- Who brought whom, with the terms that held at the sign-up.
create table referral (
  affiliate_id integer primary key references affiliate (id) on delete cascade,
  referrer_id  integer not null references affiliate (id) on delete cascade,
  code         text not null,
  percent      numeric(8, 4) not null,
  months       integer not null check (months > 0),
  created_at   timestamptz not null,
  check (affiliate_id <> referrer_id)
);
create index referral_of on referral (referrer_id, affiliate_id);
