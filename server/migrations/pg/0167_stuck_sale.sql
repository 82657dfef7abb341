-- It is money whatever the word says: a list told so by an amount or a flag beside it. Done anew by the word alone it would book nothing.
alter table stuck_status add column sale boolean not null default false;
