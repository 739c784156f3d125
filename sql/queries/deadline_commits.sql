-- name: branches
-- The tracked branches of a repository on which this round's mark is not settled.
SELECT DISTINCT tracked.name AS branch FROM deadline_commits_due due
JOIN enrolments e USING (account_id, project_id, repository_id)
JOIN projects p ON (p.account_id, p.id) = (due.account_id, due.project_id)
JOIN repositories r ON (r.account_id, r.id) = (due.account_id, due.repository_id)
CROSS JOIN LATERAL unnest(tracked_branches(p.branches, r.default_branch)) AS tracked (name)
WHERE due.account_id = $1 AND due.project_id = $2 AND due.repository_id = $3
    AND NOT EXISTS (
        SELECT FROM deadline_commits d
        WHERE (d.account_id, d.project_id, d.repository_id, d.branch, d.round)
            = (due.account_id, due.project_id, due.repository_id, tracked.name, e.round) AND d.settled_at IS NOT NULL)
ORDER BY tracked.name;

-- name: mark
-- The mark of one branch as it stands at this instant; no row where it is no longer due.
SELECT due.account_id, due.project_id, due.repository_id, $4::text AS branch, e.round, p.course_id, p.slug, c.timezone,
    e.effective_at, p.branches = '{}' AS by_default, d.sha, d.parent_sha
FROM deadline_commits_due due
JOIN enrolments e USING (account_id, project_id, repository_id)
JOIN projects p ON (p.account_id, p.id) = (due.account_id, due.project_id)
JOIN courses c ON (c.account_id, c.id) = (p.account_id, p.course_id)
LEFT JOIN deadline_commits d ON (d.account_id, d.project_id, d.repository_id, d.branch, d.round)
    = (due.account_id, due.project_id, due.repository_id, $4, e.round)
WHERE due.account_id = $1 AND due.project_id = $2 AND due.repository_id = $3 AND d.settled_at IS NULL;

-- name: still_due
-- The repository under its row lock, still in that round: a reopen just before is seen, and one just after waits.
SELECT true FROM enrolments
WHERE account_id = $1 AND project_id = $2 AND repository_id = $3 AND round = $4
    AND deadline_applied_at IS NOT NULL AND withdrawn_at IS NULL
FOR NO KEY UPDATE;

-- name: record
-- A commit was made for this branch, in the place of one that never reached it; no ref has moved to it.
WITH made AS (
    INSERT INTO bot_commits (account_id, repository_id, sha, made_at) VALUES ($1, $3, $6, $8)
    -- GitHub gives the same content made in the same second the same name.
    ON CONFLICT DO NOTHING
)
INSERT INTO deadline_commits (account_id, project_id, repository_id, branch, round, sha, parent_sha)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (account_id, project_id, repository_id, branch, round)
DO UPDATE SET sha = excluded.sha, parent_sha = excluded.parent_sha WHERE deadline_commits.settled_at IS NULL;

-- name: settle
-- The fact: the branch carries the mark, or there is no such branch. A row only the first time.
INSERT INTO deadline_commits (account_id, project_id, repository_id, branch, round, outcome, settled_at)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (account_id, project_id, repository_id, branch, round)
DO UPDATE SET outcome = excluded.outcome, settled_at = excluded.settled_at, refused = NULL
WHERE deadline_commits.settled_at IS NULL
RETURNING sha;

-- name: refuse
-- GitHub would not let the branch move: tried again at once the first time, then later each time, up to an hour. `news`:
-- it said something else before.
WITH before AS (
    SELECT refused FROM deadline_commits
    WHERE account_id = $1 AND project_id = $2 AND repository_id = $3 AND branch = $4 AND round = $5
), refusal AS (
    INSERT INTO deadline_commits (account_id, project_id, repository_id, branch, round, refused, refusals)
    VALUES ($1, $2, $3, $4, $5, $6, 1)
    ON CONFLICT (account_id, project_id, repository_id, branch, round)
    DO UPDATE SET refused = excluded.refused, refusals = deadline_commits.refusals + 1
    WHERE deadline_commits.settled_at IS NULL
    RETURNING refused, refusals
), later AS (
    UPDATE enrolments e
    SET deadline_commit_due_at = now() + make_interval(secs => least(3600, 30 * (2 ^ least(refusal.refusals - 1, 7) - 1)))
    FROM refusal WHERE e.account_id = $1 AND e.project_id = $2 AND e.repository_id = $3 AND e.round = $5
)
SELECT refusal.refused IS DISTINCT FROM (SELECT refused FROM before) AS news FROM refusal;

-- name: finish
-- Each tracked branch of the repository is settled in the round that it is in.
UPDATE enrolments e SET deadline_committed_at = $4, deadline_commit_due_at = NULL
FROM projects p, repositories r
WHERE (p.account_id, p.id) = (e.account_id, e.project_id) AND (r.account_id, r.id) = (e.account_id, e.repository_id)
    AND e.account_id = $1 AND e.project_id = $2 AND e.repository_id = $3
    AND e.deadline_applied_at IS NOT NULL AND e.deadline_committed_at IS NULL
    AND NOT EXISTS (
        SELECT FROM unnest(tracked_branches(p.branches, r.default_branch)) AS tracked (name)
        WHERE NOT EXISTS (
            SELECT FROM deadline_commits d
            WHERE (d.account_id, d.project_id, d.repository_id, d.branch, d.round)
                = (e.account_id, e.project_id, e.repository_id, tracked.name, e.round) AND d.settled_at IS NOT NULL));
