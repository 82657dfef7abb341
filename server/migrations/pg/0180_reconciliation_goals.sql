-- What the goals of a report are with us, said once for all its lines and kept for the next report.
update reconciliation set reading = reading || '{"goals": []}';
update report_reading set reading = reading || '{"goals": []}';
