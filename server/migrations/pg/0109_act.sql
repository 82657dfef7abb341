-- Whether both sides sign an act of services beside an affiliate's invoice (usual = as the company has it), and who signs it for the affiliate.
alter table tax_profile
  add column act text not null default 'usual' constraint tax_profile_act_known check (act in ('usual', 'yes', 'no')),
  add column act_post text not null default '',
  add column act_name text not null default '';
