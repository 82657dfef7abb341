-- Statements list what arrived and came back by the books.
create index ledger_transfer_payment on ledger_transfer (payment_id) where payment_id is not null;
