-- name: of_project
-- Where each repository of a project that can be reached stands, also one that was withdrawn: its deadline, the lock it
-- should have, what would count if it were settled now (chosen as `freeze` chooses), for which commit this round's review was asked, and
-- the staff's hand as far as it speaks of this project.
SELECT e.repository_id, r.name, e.effective_at, e.deadline_applied_at IS NOT NULL AS applied, r.wanted_lock, e.round,
    CASE WHEN e.frozen_at IS NOT NULL THEN e.submission_sha ELSE coalesce(run.head_sha, last_commit.head_sha) END AS counts_sha,
    asked.sha AS asked_sha,
    CASE WHEN r.staff_lock OR r.exempt_from = '{}' OR e.project_id = ANY (r.exempt_from) THEN r.staff_lock END AS staff_lock, e.withdrawn_at IS NOT NULL AS withdrawn
FROM enrolments e
JOIN repositories r ON (r.account_id, r.id) = (e.account_id, e.repository_id)
LEFT JOIN runs run ON run.account_id = e.account_id
    AND run.id = CASE WHEN e.deadline_applied_at IS NULL THEN e.current_run ELSE e.frozen_run END
LEFT JOIN LATERAL (
    SELECT c.head_sha FROM eligible_commits c
    WHERE (c.account_id, c.project_id, c.repository_id) = (e.account_id, e.project_id, e.repository_id)
        AND c.received_at <= e.effective_at
    ORDER BY c.received_at DESC, c.followed, c.arrived_at DESC, c.head_sha LIMIT 1
) AS last_commit ON true
LEFT JOIN dispatches asked ON asked.account_id = e.account_id AND asked.project_id = e.project_id
    AND asked.repository_id = e.repository_id AND asked.trigger = 'deadline' AND asked.round = e.round
    AND asked.voided_at IS NULL AND asked.outcome IS DISTINCT FROM 'given back'
WHERE e.account_id = $1 AND e.project_id = $2 AND r.gone_at IS NULL
ORDER BY r.name;

-- name: crossed
-- The commits whose verdict changes because the deadlines of their repositories were $4 and now are others: late is
-- strictly after, by the earliest receipt on a tracked branch.
SELECT c.repository_id, c.head_sha AS sha, min(c.received_at) AS received_at
FROM unnest($3::bigint[], $4::timestamptz[]) AS was (repository_id, effective_at)
JOIN enrolments e ON e.account_id = $1 AND e.project_id = $2 AND e.repository_id = was.repository_id AND e.withdrawn_at IS NULL
JOIN eligible_commits c ON (c.account_id, c.project_id, c.repository_id) = (e.account_id, e.project_id, e.repository_id)
GROUP BY c.repository_id, c.head_sha, was.effective_at, e.effective_at
HAVING (min(c.received_at) > was.effective_at) <> (min(c.received_at) > e.effective_at)
ORDER BY c.repository_id, min(c.received_at), c.head_sha;
