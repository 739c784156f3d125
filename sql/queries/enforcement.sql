-- name: claim
-- Take the right to do what the deadlines of a project ask of single repositories: locks of their own, and marks.
UPDATE projects p SET deadline_job_at = clock_timestamp(), deadline_job_by = $1
WHERE lease_free(p.deadline_job_at, p.deadline_job_by, $2)
    AND EXISTS (SELECT FROM installations i WHERE i.account_id = p.account_id AND i.state = 'active'
        AND (i.paused_until IS NULL OR i.paused_until <= now()))
    AND (p.account_id, p.id) IN (
        SELECT account_id, project_id FROM repository_locks_due
        UNION ALL SELECT account_id, project_id FROM deadline_commits_due WHERE coalesce(deadline_commit_due_at, '-infinity') <= now())
RETURNING p.account_id, p.id AS key, p.deadline_job_at AS token;

-- name: locks_due
-- The repositories of a project that a lock of their own is to close or to open.
SELECT repository_id FROM repository_locks_due WHERE account_id = $1 AND project_id = $2 ORDER BY repository_id;

-- name: marks_due
-- The repositories of a project whose deadline is to be marked on their branches.
SELECT repository_id FROM deadline_commits_due
WHERE account_id = $1 AND project_id = $2 AND coalesce(deadline_commit_due_at, '-infinity') <= now() ORDER BY repository_id;
