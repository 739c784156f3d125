-- name: record
-- One change, with what takes it back.
INSERT INTO changes (account_id, project_id, comment_id, command, line, inverse, made_by, made_by_login, made_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9);

-- name: last
-- The last change of a project: the one that an undo is about.
SELECT account_id, id, command, line, inverse, made_by_login FROM changes
WHERE account_id = $1 AND project_id = $2 ORDER BY id DESC LIMIT 1;

-- name: undone
-- It was taken back.
UPDATE changes SET undone_at = $3 WHERE account_id = $1 AND id = $2 AND undone_at IS NULL;
