-- An affiliate moves to another address by a link mailed to it: the link keeps which.
alter table one_time_link add email text;
alter table one_time_link drop constraint one_time_link_purpose_known;
alter table one_time_link add constraint one_time_link_purpose_known
  check (purpose in ('set_password', 'setup', 'recovery', 'confirm_email', 'change_email'));
alter table one_time_link add constraint one_time_link_email_of_change check ((email is not null) = (purpose = 'change_email'));
