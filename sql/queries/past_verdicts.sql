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
-- What was said of commits ($3, received at $4 until now and at $5 as we know now) that change sides, and what the freeze
-- had settled by it.
INSERT INTO past_verdicts (account_id, project_id, repository_id, round, sha, received_at, deadline_at, late, submission,
    replaced_at, reason)
SELECT e.account_id, e.project_id, e.repository_id, e.round, said.sha, said.received_at, e.effective_at,
    said.received_at > e.effective_at, said.sha IS NOT DISTINCT FROM e.submission_sha, $6, $7
FROM enrolments e
JOIN projects p ON (p.account_id, p.id) = (e.account_id, e.project_id) AND p.state <> 'draft'
CROSS JOIN LATERAL (
    SELECT found.sha, found.was AS received_at FROM unnest($3::text[], $4::timestamptz[], $5::timestamptz[]) AS found (sha, was, becomes)
    WHERE found.was > e.effective_at AND found.becomes <= e.effective_at
    UNION SELECT e.submission_sha, e.submission_at FROM unnest($4::timestamptz[], $5::timestamptz[]) AS found (was, becomes)
    WHERE e.frozen_at IS NOT NULL AND e.submission_sha IS NOT NULL AND found.becomes <= e.effective_at
        AND (found.was IS NULL OR found.was > e.effective_at)
) AS said
WHERE e.account_id = $1 AND e.repository_id = $2 AND e.withdrawn_at IS NULL
ORDER BY e.project_id, said.received_at, said.sha;
