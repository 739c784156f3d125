-- name: due
-- GitHub's activity of these repositories is to be read, again if it is being read now.
INSERT INTO activities (account_id, repository_id, due_at)
SELECT $1, it, now() FROM unnest($2::bigint[]) AS it ORDER BY it
ON CONFLICT (account_id, repository_id) DO UPDATE SET due_at = now();

-- name: due_where_asked
-- The same where something is to be asked about.
INSERT INTO activities (account_id, repository_id, due_at)
SELECT DISTINCT q.account_id, q.repository_id, now() FROM open_questions q
WHERE q.account_id = $1 AND q.repository_id = ANY ($2::bigint[]) ORDER BY q.account_id, q.repository_id
ON CONFLICT (account_id, repository_id) DO UPDATE SET due_at = now();

-- name: due_of_deadlines
-- Two minutes after its deadline, or at the end of a shorter grace, each repository's activity is read once, so that no
-- push in time is missing at the freeze.
INSERT INTO activities (account_id, repository_id, due_at)
SELECT DISTINCT e.account_id, e.repository_id, now()
FROM enrolments e
JOIN projects p ON (p.account_id, p.id) = (e.account_id, e.project_id)
JOIN repositories r ON (r.account_id, r.id) = (e.account_id, e.repository_id)
LEFT JOIN activities a ON (a.account_id, a.repository_id) = (e.account_id, e.repository_id)
WHERE e.deadline_applied_at IS NOT NULL AND e.frozen_at IS NULL AND e.withdrawn_at IS NULL
    AND p.archived_at IS NULL AND r.gone_at IS NULL AND a.due_at IS NULL
    AND e.effective_at + make_interval(secs => least(p.grace_seconds, 120)) <= $1
    AND (a.read_at IS NULL OR a.read_at < e.effective_at + make_interval(secs => least(p.grace_seconds, 120)))
ORDER BY e.account_id, e.repository_id
ON CONFLICT (account_id, repository_id) DO UPDATE SET due_at = now() WHERE activities.due_at IS NULL;

-- name: claim
-- Take repositories whose activity is due; those whose freeze waits for it first.
UPDATE activities SET leased_at = clock_timestamp(), leased_by = $1
WHERE (account_id, repository_id) IN (
    SELECT account_id, repository_id FROM activities
    WHERE due_at <= now() AND lease_free(leased_at, leased_by, $2)
    ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
RETURNING account_id, repository_id AS key, leased_at AS token;

-- name: since
-- Course time when the last reading began, null before the first, and the entries that are known.
SELECT a.read_at, r.default_branch, array(
    SELECT activity_id FROM receipts WHERE account_id = $1 AND repository_id = $2 AND activity_id IS NOT NULL
    UNION ALL SELECT activity_id FROM returned_heads WHERE account_id = $1 AND repository_id = $2 AND activity_id IS NOT NULL) AS known
FROM activities a JOIN repositories r ON (r.account_id, r.id) = (a.account_id, a.repository_id)
WHERE a.account_id = $1 AND a.repository_id = $2;

-- name: asked
-- Pushes that GitHub does not list (yet), counted: after three times of asking, what the payload said is believed.
UPDATE receipts SET asked = asked + 1,
    pushed_at = CASE WHEN asked >= 2 AND claimed_at IS NOT NULL THEN coalesce(pushed_at,
        CASE WHEN claimed_at >= coalesce((SELECT min(b.received_at) FROM receipts b WHERE b.account_id = receipts.account_id
            AND b.repository_id = receipts.repository_id AND b.ref = receipts.ref AND b.head_sha = receipts.before_sha), '-infinity')
        THEN claimed_at END) ELSE pushed_at END
WHERE account_id = $1 AND repository_id = $2 AND activity_id IS NULL AND asked < 3
RETURNING ref, head_sha, asked;

-- name: read
-- Read as of $3 ($4: or why GitHub does not give it). What is still open is asked again in $5 seconds.
UPDATE activities a SET read_at = $3, refused = $4, attempts = 0,
    due_at = CASE
        WHEN due_at > leased_at THEN due_at
        WHEN $4::text IS NULL AND EXISTS (SELECT FROM open_questions q
            WHERE q.account_id = $1 AND q.repository_id = $2 AND q.why = 'unsettled') THEN now() + make_interval(secs => $5::float)
    END
WHERE a.account_id = $1 AND a.repository_id = $2;
