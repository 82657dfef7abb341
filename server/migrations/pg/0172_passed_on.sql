-- A send without an answer in time, of a place in an offer that says the next one is asked then: they may have the lead. Its places in
-- the caps stay taken until somebody else takes it.
ALTER TABLE lead_send ADD COLUMN passed_on boolean NOT NULL DEFAULT false;
