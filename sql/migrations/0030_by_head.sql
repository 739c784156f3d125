-- Which push followed another, and what is known of a head, is looked up for each head and each run: without an index each
-- look was a walk through all pushes or runs of the repository, and a deadline over a thousand busy ones cost minutes.

CREATE INDEX receipts_by_before ON receipts (account_id, repository_id, ref, before_sha);
-- And the heads that a run or a check speaks of, whatever their branch.
CREATE INDEX receipts_by_head ON receipts (account_id, repository_id, head_sha);
CREATE INDEX runs_by_head ON runs (account_id, repository_id, head_sha);
