-- What a click's panel and a conversion's page ask for: the calls that named a click, refused ones too. They read the whole table.
create index postback_in_click on postback_in (click_id);
