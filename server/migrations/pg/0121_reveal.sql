-- Who looked at the contacts of a lead, when and why. What was shown stands nowhere but in the session, sealed.
create table lead_reveal (
  id         bigint generated always as identity primary key,
  session_id bigint not null references user_session (id),
  account_id integer not null references account (id),
  at         timestamptz not null,
  reason     text not null,
  note       text not null,
  constraint lead_reveal_reason_known check (reason in ('check', 'advertiser', 'affiliate', 'person', 'dispute', 'technical', 'other'))
);
create index lead_reveal_session on lead_reveal (session_id, id);
-- how many somebody looked at lately
create index lead_reveal_account on lead_reveal (account_id, at);
