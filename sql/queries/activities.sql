-- name: due
-- GitHub's activity of these repositories is to be read, again if it is being read now.
INSERT INTO activities (account_id, repository_id, due_at)
SELECT $1, it, clock_timestamp() FROM unnest($2::bigint[]) AS it ORDER BY it
ON CONFLICT (account_id, repository_id) DO UPDATE SET due_at = clock_timestamp(),
    -- What was given up is begun anew.
    attempts = CASE WHEN activities.attempts < 240 THEN activities.attempts ELSE 0 END;

-- name: due_where_asked
-- The same where something is to be asked about.
INSERT INTO activities (account_id, repository_id, due_at)
SELECT q.account_id, q.repository_id, clock_timestamp() FROM open_questions q
WHERE q.account_id = $1 AND q.repository_id = ANY ($2::bigint[])
GROUP BY q.account_id, q.repository_id ORDER BY q.account_id, q.repository_id
ON CONFLICT (account_id, repository_id) DO UPDATE SET due_at = clock_timestamp();

-- name: due_of_deadlines
-- Two minutes after its deadline, or at the end of a shorter grace, each repository's activity is read once, so that no
-- push in time is missing at the freeze. After a shorter grace it is read once more at two minutes: the list may be late.
INSERT INTO activities (account_id, repository_id, due_at)
SELECT DISTINCT e.account_id, e.repository_id, now()
FROM enrolments e
JOIN projects p ON (p.account_id, p.id) = (e.account_id, e.project_id)
JOIN repositories r ON (r.account_id, r.id) = (e.account_id, e.repository_id)
LEFT JOIN activities a ON (a.account_id, a.repository_id) = (e.account_id, e.repository_id)
CROSS JOIN LATERAL (
    SELECT e.effective_at + make_interval(secs => CASE WHEN e.frozen_at IS NULL THEN least(p.grace_seconds, 120) ELSE 120 END) AS at
) AS look
WHERE e.deadline_applied_at IS NOT NULL AND e.withdrawn_at IS NULL
    AND (e.frozen_at IS NULL OR e.effective_at > $1::timestamptz - interval '15 minutes')
    AND p.archived_at IS NULL AND r.gone_at IS NULL AND a.due_at IS NULL
    AND look.at <= $1 AND (a.read_at IS NULL OR a.read_at < look.at)
ORDER BY e.account_id, e.repository_id
ON CONFLICT (account_id, repository_id) DO UPDATE SET due_at = now() WHERE activities.due_at IS NULL;

-- name: claim
-- Take repositories whose activity is due, the longest due first.
UPDATE activities SET leased_at = clock_timestamp(), leased_by = $1
WHERE (account_id, repository_id) IN (
    SELECT account_id, repository_id FROM activities
    WHERE due_at <= now() AND lease_free(leased_at, leased_by, $2)
    ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
RETURNING account_id, repository_id AS key, leased_at AS token;

-- name: since
-- Course time when the last reading began, null before the first; the entries that are known; who works there; how often
-- it was tried in vain now, and whether it was ever refused for good.
SELECT a.read_at, a.attempts, a.refused IS NOT NULL AS refused, r.default_branch, array(
        SELECT activity_id FROM receipts WHERE account_id = $1 AND repository_id = $2 AND activity_id IS NOT NULL
        UNION ALL SELECT activity_id FROM returned_heads WHERE account_id = $1 AND repository_id = $2 AND activity_id IS NOT NULL
    ) AS known,
    array(SELECT s.user_id FROM students s WHERE s.account_id = $1 AND s.repository_id = $2) AS students
FROM activities a JOIN repositories r ON (r.account_id, r.id) = (a.account_id, a.repository_id)
WHERE a.account_id = $1 AND a.repository_id = $2;

-- name: asked
-- Pushes known before this reading began ($3) that GitHub does not list (yet), counted by $4. After three times of asking
-- what the payload said is believed, unless it lies before the receipt of the commit that was there before.
WITH unlisted AS (
    SELECT r.ref, r.head_sha, r.received_at, CASE WHEN r.asked + $4::integer >= 3 AND r.claimed_at >= coalesce((
        SELECT min(b.received_at) FROM receipts b
        WHERE (b.account_id, b.repository_id, b.ref, b.head_sha) = (r.account_id, r.repository_id, r.ref, r.before_sha)
    ), '-infinity') THEN r.claimed_at END AS believed
    FROM receipts r
    WHERE r.account_id = $1 AND r.repository_id = $2 AND r.activity_id IS NULL AND r.asked < 3 AND r.arrived_at <= $3
)
UPDATE receipts r SET asked = r.asked + $4::integer, pushed_at = least(r.pushed_at, unlisted.believed)
FROM unlisted
WHERE r.account_id = $1 AND r.repository_id = $2 AND (r.ref, r.head_sha) = (unlisted.ref, unlisted.head_sha)
RETURNING r.head_sha, unlisted.received_at AS was, r.received_at AS becomes, r.asked;

-- name: to_compare
-- Commits that may have come inside a push of which not every commit is known: heads of runs that no push had, and heads
-- that would be late; each with the newest head of that branch before it, and with those that a forced push took out of its line.
SELECT sha, ref, head_sha FROM (
SELECT asked.sha, heard.ref, heard.head_sha, heard.received_at,
    row_number() OVER (PARTITION BY asked.sha, asked.ref ORDER BY heard.received_at DESC) AS place,
    EXISTS (SELECT FROM receipts over_it WHERE (over_it.account_id, over_it.repository_id, over_it.ref, over_it.before_sha)
        = (heard.account_id, heard.repository_id, heard.ref, heard.head_sha) AND over_it.forced) AS forced_over
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
) AS pairs
WHERE place = 1 OR forced_over
ORDER BY place > 1, received_at DESC, sha LIMIT $3;

-- name: read
-- Read as of $3 ($4: or why GitHub does not give it). What is still open is asked again in $5 seconds.
UPDATE activities a SET refused = $4, attempts = 0,
    -- Of a repository that is gone nothing was read: it may come back.
    read_at = CASE WHEN $4::text IS NOT NULL AND EXISTS (SELECT FROM repositories r
        WHERE (r.account_id, r.id) = ($1, $2) AND r.gone_at IS NOT NULL) THEN read_at ELSE $3 END,
    due_at = CASE
        WHEN due_at > leased_at THEN due_at
        WHEN $4::text IS NULL AND EXISTS (SELECT FROM open_questions q
            WHERE q.account_id = $1 AND q.repository_id = $2 AND q.why = 'unsettled') THEN clock_timestamp() + make_interval(secs => $5::float)
    END
WHERE a.account_id = $1 AND a.repository_id = $2;
