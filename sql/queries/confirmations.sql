-- name: ask
-- A previewed command waits for its code; no row means that the code was given out before.
INSERT INTO confirmations (account_id, repository_id, issue_number, comment_id, code, line, reading, fingerprint)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING RETURNING id;

-- name: waiting
-- The codes of an issue that can be confirmed now, and their lines.
SELECT code, line FROM confirmations
WHERE account_id = $1 AND repository_id = $2 AND issue_number = $3 AND used_at IS NULL
    AND asked_at > now() - make_interval(secs => $4);

-- name: use
-- Use a code up: once, in its own issue, in time. Of two at once the second finds it used.
UPDATE confirmations SET used_at = now(), used_by = $6
WHERE account_id = $1 AND repository_id = $2 AND issue_number = $3 AND code = $4 AND used_at IS NULL
    AND asked_at > now() - make_interval(secs => $5)
RETURNING line, reading, fingerprint;

-- name: find
-- What became of a code that cannot be used.
SELECT issue_number, used_at IS NOT NULL AS used FROM confirmations
WHERE account_id = $1 AND repository_id = $2 AND code = $3;
