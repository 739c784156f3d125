-- name: elect
-- One process looks for what needs a person, the others leave it to that one; the index keeps it right either way.
SELECT pg_try_advisory_xact_lock(hashtext('tasks'));

-- name: open
-- A task for each cause that has none. When it is due and escalated follows from the course's settings as they are now.
-- What there is to tell is put together for these alone: of an outage that is a walk through all its repositories.
WITH missing AS MATERIALIZED (
    SELECT it.account_id, it.kind, it.course_id, it.project_id, it.repository_id, it.key
    FROM task_causes it
    WHERE NOT EXISTS (
        SELECT FROM tasks t WHERE t.cause_gone_at IS NULL
            AND (t.account_id, t.kind, t.project_id, t.key) = (it.account_id, it.kind, it.project_id, it.key)
            AND t.repository_id IS NOT DISTINCT FROM it.repository_id)
)
INSERT INTO tasks (account_id, kind, course_id, project_id, repository_id, key, detail, created_at, due_at, escalate_at)
SELECT it.account_id, it.kind, it.course_id, it.project_id, it.repository_id, it.key, it.detail, $1,
    later($1, c.task_due, c.timezone), later(later($1, c.task_due, c.timezone), c.escalate_after, c.timezone)
FROM missing
CROSS JOIN LATERAL (
    SELECT one.* FROM task_causes one
    WHERE (one.account_id, one.kind, one.project_id, one.key) = (missing.account_id, missing.kind, missing.project_id, missing.key)
        AND one.repository_id IS NOT DISTINCT FROM missing.repository_id
    OFFSET 0 -- Looked up one by one: joined, each would be put together once for each other.
) AS it
JOIN courses c ON (c.account_id, c.id) = (it.account_id, it.course_id)
ORDER BY it.account_id, it.project_id, it.repository_id
ON CONFLICT DO NOTHING;

-- name: close
-- Tasks whose cause is gone are over, whether or not a person has ended them before.
UPDATE tasks t SET cause_gone_at = $1, done_at = coalesce(t.done_at, $1), ended = coalesce(t.ended, 'gone')
WHERE t.cause_gone_at IS NULL AND t.kind IN ('not confirmed', 'to verify', 'weak lock', 'outage')
    AND NOT EXISTS (
        SELECT FROM task_causes it
        WHERE (it.account_id, it.kind, it.project_id, it.key) = (t.account_id, t.kind, t.project_id, t.key)
            AND it.repository_id IS NOT DISTINCT FROM t.repository_id);

-- name: retell
-- What is known of an outage of ours grows with its recovery, and shrinks with each extension that answers it.
WITH told AS (
    SELECT t.account_id, t.id, it.detail FROM tasks t
    CROSS JOIN LATERAL (
        SELECT one.detail FROM task_causes one
        WHERE (one.account_id, one.kind, one.project_id, one.key) = (t.account_id, t.kind, t.project_id, t.key)
        OFFSET 0 -- As in `open`.
    ) AS it
    WHERE t.kind = 'outage' AND t.key LIKE 'down %' AND t.done_at IS NULL
)
UPDATE tasks t SET detail = told.detail
FROM told WHERE (t.account_id, t.id) = (told.account_id, told.id) AND t.detail <> told.detail;

-- name: sweep
-- Remind and escalate what is overdue: the stamps and the words to be posted, both or neither.
SELECT sweep_overdue_tasks($1);

-- name: counts
-- How many tasks are open, by kind, for the metric.
SELECT kind, count(*) AS open FROM tasks WHERE done_at IS NULL GROUP BY kind;

-- name: list
-- Open tasks of a course (of one project, unless $3 is null), the oldest first.
SELECT t.account_id, t.id, t.kind, t.project_id, p.slug, p.issue_number, r.name AS repository, t.detail, t.addressee_kind,
    t.addressee, t.addressee_id, t.created_at, t.due_at, t.escalate_at, t.reminded_at, t.escalated_at
FROM tasks t
JOIN projects p ON (p.account_id, p.id) = (t.account_id, t.project_id)
LEFT JOIN repositories r ON (r.account_id, r.id) = (t.account_id, t.repository_id)
WHERE t.account_id = $1 AND t.course_id = $2 AND ($3::bigint IS NULL OR t.project_id = $3) AND t.done_at IS NULL
ORDER BY t.id;

-- name: some
-- Those of the given tasks that are still open.
SELECT t.account_id, t.id, t.kind, t.project_id, p.slug, p.issue_number, r.name AS repository, t.detail, t.addressee_kind,
    t.addressee, t.addressee_id, t.created_at, t.due_at, t.escalate_at, t.reminded_at, t.escalated_at
FROM tasks t
JOIN projects p ON (p.account_id, p.id) = (t.account_id, t.project_id)
LEFT JOIN repositories r ON (r.account_id, r.id) = (t.account_id, t.repository_id)
WHERE t.account_id = $1 AND t.id = ANY ($2::bigint[]) AND t.done_at IS NULL
ORDER BY t.id;

-- name: hold
-- A task of a course whose cause lasts, open or ended by a person, under its row lock.
SELECT t.account_id, t.id, t.kind, t.project_id, p.slug, p.issue_number, r.name AS repository, t.detail, t.addressee_kind,
    t.addressee, t.addressee_id, t.created_at, t.due_at, t.escalate_at, t.reminded_at, t.escalated_at, t.ended
FROM tasks t
JOIN projects p ON (p.account_id, p.id) = (t.account_id, t.project_id)
LEFT JOIN repositories r ON (r.account_id, r.id) = (t.account_id, t.repository_id)
WHERE t.account_id = $1 AND t.course_id = $2 AND t.id = $3 AND t.cause_gone_at IS NULL
FOR NO KEY UPDATE OF t;

-- name: put_back
-- A task stands as before: open again, or ended at $4 once more; its dates stay.
UPDATE tasks SET done_at = CASE WHEN $5::text IS NOT NULL THEN $4::timestamptz END, ended = $5, addressee_kind = $6,
    addressee = $7, addressee_id = $8
WHERE account_id = $1 AND course_id = $2 AND id = $3;

-- name: end
-- A person ends a task of their course; no row if it is not open (any more).
UPDATE tasks SET done_at = $4, ended = $5 WHERE account_id = $1 AND course_id = $2 AND id = $3 AND done_at IS NULL
RETURNING id;

-- name: assign
-- The task is one person's from now on; its dates stay.
UPDATE tasks SET addressee_kind = 'user', addressee = $5, addressee_id = $4
WHERE account_id = $1 AND course_id = $2 AND id = $3 AND done_at IS NULL
RETURNING id;
