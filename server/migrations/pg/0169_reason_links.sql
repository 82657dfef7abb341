-- Some systems say where the person goes on at the place where they say what is wrong: of leads they took, that link was kept as the reason.
-- It opens an account, so it stands sealed in `redirect` alone.
update lead_send set reason = '' where outcome = 'accepted' and reason ~* 'https?://';
