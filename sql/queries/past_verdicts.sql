-- name: keep
-- What was said by the deadlines that were $4 and is no more: commits that change sides, and what the freeze had settled.
INSERT INTO past_verdicts (account_id, project_id, repository_id, round, sha, received_at, deadline_at, late, submission,
    replaced_at, comment_id, replaced_by, replaced_by_login, reason)
SELECT e.account_id, e.project_id, e.repository_id, e.round, said.sha, said.received_at, was.effective_at,
    said.received_at > was.effective_at, said.sha IS NOT DISTINCT FROM e.submission_sha, $5, $6, $7, $8, $9
FROM unnest($3::bigint[], $4::timestamptz[]) AS was (repository_id, effective_at)
JOIN enrolments e ON e.account_id = $1 AND e.project_id = $2 AND e.repository_id = was.repository_id
JOIN projects p ON (p.account_id, p.id) = (e.account_id, e.project_id) AND p.state <> 'draft'
CROSS JOIN LATERAL (
    SELECT c.head_sha AS sha, min(c.received_at) AS received_at FROM eligible_commits c
    WHERE (c.account_id, c.project_id, c.repository_id) = (e.account_id, e.project_id, e.repository_id) GROUP BY c.head_sha
    UNION SELECT e.submission_sha, e.submission_at WHERE e.submission_sha IS NOT NULL
) AS said
WHERE was.effective_at <> e.effective_at
    AND (said.sha = e.submission_sha OR (said.received_at > was.effective_at) <> (said.received_at > e.effective_at))
ORDER BY e.repository_id, said.received_at, said.sha;

-- name: keep_of_evidence
-- What was said of commits ($3, received at $4 until now and at $5 as we know now) that change sides, and the submissions
-- that were settled until now ($9, received at $10) in the projects $8.
INSERT INTO past_verdicts (account_id, project_id, repository_id, round, sha, received_at, deadline_at, late, submission,
    replaced_at, reason)
SELECT e.account_id, e.project_id, e.repository_id, e.round, said.sha, said.received_at, e.effective_at,
    said.received_at > e.effective_at, said.submission, $6, $7
FROM enrolments e
JOIN projects p ON (p.account_id, p.id) = (e.account_id, e.project_id) AND p.state <> 'draft'
CROSS JOIN LATERAL (
    SELECT found.sha, found.was AS received_at, false AS submission
    FROM unnest($3::text[], $4::timestamptz[], $5::timestamptz[]) AS found (sha, was, becomes)
    WHERE found.was > e.effective_at AND found.becomes <= e.effective_at
        AND EXISTS (SELECT FROM eligible_commits c WHERE c.head_sha = found.sha
            AND (c.account_id, c.project_id, c.repository_id) = (e.account_id, e.project_id, e.repository_id))
    UNION ALL
    SELECT stood.sha, stood.received_at, true
    FROM unnest($8::bigint[], $9::text[], $10::timestamptz[]) AS stood (project_id, sha, received_at)
    WHERE stood.project_id = e.project_id AND stood.sha IS NOT NULL
) AS said
WHERE e.account_id = $1 AND e.repository_id = $2 AND e.withdrawn_at IS NULL
ORDER BY e.project_id, said.received_at, said.sha;
