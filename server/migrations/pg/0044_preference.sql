-- How a person likes the panel to be (null: as it comes). Beside the account, whose version counts what others change of it.
create table preference (
  account_id     integer primary key references account (id),
  density        text not null,
  first_day      text,
  default_period text,
  home           text,
  updated_at     timestamptz not null,
  constraint preference_density_known check (density in ('comfortable', 'compact')),
  constraint preference_first_day_known check (first_day in ('monday', 'saturday', 'sunday'))
);
