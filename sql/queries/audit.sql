-- name: record
-- One event, as it happened.
INSERT INTO audit_log (account_id, at, actor_kind, actor_id, actor_login, action, course_id, project_id, repository_id, detail)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10);

-- name: record_each
-- The same event for each of several repositories of a project, each with its own detail.
INSERT INTO audit_log (account_id, at, actor_kind, actor_id, actor_login, action, project_id, repository_id, detail)
SELECT $1, $2, $3, $4, $5, $6, $7, each.repository_id, each.detail
FROM unnest($8::bigint[], $9::jsonb[]) AS each (repository_id, detail);
