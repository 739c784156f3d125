-- name: mark
-- Have the latest runs read of each repository where news may be missing, a hundred of an organisation every 20 s: a
-- large one leaves other reads their part of GitHub's budget. What is still due from the last time stays as it is.
INSERT INTO reconciliations (account_id, repository_id, due_at)
SELECT account_id, repository_id, now() + interval '20 seconds' * (
    (row_number() OVER (PARTITION BY account_id ORDER BY repository_id) - 1) / 100)
FROM repositories_to_reconcile($1)
ORDER BY account_id, repository_id
ON CONFLICT (account_id, repository_id) DO UPDATE SET due_at = excluded.due_at WHERE reconciliations.due_at IS NULL
RETURNING repository_id;

-- name: claim
-- Take repositories whose runs are to be read, oldest first.
UPDATE reconciliations SET leased_at = clock_timestamp(), leased_by = $1
WHERE (account_id, repository_id) IN (
    SELECT account_id, repository_id FROM reconciliations
    WHERE due_at <= now() AND lease_free(leased_at, leased_by, $2)
    ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
RETURNING account_id, repository_id AS key, leased_at AS token;

-- name: still_wanted
-- Whether it is to be read yet: it may have waited for an hour.
SELECT EXISTS (SELECT FROM repositories_to_reconcile($3) WHERE account_id = $1 AND repository_id = $2);

-- name: done
-- It was read, or is to be read no more.
UPDATE reconciliations SET due_at = NULL, attempts = 0 WHERE account_id = $1 AND repository_id = $2;
