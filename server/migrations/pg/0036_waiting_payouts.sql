-- What an affiliate waits for, by the day it is free, is on the first screen it opens: few of its conversions wait.
create index conversion_waiting on conversion (affiliate_id) where status in ('pending', 'hold');
