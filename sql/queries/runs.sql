-- name: record
-- A run as an event tells it, in any order: an attempt that has completed stays so. A completed one of a repository
-- of ours is to be read.
INSERT INTO runs (account_id, repository_id, run_id, attempt, check_suite_id, workflow, event, head_branch, head_sha,
    display_title, actor_id, status, conclusion, created_at, started_at, completed_at, read_due_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
    CASE WHEN $12 = 'completed' AND EXISTS (SELECT FROM repositories WHERE account_id = $1 AND id = $2) THEN now() END)
ON CONFLICT (account_id, repository_id, run_id, attempt) DO UPDATE SET
    status = excluded.status, conclusion = excluded.conclusion, completed_at = excluded.completed_at,
    display_title = coalesce(nullif(excluded.display_title, ''), runs.display_title),
    started_at = coalesce(excluded.started_at, runs.started_at), read_due_at = excluded.read_due_at
WHERE runs.status <> 'completed'
RETURNING id;

-- name: completed_of
-- Which of these attempts are known to have completed.
SELECT run_id, attempt FROM runs
WHERE account_id = $1 AND repository_id = $2 AND status = 'completed'
    AND (run_id, attempt) IN (SELECT * FROM unnest($3::bigint[], $4::integer[]));

-- name: claim_reads
-- Take completed runs whose annotations are to be read.
UPDATE runs SET leased_at = clock_timestamp(), leased_by = $1
WHERE (account_id, id) IN (
    SELECT account_id, id FROM runs
    WHERE read_due_at <= now() AND lease_free(leased_at, leased_by, $2)
    ORDER BY read_due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
RETURNING account_id, id AS key, leased_at AS token;

-- name: by_id
-- One attempt of one run.
SELECT account_id, id, repository_id, run_id, attempt, check_suite_id FROM runs WHERE account_id = $1 AND id = $2;

-- name: score
-- What its annotations said.
UPDATE runs SET points = $3, max_points = $4, score_status = $5, score_detail = $6, read_due_at = NULL
WHERE account_id = $1 AND id = $2 RETURNING repository_id;

-- name: due_again
-- Completed runs that came before their repository was ours.
UPDATE runs SET read_due_at = now()
WHERE account_id = $1 AND repository_id = ANY ($2::bigint[]) AND status = 'completed' AND score_status IS NULL
    AND read_due_at IS NULL;
