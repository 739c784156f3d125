-- name: record
-- One change, with what takes it back; of the course itself where $3 is null.
INSERT INTO changes (account_id, course_id, project_id, comment_id, issue_number, command, line, inverse, made_by,
    made_by_login, made_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11);

-- name: last
-- The change that an undo in this issue is about: the last one of its project ($3), or of the course where it has none,
-- or written in it, so that what was answered here can be taken back here.
SELECT account_id, id, command, line, inverse, made_by_login FROM changes
WHERE account_id = $1 AND (project_id = $3 OR (course_id = $2 AND (
    issue_number = $4 OR (project_id IS NULL AND $3::bigint IS NULL))))
ORDER BY id DESC LIMIT 1;

-- name: undone
-- It was taken back.
UPDATE changes SET undone_at = $3 WHERE account_id = $1 AND id = $2 AND undone_at IS NULL;
