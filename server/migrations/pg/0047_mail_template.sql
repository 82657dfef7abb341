-- The network's own words for a message; without a row the usual ones hold.
create table mail_template (
  event       text not null,
  language    text not null,
  subject     text not null,
  body        text not null,
  version     integer not null default 1,
  updated_at  timestamptz not null,
  primary key (event, language)
);
