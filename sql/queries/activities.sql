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
-- Course time when the last reading began, null before the first; the entries that are known; who works there.
SELECT a.read_at, r.default_branch, array(
        SELECT activity_id FROM receipts WHERE account_id = $1 AND repository_id = $2 AND activity_id IS NOT NULL
        UNION ALL SELECT activity_id FROM returned_heads WHERE account_id = $1 AND repository_id = $2 AND activity_id IS NOT NULL
    ) AS known,
    array(SELECT s.user_id FROM students s WHERE s.account_id = $1 AND s.repository_id = $2) AS students
FROM activities a JOIN repositories r ON (r.account_id, r.id) = (a.account_id, a.repository_id)
WHERE a.account_id = $1 AND a.repository_id = $2;

-- name: asked
-- Pushes known before this reading began ($3) that GitHub does not list (yet), counted. After three times of asking what
-- the payload said is believed, unless it lies before the receipt of the commit that was there before.
WITH unlisted AS (
    SELECT r.ref, r.head_sha, r.received_at, CASE WHEN r.asked = 2 AND r.claimed_at >= coalesce((
        SELECT min(b.received_at) FROM receipts b
        WHERE (b.account_id, b.repository_id, b.ref, b.head_sha) = (r.account_id, r.repository_id, r.ref, r.before_sha)
    ), '-infinity') THEN r.claimed_at END AS believed
    FROM receipts r
    WHERE r.account_id = $1 AND r.repository_id = $2 AND r.activity_id IS NULL AND r.asked < 3 AND r.arrived_at <= $3
)
UPDATE receipts r SET asked = r.asked + 1, pushed_at = least(r.pushed_at, unlisted.believed)
FROM unlisted
WHERE r.account_id = $1 AND r.repository_id = $2 AND (r.ref, r.head_sha) = (unlisted.ref, unlisted.head_sha)
RETURNING r.head_sha, unlisted.received_at AS was, r.received_at AS becomes, r.asked;

-- name: to_compare
-- Commits that may have come inside a push of which not every commit is known: heads of runs that no push had, and heads
-- that would be late; each with heads of that branch that were received in time, the newest first.
SELECT asked.sha, heard.ref, heard.head_sha
FROM (
    SELECT q.sha, 'refs/heads/' || run.head_branch AS ref, NULL::timestamptz AS received_at
    FROM open_questions q
    JOIN runs run ON (run.account_id, run.repository_id, run.head_sha) = (q.account_id, q.repository_id, q.sha)
    WHERE q.account_id = $1 AND q.repository_id = $2 AND q.why = 'no receipt'
    UNION
    SELECT r.head_sha, r.ref, r.received_at FROM receipts r
    JOIN enrolments e ON (e.account_id, e.repository_id) = (r.account_id, r.repository_id)
    WHERE r.account_id = $1 AND r.repository_id = $2 AND r.received_at > e.effective_at AND e.frozen_at IS NULL
        AND NOT EXISTS (SELECT FROM commits_heard c
            WHERE (c.account_id, c.repository_id, c.ref, c.sha) = (r.account_id, r.repository_id, r.ref, r.head_sha)
                AND c.received_at <= e.effective_at)
) AS asked
JOIN receipts heard ON heard.account_id = $1 AND heard.repository_id = $2 AND heard.ref = asked.ref
    AND NOT heard.commits_listed AND (asked.received_at IS NULL OR heard.received_at < asked.received_at)
ORDER BY heard.received_at DESC, asked.sha LIMIT $3;

-- name: read
-- Read as of $3 ($4: or why GitHub does not give it). What is still open is asked again in $5 seconds.
UPDATE activities a SET read_at = $3, refused = $4, attempts = 0,
    due_at = CASE
        WHEN due_at > leased_at THEN due_at
        WHEN $4::text IS NULL AND EXISTS (SELECT FROM open_questions q
            WHERE q.account_id = $1 AND q.repository_id = $2 AND q.why = 'unsettled') THEN now() + make_interval(secs => $5::float)
    END
WHERE a.account_id = $1 AND a.repository_id = $2;
