-- name: write
-- Words to be posted, in the transaction that makes them true; the same mark is written once.
INSERT INTO outbox (account_id, kind, mark, repository_id, issue_number, comment_id, body, written_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (account_id, mark) DO NOTHING;

-- name: claim
-- Take words to be posted, oldest first.
UPDATE outbox SET leased_at = clock_timestamp(), leased_by = $1
WHERE (account_id, id) IN (
    SELECT account_id, id FROM outbox
    WHERE posted_at IS NULL AND given_up IS NULL AND due_at <= now() AND lease_free(leased_at, leased_by, $2)
    ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
RETURNING account_id, id AS key, leased_at AS token;

-- name: by_id
-- What is to be said and where; `absent` says whether a first try lies more than a minute back.
SELECT account_id, id, kind, mark, repository_id, issue_number, comment_id, body, written_at, tried_at, attempts,
    tried_at < now() - interval '1 minute' AS settled, task_ids
FROM outbox WHERE account_id = $1 AND id = $2 AND posted_at IS NULL AND given_up IS NULL;

-- name: trying
-- Written before the call: if its answer is lost, the next try looks for the mark first.
UPDATE outbox SET tried_at = now() WHERE account_id = $1 AND id = $2;

-- name: not_tried
-- The call was certainly not carried out: the next try need not look for the mark.
UPDATE outbox SET tried_at = NULL WHERE account_id = $1 AND id = $2;

-- name: posted
-- GitHub holds it.
UPDATE outbox SET posted_at = app_now(), posted_id = $3 WHERE account_id = $1 AND id = $2;

-- name: give_up
-- It can never be posted there; the reason stays with the words.
UPDATE outbox SET given_up = $3 WHERE account_id = $1 AND id = $2;
