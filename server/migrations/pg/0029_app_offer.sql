-- Offers that lead to apps: their address may be one of a shop of apps and take device ids along.
alter table offer add column app_links boolean not null default false;
