-- What came declined never had a place in a cap: its first approval asks for one. Rows older than that rule claim theirs;
-- those that once held one, which their history tells, keep the claim.
update conversion c set within_cap = false
 where c.within_cap and c.status in ('declined', 'trash')
   and not exists (select from conversion_history h where h.conversion_id = c.id and h.to_status in ('pending', 'hold', 'approved'));
