-- name: enrol
-- Put repositories into a project, once each; $5 says whether the project is open and so holds them.
INSERT INTO enrolments (account_id, project_id, repository_id, enrolled_at, holding)
SELECT $1, $2, new.repository_id, $4, $5 FROM unnest($3::bigint[]) AS new (repository_id)
WHERE NOT EXISTS (SELECT FROM courses c WHERE c.account_id = $1 AND c.repository_id = new.repository_id)
ORDER BY new.repository_id
ON CONFLICT DO NOTHING
RETURNING repository_id;

-- name: of_project
-- The repositories of a project with what is known of each.
SELECT e.account_id, e.project_id, e.repository_id, r.name,
    array(SELECT s.login FROM students s WHERE s.account_id = e.account_id AND s.repository_id = e.repository_id ORDER BY s.login) AS students,
    e.deadline_at, e.effective_at, e.deadline_applied_at, e.frozen_at, e.submission_sha, e.submission_at, e.round,
    r.locked_at, r.lock_verified_at, r.wanted_lock, r.gone_at, r.lock_kind, r.lock_reason, r.lock_failure,
    -- An unlock from another project's deadline says nothing of this one.
    CASE WHEN r.staff_lock OR r.exempt_from = '{}' OR e.project_id = ANY (r.exempt_from) THEN r.staff_lock END AS staff_lock,
    r.staff_lock_until, r.gone_as, e.deadline_committed_at, r.lock_tried_at, r.lock_absent_at,
    EXISTS (SELECT FROM deadline_commits_due due
        WHERE (due.account_id, due.project_id, due.repository_id) = (e.account_id, e.project_id, e.repository_id)) AS deadline_commit_waits,
    array(SELECT d.branch FROM deadline_commits d
        WHERE (d.account_id, d.project_id, d.repository_id, d.round) = (e.account_id, e.project_id, e.repository_id, e.round)
            AND d.outcome = 'missing' ORDER BY d.branch) AS deadline_commit_missing,
    (SELECT string_agg(d.branch || ': ' || d.refused, '; ' ORDER BY d.branch) FROM deadline_commits d
        WHERE (d.account_id, d.project_id, d.repository_id, d.round) = (e.account_id, e.project_id, e.repository_id, e.round)
            AND d.settled_at IS NULL) AS deadline_commit_refused,
    CASE WHEN e.review_skipped IS NOT NULL THEN 'skipped' ELSE coalesce(d.outcome, CASE WHEN d.id IS NOT NULL THEN 'not confirmed' END) END AS review,
    run.points::float AS points, run.max_points::float AS max_points
FROM enrolments e
JOIN repositories r ON (r.account_id, r.id) = (e.account_id, e.repository_id)
LEFT JOIN dispatches d ON d.account_id = e.account_id AND d.project_id = e.project_id AND d.repository_id = e.repository_id
    AND d.trigger = 'deadline' AND d.round = e.round AND d.voided_at IS NULL AND d.outcome IS DISTINCT FROM 'given back'
LEFT JOIN runs run ON run.account_id = e.account_id
    AND run.id = CASE WHEN e.deadline_applied_at IS NULL THEN e.current_run ELSE e.frozen_run END
WHERE e.account_id = $1 AND e.project_id = $2 AND e.withdrawn_at IS NULL
ORDER BY r.name;

-- name: apply_due
-- The effective deadline has come: the provisional freeze. The frozen slot is the current run, which may be none; one that
-- nothing dates is chosen anew (`undated`). Twin: Part.is_applied_by in bot/rules/parts.py.
WITH due AS (
    SELECT e.account_id, e.project_id, e.repository_id
    FROM enrolments e
    JOIN projects p ON (p.account_id, p.id) = (e.account_id, e.project_id)
    JOIN repositories r ON (r.account_id, r.id) = (e.account_id, e.repository_id)
    WHERE e.deadline_applied_at IS NULL AND e.withdrawn_at IS NULL AND e.effective_at <= $1
        AND p.state <> 'draft' AND p.archived_at IS NULL AND r.gone_at IS NULL
    -- Repositories, whose wanted lock follows, in the order in which the lock job holds them: never in each other's way.
    ORDER BY e.account_id, e.repository_id, e.project_id
    FOR NO KEY UPDATE OF e SKIP LOCKED FOR NO KEY UPDATE OF r
)
UPDATE enrolments e SET deadline_applied_at = $1, frozen_run = e.current_run
FROM due
WHERE (e.account_id, e.project_id, e.repository_id) = (due.account_id, due.project_id, due.repository_id)
    AND e.deadline_applied_at IS NULL AND e.effective_at <= $1
RETURNING e.account_id, e.project_id, e.repository_id, e.effective_at;

-- name: undated
-- Of the parts whose deadline has just been applied, those whose run counted only because nothing dates its head, as it
-- may while the deadline lies ahead. A statement of its own: the parts are held by now, and what became known of their
-- pushes just before is seen.
SELECT e.account_id, e.project_id, array_agg(e.repository_id) AS repository_ids
FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS held (account_id, project_id, repository_id)
JOIN enrolments e USING (account_id, project_id, repository_id)
JOIN projects p ON (p.account_id, p.id) = (e.account_id, e.project_id)
JOIN repositories r ON (r.account_id, r.id) = (e.account_id, e.repository_id)
JOIN runs run ON run.account_id = e.account_id AND run.id = e.current_run
WHERE NOT EXISTS (
    SELECT FROM commits_heard h
    WHERE h.account_id = run.account_id AND h.repository_id = run.repository_id AND h.sha = run.head_sha
        AND h.ref IN (SELECT 'refs/heads/' || b FROM unnest(tracked_branches(p.branches, r.default_branch)) AS b))
GROUP BY e.account_id, e.project_id ORDER BY e.account_id, e.project_id;

-- name: freezable
-- Deadline and grace are over and the evidence is in (the view `evidence_is_in`); and not while webhooks are not taken in,
-- or were not in the time up to there and what GitHub's records know of it is being fetched. The parts are held: what
-- counts is read by `freeze`, after whatever was committed until then. Twin: Part.is_frozen_by in bot/rules/parts.py.
SELECT e.account_id, e.project_id, e.repository_id
FROM enrolments e
JOIN evidence_is_in ready ON (ready.account_id, ready.project_id, ready.repository_id) = (e.account_id, e.project_id, e.repository_id)
WHERE e.deadline_applied_at IS NOT NULL AND e.frozen_at IS NULL AND e.withdrawn_at IS NULL
    AND ready.settles_at <= $1 AND NOT is_recovering(ready.settles_at, $1)
ORDER BY e.account_id, e.repository_id, e.project_id
FOR NO KEY UPDATE OF e SKIP LOCKED;

-- name: freeze
-- The freeze of those that `freezable` holds is definitive, where it is still due: until they were held their deadlines
-- may have moved, and what counts too. What counts is the frozen run's head, else the last commit that a student pushed
-- to a tracked branch in time. Twin: submission in bot/rules/submissions.py.
WITH due AS (
    SELECT e.account_id, e.project_id, e.repository_id, p.grading, r.lock_kind, coalesce(run.head_sha, last_commit.head_sha) AS sha
    FROM unnest($2::bigint[], $3::bigint[], $4::bigint[]) AS held (account_id, project_id, repository_id)
    JOIN evidence_is_in ready USING (account_id, project_id, repository_id)
    JOIN enrolments e USING (account_id, project_id, repository_id)
    JOIN projects p ON (p.account_id, p.id) = (e.account_id, e.project_id)
    JOIN repositories r ON (r.account_id, r.id) = (e.account_id, e.repository_id)
    LEFT JOIN runs run ON run.account_id = e.account_id AND run.id = e.frozen_run
    LEFT JOIN LATERAL (
        SELECT c.head_sha FROM eligible_commits c
        WHERE (c.account_id, c.project_id, c.repository_id) = (e.account_id, e.project_id, e.repository_id)
            AND c.received_at <= e.effective_at
        ORDER BY c.received_at DESC, c.followed, c.arrived_at DESC, c.head_sha LIMIT 1
    ) AS last_commit ON true
    WHERE ready.settles_at <= $1 AND NOT is_recovering(ready.settles_at, $1)
)
UPDATE enrolments e SET frozen_at = $1, submission_sha = due.sha,
    submission_at = (
        SELECT min(c.received_at) FROM eligible_commits c
        WHERE (c.account_id, c.project_id, c.repository_id) = (e.account_id, e.project_id, e.repository_id)
            AND c.head_sha = due.sha),
    -- A review that was asked for before a deadline moved within the past stays what became of it.
    review_skipped = CASE WHEN e.review_settled_at IS NOT NULL THEN NULL WHEN due.grading = 'none' THEN 'grading is none' WHEN due.sha IS NULL THEN 'no submission'
        WHEN due.lock_kind = 'archive' THEN 'archived' END,
    review_settled_at = CASE WHEN e.review_settled_at IS NOT NULL THEN e.review_settled_at WHEN due.grading = 'none' OR due.sha IS NULL OR due.lock_kind = 'archive' THEN $1::timestamptz END
FROM due
WHERE (e.account_id, e.project_id, e.repository_id) = (due.account_id, due.project_id, due.repository_id)
RETURNING e.account_id, e.project_id, e.repository_id, e.effective_at, e.submission_sha, e.submission_at, e.review_skipped;

-- name: hold
-- The parts a repository has in its projects, under their row locks, before a score is chosen anew.
SELECT project_id FROM enrolments WHERE account_id = $1 AND repository_id = ANY ($2::bigint[])
ORDER BY repository_id, project_id FOR NO KEY UPDATE;

-- name: set_own_deadline
-- An own deadline (or none again) for repositories of a project; what follows from it is settled by `reopen`.
UPDATE enrolments SET deadline_at = $4, deadline_wall = $5, deadline_zone = $6, deadline_reason = $7
WHERE account_id = $1 AND project_id = $2 AND repository_id = ANY ($3::bigint[]) AND withdrawn_at IS NULL
RETURNING repository_id;

-- name: reopen
-- Repositories that were applied and whose deadline now lies ahead begin a new round; scores by a person are kept.
-- Twin: of_move in bot/rules/deadlines.py, also of `settle_anew`.
WITH ahead AS (
    SELECT e.account_id, e.project_id, e.repository_id FROM enrolments e
    JOIN repositories r ON (r.account_id, r.id) = (e.account_id, e.repository_id)
    WHERE e.account_id = $1 AND e.project_id = $2 AND e.deadline_applied_at IS NOT NULL AND e.effective_at > $3
        AND e.withdrawn_at IS NULL
    ORDER BY e.repository_id FOR NO KEY UPDATE OF e, r
)
UPDATE enrolments e SET deadline_applied_at = NULL, frozen_at = NULL, frozen_run = NULL, submission_sha = NULL,
    submission_at = NULL, review_settled_at = NULL, review_skipped = NULL, review_refusals = 0, review_due_at = NULL,
    deadline_committed_at = NULL, deadline_commit_due_at = NULL, round = e.round + 1
FROM ahead
WHERE (e.account_id, e.project_id, e.repository_id) = (ahead.account_id, ahead.project_id, ahead.repository_id)
RETURNING e.repository_id, e.round;

-- name: own_deadlines
-- The own deadlines of repositories as they were given, for the inverse of a change.
SELECT repository_id, deadline_at, deadline_wall, deadline_zone, deadline_reason FROM enrolments
WHERE account_id = $1 AND project_id = $2 AND repository_id = ANY ($3::bigint[]) AND withdrawn_at IS NULL;

-- name: settle_anew
-- Repositories that were applied and whose deadline ($4 until now) moved within the past, or all of them ($6): they stay
-- closed, and what counts is settled anew. A review that was asked for in this round stays asked for: only a new round asks again.
WITH moved AS (
    SELECT e.account_id, e.project_id, e.repository_id, EXISTS (
        SELECT FROM dispatches d
        WHERE (d.account_id, d.project_id, d.repository_id, d.round) = (e.account_id, e.project_id, e.repository_id, e.round)
            AND d.trigger = 'deadline' AND d.voided_at IS NULL AND d.outcome IS DISTINCT FROM 'given back') AS asked
    FROM unnest($3::bigint[], $4::timestamptz[]) AS was (repository_id, effective_at)
    JOIN enrolments e ON e.account_id = $1 AND e.project_id = $2 AND e.repository_id = was.repository_id
    WHERE e.deadline_applied_at IS NOT NULL AND e.effective_at <= $5 AND (e.effective_at <> was.effective_at OR $6)
        AND e.withdrawn_at IS NULL
    ORDER BY e.repository_id FOR NO KEY UPDATE OF e
)
UPDATE enrolments e SET frozen_at = NULL, frozen_run = e.current_run, submission_sha = NULL, submission_at = NULL,
    review_skipped = NULL, review_settled_at = CASE WHEN moved.asked THEN e.review_settled_at END
FROM moved
WHERE (e.account_id, e.project_id, e.repository_id) = (moved.account_id, moved.project_id, moved.repository_id)
RETURNING e.repository_id, e.effective_at;

-- name: settle_by_evidence
-- A commit ($3) that a student pushed to a branch that counts, in a repository that was definitively frozen, turns out to
-- have been in time (received at $4 until now, null: never heard of; and at $5 as we know now), and is later than the
-- submission or has a run: what counts is settled anew. A review that was asked for stays asked for.
WITH turned AS (
    SELECT e.account_id, e.project_id, e.repository_id, e.submission_sha, e.submission_at, EXISTS (
        SELECT FROM dispatches d
        WHERE (d.account_id, d.project_id, d.repository_id, d.round) = (e.account_id, e.project_id, e.repository_id, e.round)
            AND d.trigger = 'deadline' AND d.voided_at IS NULL AND d.outcome IS DISTINCT FROM 'given back') AS asked
    FROM enrolments e
    JOIN projects p ON (p.account_id, p.id) = (e.account_id, e.project_id)
    WHERE e.account_id = $1 AND e.repository_id = $2 AND e.frozen_at IS NOT NULL AND e.withdrawn_at IS NULL
        AND p.state IN ('open', 'closed', 'graded') AND p.archived_at IS NULL
        AND EXISTS (
            SELECT FROM unnest($3::text[], $4::timestamptz[], $5::timestamptz[]) AS found (sha, was, becomes)
            WHERE found.becomes <= e.effective_at AND (found.was IS NULL OR found.was > e.effective_at)
                AND EXISTS (SELECT FROM eligible_commits c WHERE c.head_sha = found.sha
                    AND (c.account_id, c.project_id, c.repository_id) = (e.account_id, e.project_id, e.repository_id))
                AND (e.submission_at IS NULL OR found.becomes >= e.submission_at OR EXISTS (
                    SELECT FROM runs run
                    WHERE (run.account_id, run.repository_id, run.head_sha) = (e.account_id, e.repository_id, found.sha))))
    ORDER BY e.project_id FOR NO KEY UPDATE OF e
)
UPDATE enrolments e SET frozen_at = NULL, frozen_run = e.current_run, submission_sha = NULL, submission_at = NULL,
    review_skipped = NULL, review_settled_at = CASE WHEN turned.asked THEN e.review_settled_at END
FROM turned
WHERE (e.account_id, e.project_id, e.repository_id) = (turned.account_id, turned.project_id, turned.repository_id)
RETURNING e.project_id, turned.submission_sha, turned.submission_at;

-- name: reselect
-- The score that counts now: of the grading workflow, on a tracked branch, on a head received in time on any of them (or
-- not dated while the deadline lies ahead, never once it is applied); the latest by GitHub's completion. A head has the
-- place of its first run since it last was the head in time: neither a re-run nor a push back to it displaces what came
-- after it. Commits that only came inside a push give way to heads. Twin: counting_run in bot/rules/submissions.py.
-- Between the provisional and the definitive freeze the frozen slot follows, decided on the row as this finds it. In one
-- project ($4), or with null in all.
UPDATE enrolments e SET current_run = chosen.id,
    frozen_run = CASE WHEN e.deadline_applied_at IS NOT NULL AND e.frozen_at IS NULL THEN chosen.id ELSE e.frozen_run END
FROM enrolments mine
LEFT JOIN LATERAL (
    SELECT run.id FROM runs run
    JOIN projects p ON (p.account_id, p.id) = (mine.account_id, mine.project_id)
    JOIN repositories r ON (r.account_id, r.id) = (mine.account_id, mine.repository_id)
    LEFT JOIN LATERAL (
        SELECT count(*) > 0 AS known, min(h.received_at) FILTER (WHERE h.pusher IN ('student', 'person')) AS received_at
        FROM commits_heard h
        WHERE h.account_id = run.account_id AND h.repository_id = run.repository_id AND h.sha = run.head_sha
            AND h.ref IN (SELECT 'refs/heads/' || b FROM unnest(tracked_branches(p.branches, r.default_branch)) AS b)
    ) AS heard ON true
    LEFT JOIN LATERAL (
        SELECT date_trunc('second', max(h.received_at)) AS last_at FROM heads_heard h
        WHERE h.account_id = run.account_id AND h.repository_id = run.repository_id AND h.head_sha = run.head_sha
            AND h.pusher IN ('student', 'person') AND h.received_at <= mine.effective_at
            AND h.ref IN (SELECT 'refs/heads/' || b FROM unnest(tracked_branches(p.branches, r.default_branch)) AS b)
    ) AS head ON true
    -- The earliest attempt that is known: the news of the first may have been lost.
    CROSS JOIN LATERAL (
        SELECT f.completed_at FROM runs f, LATERAL (SELECT coalesce(f.created_at < head.last_at, false) AS before_it) AS since
        WHERE (f.account_id, f.repository_id, f.workflow, f.head_sha) = (run.account_id, run.repository_id, run.workflow, run.head_sha)
            AND f.event <> 'repository_dispatch' AND f.completed_at IS NOT NULL
        ORDER BY since.before_it, since.before_it AND f.run_id <> run.run_id, f.created_at, f.run_id, f.attempt LIMIT 1
    ) AS first
    WHERE run.account_id = mine.account_id AND run.repository_id = mine.repository_id
        AND run.workflow = p.workflow AND run.score_status = 'ok' AND run.event <> 'repository_dispatch'
        AND run.head_branch = ANY (tracked_branches(p.branches, r.default_branch))
        -- Also where the push of our own commit was never heard of.
        AND NOT EXISTS (SELECT FROM bot_commits ours
            WHERE (ours.account_id, ours.repository_id, ours.sha) = (run.account_id, run.repository_id, run.head_sha))
        AND CASE WHEN heard.known THEN heard.received_at <= mine.effective_at
            ELSE mine.effective_at > $3 AND mine.deadline_applied_at IS NULL END
    ORDER BY heard.known AND head.last_at IS NULL, first.completed_at DESC, run.run_id DESC, run.attempt DESC LIMIT 1
) AS chosen ON true
WHERE (mine.account_id, mine.project_id, mine.repository_id) = (e.account_id, e.project_id, e.repository_id)
    AND e.account_id = $1 AND e.repository_id = ANY ($2::bigint[]) AND ($4::bigint IS NULL OR e.project_id = $4)
    AND e.withdrawn_at IS NULL AND e.current_run IS DISTINCT FROM chosen.id;

-- name: held
-- The repositories that an open project holds.
SELECT e.repository_id, p.slug FROM enrolments e
JOIN projects p ON (p.account_id, p.id) = (e.account_id, e.project_id)
WHERE e.account_id = $1 AND e.holding;

-- name: withdraw
-- They take no part any more: not held, not closed, not judged. What was received and settled stays in the rows.
WITH leaving AS (
    SELECT e.account_id, e.project_id, e.repository_id FROM enrolments e
    JOIN repositories r ON (r.account_id, r.id) = (e.account_id, e.repository_id)
    WHERE e.account_id = $1 AND e.project_id = $2 AND e.repository_id = ANY ($3::bigint[]) AND e.withdrawn_at IS NULL
    ORDER BY e.repository_id FOR NO KEY UPDATE OF e, r
)
UPDATE enrolments e SET withdrawn_at = $4, holding = false FROM leaving
WHERE (e.account_id, e.project_id, e.repository_id) = (leaving.account_id, leaving.project_id, leaving.repository_id)
RETURNING e.repository_id;

-- name: take_back
-- Those of them that were withdrawn take part again, and an open project ($4) holds them.
WITH coming AS (
    SELECT e.account_id, e.project_id, e.repository_id FROM enrolments e
    JOIN repositories r ON (r.account_id, r.id) = (e.account_id, e.repository_id)
    WHERE e.account_id = $1 AND e.project_id = $2 AND e.repository_id = ANY ($3::bigint[]) AND e.withdrawn_at IS NOT NULL
    ORDER BY e.repository_id FOR NO KEY UPDATE OF e, r
)
UPDATE enrolments e SET withdrawn_at = NULL, holding = $4 FROM coming
WHERE (e.account_id, e.project_id, e.repository_id) = (coming.account_id, coming.project_id, coming.repository_id)
RETURNING e.repository_id;

-- name: following
-- The repositories without a deadline of their own, also those that were withdrawn, by the deadline that holds for them.
SELECT repository_id, effective_at FROM enrolments
WHERE account_id = $1 AND project_id = $2 AND deadline_at IS NULL ORDER BY repository_id;
