-- Calls on other paths are kept as well where they may be money.
alter table postback_in add path text not null default '/postback';
