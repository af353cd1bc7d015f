-- Checksums of rows that tell what nothing else in the ledger does, so that a bit which flips inside a value is found.
-- Kept by `ledger/row_checksums`, which seals the rows of before once these columns are there. A later migration that
-- gives one of these tables another column sets its checksums to null: then its rows are sealed anew.
ALTER TABLE installations ADD COLUMN checksum INTEGER /* CRC-32 of the row's other values: tells whether they are still those that were written */;
ALTER TABLE sessions ADD COLUMN checksum INTEGER /* CRC-32 of the row's other values: tells whether they are still those that were written */;
ALTER TABLE session_versions ADD COLUMN checksum INTEGER /* CRC-32 of the row's other values: tells whether they are still those that were written */;
ALTER TABLE session_ids ADD COLUMN checksum INTEGER /* CRC-32 of the row's other values: tells whether they are still those that were written */;
ALTER TABLE cron_runs ADD COLUMN checksum INTEGER /* CRC-32 of the row's other values: tells whether they are still those that were written */;
ALTER TABLE sync_events ADD COLUMN checksum INTEGER /* CRC-32 of the row's other values: tells whether they are still those that were written */;
ALTER TABLE job_runs ADD COLUMN checksum INTEGER /* CRC-32 of the row's other values: tells whether they are still those that were written */;
ALTER TABLE tombstones ADD COLUMN checksum INTEGER /* CRC-32 of the row's other values: tells whether they are still those that were written */;
ALTER TABLE pins ADD COLUMN checksum INTEGER /* CRC-32 of the row's other values: tells whether they are still those that were written */;
ALTER TABLE _hash_key ADD COLUMN checksum INTEGER /* CRC-32 of the row's other values: tells whether they are still those that were written */;
ALTER TABLE _kept_out ADD COLUMN checksum INTEGER /* CRC-32 of the row's other values: tells whether they are still those that were written */;
ALTER TABLE _cut_results ADD COLUMN checksum INTEGER /* CRC-32 of the row's other values: tells whether they are still those that were written */;
ALTER TABLE _tails ADD COLUMN checksum INTEGER /* CRC-32 of the row's other values: tells whether they are still those that were written */;
ALTER TABLE transcripts ADD COLUMN checksum INTEGER /* the same of those values that an appended line does not change */;
