-- the log of one webhook, the newest first; what of it waits or was given up
create index webhook_delivery_log on webhook_delivery (webhook_id, id desc);
create index webhook_delivery_open on webhook_delivery (webhook_id, state) where state in ('held', 'dead');
