-- Where the person of a product test would have gone on is kept without what signs them in. Tests of before held it as it came,
-- in their calls too: what they came to stays, what was said is dropped.
UPDATE product_test SET redirect = '', calls = '[]' WHERE redirect <> '' OR outcome = 'accepted';
