-- Which push followed another is looked up for each head that may be the newest: without an index each look was a walk
-- through all pushes of the branch, and a deadline over a thousand busy repositories cost minutes.

CREATE INDEX receipts_by_before ON receipts (account_id, repository_id, ref, before_sha);
