-- name: record
-- A comment that holds commands, once; no row means that it is known.
INSERT INTO commands (account_id, comment_id, repository_id, issue_number, author_id, author_login, body, commented_at, heard_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING RETURNING comment_id;

-- name: claim
-- Take comments to be answered, in the order in which they were written; one at a time per issue, so that the second
-- command of a teacher sees what the first one did.
UPDATE commands SET leased_at = clock_timestamp(), leased_by = $1
WHERE (account_id, comment_id) IN (
    SELECT c.account_id, c.comment_id FROM commands c
    WHERE c.done_at IS NULL AND c.due_at <= now() AND lease_free(c.leased_at, c.leased_by, $2)
        AND NOT EXISTS (
            SELECT FROM commands earlier WHERE earlier.account_id = c.account_id
                AND earlier.repository_id = c.repository_id AND earlier.issue_number = c.issue_number
                AND earlier.done_at IS NULL AND earlier.comment_id < c.comment_id)
    ORDER BY c.comment_id LIMIT $3 FOR UPDATE SKIP LOCKED)
RETURNING account_id, comment_id AS key, leased_at AS token;

-- name: by_id
-- One comment as it was created.
SELECT account_id, comment_id, repository_id, issue_number, author_id, author_login, body, commented_at, heard_at
FROM commands WHERE account_id = $1 AND comment_id = $2 AND done_at IS NULL;

-- name: done
-- Answered, or given up with the reason: it never runs again.
UPDATE commands SET done_at = app_now(), outcome = $3 WHERE account_id = $1 AND comment_id = $2;

-- name: failed
-- One more fault of ours; how many there were.
UPDATE commands SET faults = faults + 1 WHERE account_id = $1 AND comment_id = $2 RETURNING faults;
