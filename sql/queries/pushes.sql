-- name: parts
-- What a push is judged by, for each part that these repositories ($2) have in one project ($3), or with null in all
-- that students may know of. What counts is chosen as `freeze` chooses.
SELECT e.project_id, e.repository_id, r.name AS repository, p.slug, p.state, c.timezone AS zone, e.effective_at,
    e.deadline_at IS NOT NULL AS own, p.grace_seconds, e.deadline_applied_at, e.frozen_at, counted.sha AS counts_sha,
    CASE WHEN e.frozen_at IS NOT NULL THEN e.submission_at ELSE (
        SELECT min(c.received_at) FROM eligible_commits c
        WHERE (c.account_id, c.project_id, c.repository_id) = (e.account_id, e.project_id, e.repository_id)
            AND c.head_sha = counted.sha) END AS counts_at,
    r.locked_at, r.gone_at, p.strategy = 'lock' AS locks
FROM enrolments e
JOIN projects p ON (p.account_id, p.id) = (e.account_id, e.project_id)
JOIN courses c ON (c.account_id, c.id) = (p.account_id, p.course_id)
JOIN repositories r ON (r.account_id, r.id) = (e.account_id, e.repository_id)
LEFT JOIN runs run ON run.account_id = e.account_id
    AND run.id = CASE WHEN e.deadline_applied_at IS NULL THEN e.current_run ELSE e.frozen_run END
LEFT JOIN LATERAL (
    SELECT c.head_sha FROM eligible_commits c
    WHERE (c.account_id, c.project_id, c.repository_id) = (e.account_id, e.project_id, e.repository_id)
        AND c.received_at <= e.effective_at
    ORDER BY c.received_at DESC, c.followed, c.arrived_at DESC, c.head_sha LIMIT 1
) AS last_commit ON true
CROSS JOIN LATERAL (
    SELECT CASE WHEN e.frozen_at IS NOT NULL THEN e.submission_sha ELSE coalesce(run.head_sha, last_commit.head_sha) END AS sha
) AS counted
WHERE e.account_id = $1 AND e.repository_id = ANY ($2::bigint[]) AND e.withdrawn_at IS NULL
    AND (e.project_id = $3 OR ($3::bigint IS NULL AND p.state <> 'draft' AND c.mode = 'active'))
ORDER BY r.name, e.effective_at, e.project_id;

-- name: heard
-- Each push of these repositories ($2) in order of time, as each of the projects ($3) sees it: every time that is held,
-- when its commit was first pushed by a student to a branch that counts (`first_at`), and what its receipt's verdict may still wait for. The
-- heads of graded runs that no push was heard of stand last, since nothing dates them. Among equal times the last is the
-- one that `freeze` takes.
WITH part AS (
    SELECT e.account_id, e.project_id, e.repository_id, p.workflow,
        array(SELECT 'refs/heads/' || branch FROM unnest(tracked_branches(p.branches, r.default_branch)) AS branch) AS refs
    FROM enrolments e
    JOIN projects p ON (p.account_id, p.id) = (e.account_id, e.project_id)
    JOIN repositories r ON (r.account_id, r.id) = (e.account_id, e.repository_id)
    WHERE e.account_id = $1 AND e.repository_id = ANY ($2::bigint[]) AND e.project_id = ANY ($3::bigint[])
)
SELECT part.project_id, part.repository_id, heard.ref, heard.sha, heard.told, heard.forced, heard.returned, heard.arrived_at,
    heard.claimed_at, heard.pushed_at, heard.logged_at, heard.activity_at, heard.received_at, heard.evidence, heard.login,
    heard.pusher, heard.receipt_at, heard.receipt_claimed_at, heard.settled, heard.ref = ANY (part.refs) AS tracked,
    (SELECT min(c.received_at) FROM commits_heard c WHERE c.account_id = part.account_id
        AND c.repository_id = part.repository_id AND c.sha = heard.sha AND c.ref = ANY (part.refs)
        AND c.pusher IN ('student', 'person')) AS first_at
FROM part
CROSS JOIN LATERAL (
    SELECT h.ref, h.head_sha AS sha, h.guid IS NOT NULL AS told, h.forced, false AS returned, h.arrived_at, h.claimed_at,
        h.pushed_at, h.logged_at, h.activity_at, h.received_at, h.evidence, h.sender_login AS login, h.pusher,
        h.received_at AS receipt_at, h.claimed_at AS receipt_claimed_at, is_settled(h) AS settled, followed(h) AS followed
    FROM receipts h
    WHERE h.account_id = part.account_id AND h.repository_id = part.repository_id
    UNION ALL
    SELECT b.ref, b.head_sha, b.guid IS NOT NULL, b.forced, true, b.arrived_at, b.claimed_at,
        b.pushed_at, b.logged_at, b.activity_at, b.received_at, b.evidence, b.sender_login, b.pusher,
        h.received_at, h.claimed_at, is_settled(h), false
    FROM returned_heads b
    JOIN receipts h ON (h.account_id, h.repository_id, h.ref, h.head_sha) = (b.account_id, b.repository_id, b.ref, b.head_sha)
    WHERE b.account_id = part.account_id AND b.repository_id = part.repository_id
    UNION ALL
    SELECT 'refs/heads/' || run.head_branch, run.head_sha, false, false, false, NULL, NULL,
        NULL, NULL, NULL, NULL, NULL, NULL, 'unknown',
        NULL, NULL, coalesce(bool_and(a.read_at >= run.created_at), false), false
    FROM runs run
    LEFT JOIN activities a ON (a.account_id, a.repository_id) = (run.account_id, run.repository_id)
    WHERE run.account_id = part.account_id AND run.repository_id = part.repository_id AND run.workflow = part.workflow
        AND run.event <> 'repository_dispatch' AND 'refs/heads/' || run.head_branch = ANY (part.refs)
        AND NOT EXISTS (SELECT FROM receipts h WHERE (h.account_id, h.repository_id, h.ref, h.head_sha)
            = (run.account_id, run.repository_id, 'refs/heads/' || run.head_branch, run.head_sha))
        AND NOT EXISTS (SELECT FROM bot_commits ours
            WHERE (ours.account_id, ours.repository_id, ours.sha) = (run.account_id, run.repository_id, run.head_sha))
    GROUP BY run.head_branch, run.head_sha
) AS heard
ORDER BY part.repository_id, part.project_id, heard.received_at, heard.followed DESC, heard.arrived_at, heard.sha DESC;

-- name: replaced
-- The verdicts of these repositories that a moved deadline or recovered evidence replaced, oldest first.
SELECT project_id, repository_id, sha, received_at, deadline_at, late, submission, replaced_at, replaced_by_login, reason
FROM past_verdicts
WHERE account_id = $1 AND repository_id = ANY ($2::bigint[]) AND project_id = ANY ($3::bigint[])
ORDER BY id;
