-- name: due
-- The check of a pushed head may say something else now: for each project that the repository works for. What GitHub's
-- activity tells of the time before the project gets no check, where none is shown.
INSERT INTO checks (account_id, repository_id, project_id, head_sha, due_at)
SELECT e.account_id, e.repository_id, e.project_id, heads.head_sha, now()
FROM (
    SELECT head_sha, min(received_at) AS received_at, bool_or(guid IS NOT NULL) AS told FROM receipts
    WHERE account_id = $1 AND repository_id = $2 AND head_sha = ANY ($3::text[]) GROUP BY head_sha
) AS heads
JOIN enrolments e ON e.account_id = $1 AND e.repository_id = $2 AND e.withdrawn_at IS NULL
JOIN projects p ON (p.account_id, p.id) = (e.account_id, e.project_id)
JOIN courses c ON (c.account_id, c.id) = (p.account_id, p.course_id)
WHERE p.state IN ('open', 'closed') AND p.archived_at IS NULL AND c.mode = 'active'
    AND (heads.told OR heads.received_at >= p.published_at OR EXISTS (SELECT FROM checks k
        WHERE (k.account_id, k.repository_id, k.project_id, k.head_sha) = ($1, $2, e.project_id, heads.head_sha)))
ORDER BY e.project_id, e.repository_id, heads.head_sha
ON CONFLICT (account_id, repository_id, project_id, head_sha) DO UPDATE SET due_at = now(), given_up = NULL;

-- name: due_of_repositories
-- What was said on the newest head, on the newest that is not our own commit, and on the submission of these
-- repositories may have become untrue; $2 is one project, or null for all of theirs.
INSERT INTO checks (account_id, repository_id, project_id, head_sha, due_at)
SELECT e.account_id, e.repository_id, e.project_id, heads.head_sha, now()
FROM enrolments e
JOIN projects p ON (p.account_id, p.id) = (e.account_id, e.project_id)
JOIN courses c ON (c.account_id, c.id) = (p.account_id, p.course_id)
JOIN repositories r ON (r.account_id, r.id) = (e.account_id, e.repository_id)
CROSS JOIN LATERAL (
    SELECT newest.head_sha
    FROM unnest(tracked_branches(p.branches, r.default_branch)) AS branch
    CROSS JOIN LATERAL (
        (SELECT n.head_sha FROM receipts n
        WHERE (n.account_id, n.repository_id, n.ref) = (e.account_id, e.repository_id, 'refs/heads/' || branch)
        ORDER BY n.received_at DESC, followed(n), n.arrived_at DESC LIMIT 1)
        UNION ALL
        (SELECT n.head_sha FROM receipts n
        WHERE (n.account_id, n.repository_id, n.ref) = (e.account_id, e.repository_id, 'refs/heads/' || branch)
            AND n.pusher <> 'app'
        ORDER BY n.received_at DESC, followed(n), n.arrived_at DESC LIMIT 1)
    ) AS newest
    UNION SELECT e.submission_sha WHERE e.submission_sha IS NOT NULL
) AS heads
WHERE e.account_id = $1 AND ($2::bigint IS NULL OR e.project_id = $2) AND e.repository_id = ANY ($3::bigint[]) AND e.withdrawn_at IS NULL
    AND p.state IN ('open', 'closed') AND p.archived_at IS NULL AND c.mode = 'active'
-- In one order, so that two that speak of the same checks at once never wait for each other.
ORDER BY e.project_id, e.repository_id, heads.head_sha
ON CONFLICT (account_id, repository_id, project_id, head_sha) DO UPDATE SET due_at = now(), given_up = NULL;

-- name: due_of_moved
-- Deadlines that were $4 moved: what was said on each commit between then and now, and on what counted until now, has
-- become untrue, and every check that is shown names the deadline.
INSERT INTO checks (account_id, repository_id, project_id, head_sha, due_at)
SELECT e.account_id, e.repository_id, e.project_id, heads.head_sha, now()
FROM unnest($3::bigint[], $4::timestamptz[], $5::text[]) AS was (repository_id, effective_at, submission_sha)
JOIN enrolments e ON e.account_id = $1 AND e.project_id = $2 AND e.repository_id = was.repository_id AND e.withdrawn_at IS NULL
JOIN projects p ON (p.account_id, p.id) = (e.account_id, e.project_id)
JOIN courses c ON (c.account_id, c.id) = (p.account_id, p.course_id)
CROSS JOIN LATERAL (
    SELECT h.head_sha FROM receipts h
    WHERE h.account_id = e.account_id AND h.repository_id = e.repository_id
        AND h.received_at > least(was.effective_at, e.effective_at)
        AND h.received_at <= greatest(was.effective_at, e.effective_at)
    UNION SELECT was.submission_sha WHERE was.submission_sha IS NOT NULL
    UNION SELECT k.head_sha FROM checks k WHERE k.posted_at IS NOT NULL AND was.effective_at <> e.effective_at
        AND (k.account_id, k.project_id, k.repository_id) = (e.account_id, e.project_id, e.repository_id)
) AS heads
WHERE p.state IN ('open', 'closed') AND p.archived_at IS NULL AND c.mode = 'active'
ORDER BY e.project_id, e.repository_id, heads.head_sha
ON CONFLICT (account_id, repository_id, project_id, head_sha) DO UPDATE SET due_at = now(), given_up = NULL;

-- name: due_of_withdrawn
-- What was shown in these repositories must not go on saying that it counts; what was not shown need not be.
UPDATE checks SET due_at = CASE WHEN posted_at IS NOT NULL OR tried_at IS NOT NULL OR leased_at IS NOT NULL THEN now() END
WHERE account_id = $1 AND project_id = $2 AND repository_id = ANY ($3::bigint[]);

-- name: due_of_returned
-- Repositories take part again: whatever was shown there says nothing of them any more.
UPDATE checks k SET due_at = now(), given_up = NULL FROM projects p JOIN courses c ON (c.account_id, c.id) = (p.account_id, p.course_id)
WHERE k.account_id = $1 AND k.project_id = $2 AND k.repository_id = ANY ($3::bigint[]) AND (p.account_id, p.id) = (k.account_id, k.project_id)
    AND p.state IN ('open', 'closed') AND p.archived_at IS NULL AND c.mode = 'active';

-- name: unsay
-- The project is put back to a draft: what was to be shown and nobody has begun to show is not shown.
UPDATE checks SET due_at = NULL
WHERE account_id = $1 AND project_id = $2 AND posted_at IS NULL AND tried_at IS NULL AND leased_at IS NULL;

-- name: seen
-- How many commits of a project have a check that students may have seen.
SELECT count(*) FROM checks
WHERE account_id = $1 AND project_id = $2 AND (posted_at IS NOT NULL OR tried_at IS NOT NULL OR leased_at IS NOT NULL);

-- name: claim
-- Take checks to be shown, oldest first: what nobody has seen yet before what is said anew.
UPDATE checks SET leased_at = clock_timestamp(), leased_by = $1
WHERE (account_id, id) IN (
    SELECT account_id, id FROM checks
    WHERE due_at <= now() AND lease_free(leased_at, leased_by, $2)
    ORDER BY posted_at IS NOT NULL, due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
RETURNING account_id, id AS key, leased_at AS token;

-- name: facts
-- All that a check says of one head, as the rows are now.
SELECT k.repository_id, k.project_id, k.head_sha, k.check_run_id, k.said, k.tried_at, k.attempts, k.leased_at, p.slug, p.state,
    c.timezone, e.effective_at, p.grace_seconds, e.deadline_applied_at, e.frozen_at, e.submission_sha, e.submission_at,
    heard.received_at, heard.evidence, coalesce(heard.pusher, 'unknown') AS pusher, heard.tracked,
    coalesce(heard.unsettled, false) AS unsettled,
    r.locked_at IS NOT NULL AS locked, e.withdrawn_at IS NOT NULL AS withdrawn, p.grading <> 'none' AS graded, p.strategy = 'lock' AS locks,
    latest.head_sha AS latest_sha, latest.received_at AS latest_at
FROM checks k
JOIN enrolments e ON (e.account_id, e.project_id, e.repository_id) = (k.account_id, k.project_id, k.repository_id)
JOIN projects p ON (p.account_id, p.id) = (k.account_id, k.project_id)
JOIN courses c ON (c.account_id, c.id) = (p.account_id, p.course_id)
JOIN repositories r ON (r.account_id, r.id) = (k.account_id, k.repository_id)
CROSS JOIN LATERAL (
    SELECT array(SELECT 'refs/heads/' || b FROM unnest(tracked_branches(p.branches, r.default_branch)) AS b) AS refs
) AS counting
LEFT JOIN LATERAL (
    SELECT h.ref = ANY (counting.refs) AS tracked,
        -- A head that somebody else pushed first and a student pushed back to is a student's from then on.
        CASE WHEN h.pusher IN ('student', 'person') OR inside.received_at IS NULL THEN h.pusher ELSE 'student' END AS pusher,
        CASE WHEN h.pusher IN ('student', 'person') THEN least(h.received_at, inside.received_at)
            ELSE coalesce(inside.received_at, h.received_at) END AS received_at,
        CASE WHEN h.pusher NOT IN ('student', 'person') AND inside.received_at IS NOT NULL THEN NULL
            WHEN inside.received_at < h.received_at THEN 'inside' ELSE h.evidence END AS evidence,
        is_unsettled(h, e.effective_at) AND coalesce(inside.received_at > e.effective_at, true) AS unsettled
    FROM receipts h
    CROSS JOIN LATERAL (
        -- Everything reachable from a received head was received with it.
        SELECT min(came.received_at) AS received_at FROM commits_heard came
        WHERE (came.account_id, came.repository_id, came.sha) = (h.account_id, h.repository_id, h.head_sha)
            AND came.pusher IN ('student', 'person') AND came.ref = ANY (counting.refs)
    ) AS inside
    WHERE h.account_id = k.account_id AND h.repository_id = k.repository_id AND h.head_sha = k.head_sha
    ORDER BY tracked DESC, h.received_at LIMIT 1
) AS heard ON true
LEFT JOIN LATERAL (
    SELECT m.head_sha, m.received_at FROM eligible_commits m
    WHERE (m.account_id, m.project_id, m.repository_id) = (e.account_id, e.project_id, e.repository_id)
        AND m.received_at <= e.effective_at
    ORDER BY m.received_at DESC, m.followed, m.arrived_at DESC, m.head_sha LIMIT 1
) AS latest ON true
WHERE k.account_id = $1 AND k.id = $2;

-- name: trying
-- Written before the call: if its answer is lost, the next try looks for the check first.
UPDATE checks SET tried_at = now() WHERE account_id = $1 AND id = $2;

-- name: not_tried
-- The call was certainly not carried out: the next try need not look for what it made.
UPDATE checks SET tried_at = NULL WHERE account_id = $1 AND id = $2;

-- name: shown
-- GitHub shows it; what changed since it was taken stays due.
UPDATE checks SET check_run_id = $3, said = $4, posted_at = app_now(), attempts = 0,
    due_at = CASE WHEN due_at > leased_at THEN due_at END
WHERE account_id = $1 AND id = $2;

-- name: give_up
-- It cannot be shown there; the reason stays until there is something new to say.
UPDATE checks SET given_up = $3, due_at = NULL, attempts = attempts + 1 WHERE account_id = $1 AND id = $2;

-- name: refused
-- Where GitHub refuses a check of the project, and why; an archived repository is told of as such.
SELECT r.name, min(k.given_up) AS reason FROM checks k
JOIN repositories r ON (r.account_id, r.id) = (k.account_id, k.repository_id)
JOIN enrolments e ON (e.account_id, e.project_id, e.repository_id) = (k.account_id, k.project_id, k.repository_id)
WHERE k.account_id = $1 AND k.project_id = $2 AND k.given_up IS NOT NULL AND e.withdrawn_at IS NULL AND r.gone_at IS NULL
    AND r.lock_kind IS DISTINCT FROM 'archive'
GROUP BY r.name ORDER BY r.name;
