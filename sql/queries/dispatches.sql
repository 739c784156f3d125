-- name: claim
-- Take the right to ask for the reviews of a project, where a frozen repository has not been asked for.
UPDATE projects p SET dispatch_job_at = clock_timestamp(), dispatch_job_by = $1
WHERE lease_free(p.dispatch_job_at, p.dispatch_job_by, $2)
    AND EXISTS (
        SELECT FROM enrolments e JOIN courses c ON (c.account_id, c.id) = (p.account_id, p.course_id)
        JOIN repositories r ON (r.account_id, r.id) = (e.account_id, e.repository_id)
        JOIN installations i ON i.account_id = p.account_id AND i.state = 'active'
        WHERE e.account_id = p.account_id AND e.project_id = p.id AND e.frozen_at IS NOT NULL
            AND e.review_settled_at IS NULL AND coalesce(e.review_due_at, '-infinity') <= now()
            AND e.withdrawn_at IS NULL AND p.archived_at IS NULL
            AND c.mode = 'active' AND r.gone_at IS NULL AND (i.paused_until IS NULL OR i.paused_until <= now()))
RETURNING p.account_id, p.id AS key, p.dispatch_job_at AS token;

-- name: due
-- The repositories of a project whose final review is to be asked for.
SELECT e.repository_id FROM enrolments e
JOIN repositories r ON (r.account_id, r.id) = (e.account_id, e.repository_id)
WHERE e.account_id = $1 AND e.project_id = $2 AND e.frozen_at IS NOT NULL AND e.review_settled_at IS NULL
    AND coalesce(e.review_due_at, '-infinity') <= now() AND e.withdrawn_at IS NULL AND r.gone_at IS NULL
ORDER BY e.repository_id;

-- name: reread
-- The repository under its row lock, as it is at this instant: still due, and for which commit.
SELECT e.submission_sha, e.effective_at, e.round FROM enrolments e
WHERE e.account_id = $1 AND e.project_id = $2 AND e.repository_id = $3
    AND e.frozen_at IS NOT NULL AND e.review_settled_at IS NULL AND e.withdrawn_at IS NULL AND e.submission_sha IS NOT NULL
FOR NO KEY UPDATE;

-- name: enter
-- The ledger: claimed before the call, unique per round. A second row of the same round is refused by the index.
WITH claimed AS (
    INSERT INTO dispatches (account_id, project_id, repository_id, trigger, round, sha, nonce, claimed_at)
    VALUES ($1, $2, $3, 'deadline', $4, $5, $6, $7)
    RETURNING id
)
UPDATE enrolments SET review_settled_at = $7 FROM claimed
WHERE account_id = $1 AND project_id = $2 AND repository_id = $3
RETURNING claimed.id;

-- name: answered
-- What GitHub answered, or that it did not: written once.
UPDATE dispatches SET outcome = $3, answered_at = app_now(), github_date = $4
WHERE account_id = $1 AND id = $2 AND outcome IS NULL RETURNING id;

-- name: give_back
-- Nothing happened: the claim is given back. After a refusal ($3) the review is due again at once the first time in a
-- round, then later each time, up to an hour; after a pause or a spent budget as soon as those are over.
WITH returned AS (
    UPDATE dispatches SET outcome = 'given back', answered_at = app_now()
    WHERE account_id = $1 AND id = $2 AND outcome IS NULL
    RETURNING account_id, project_id, repository_id, round
)
UPDATE enrolments e SET review_settled_at = NULL, review_refusals = e.review_refusals + $3::boolean::integer,
    review_due_at = CASE WHEN $3 THEN now() + make_interval(secs => least(3600, 30 * (2 ^ least(e.review_refusals, 7) - 1))) END
FROM returned
WHERE (e.account_id, e.project_id, e.repository_id, e.round)
    = (returned.account_id, returned.project_id, returned.repository_id, returned.round)
RETURNING e.repository_id;

-- name: hold
-- The repository under its row lock: a claim that is being committed is to be seen afterwards.
SELECT FROM enrolments WHERE account_id = $1 AND project_id = $2 AND repository_id = $3 FOR NO KEY UPDATE;

-- name: unanswered
-- The claim with this nonce, while no outcome of it is written.
SELECT id FROM dispatches WHERE account_id = $1 AND project_id = $2 AND repository_id = $3 AND nonce = $4
    AND voided_at IS NULL AND outcome IS NULL;

-- name: void_old
-- A reopen begins a new round: the rows of the old one no longer speak for the repository, and stay.
UPDATE dispatches d SET voided_at = $4 FROM enrolments e
WHERE d.account_id = $1 AND d.project_id = $2 AND d.repository_id = ANY ($3::bigint[]) AND d.voided_at IS NULL
    AND (e.account_id, e.project_id, e.repository_id) = (d.account_id, d.project_id, d.repository_id)
    AND d.trigger = 'deadline' AND d.round < e.round
RETURNING d.id;

-- name: failure
-- The last refusal, for those who ask.
SELECT dispatch_failure FROM projects WHERE account_id = $1 AND id = $2;

-- name: set_failure
-- The last refusal, so that the same one is audited once.
UPDATE projects SET dispatch_failure = $3 WHERE account_id = $1 AND id = $2 AND dispatch_failure IS DISTINCT FROM $3
RETURNING id;
