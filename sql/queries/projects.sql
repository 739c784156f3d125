-- name: create
-- A draft bound to its control issue.
INSERT INTO projects (account_id, course_id, issue_number, slug, deadline_at, deadline_wall, deadline_zone, opens_at,
    grace_seconds, strategy, branches, repository_glob, grading, workflow, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
RETURNING id;

-- name: clashing
-- A project that has this slug or this issue already.
SELECT slug, issue_number FROM projects
WHERE account_id = $1 AND course_id = $2 AND (issue_number = $3 OR slug = $4)
ORDER BY issue_number = $3 DESC LIMIT 1;

-- name: by_issue
-- The project whose control issue this is.
SELECT account_id, id, course_id, issue_number, slug, state, deadline_at, deadline_wall, deadline_zone, opens_at,
    grace_seconds, strategy, branches, repository_glob, grading, workflow, deadline_applied_at
FROM projects WHERE account_id = $1 AND course_id = $2 AND issue_number = $3;

-- name: hold
-- The project under its row lock: whoever changes it or its enrolments holds this first.
SELECT account_id, id, course_id, issue_number, slug, state, deadline_at, deadline_wall, deadline_zone, opens_at,
    grace_seconds, strategy, branches, repository_glob, grading, workflow, deadline_applied_at
FROM projects WHERE account_id = $1 AND id = $2 FOR NO KEY UPDATE;

-- name: by_id
-- One project.
SELECT account_id, id, course_id, issue_number, slug, state, deadline_at, deadline_wall, deadline_zone, opens_at,
    grace_seconds, strategy, branches, repository_glob, grading, workflow, deadline_applied_at
FROM projects WHERE account_id = $1 AND id = $2;

-- name: taking
-- The projects that still enrol repositories by their pattern: drafts and open ones before their deadline.
SELECT p.account_id, p.id, p.course_id, p.issue_number, p.slug, p.state, p.deadline_at, p.deadline_wall, p.deadline_zone,
    p.opens_at, p.grace_seconds, p.strategy, p.branches, p.repository_glob, p.grading, p.workflow, p.deadline_applied_at
FROM projects p
WHERE p.account_id = $1 AND p.state IN ('draft', 'open') AND p.archived_at IS NULL AND p.deadline_at > $2
ORDER BY p.id;

-- name: all_of_course
-- The projects of a course, for the overview.
SELECT account_id, id, course_id, issue_number, slug, state, deadline_at, deadline_wall, deadline_zone, opens_at,
    grace_seconds, strategy, branches, repository_glob, grading, workflow, deadline_applied_at
FROM projects WHERE account_id = $1 AND course_id = $2 ORDER BY deadline_at, id;

-- name: with_a_deadline_come
-- The projects of a course whose deadline has come by $3, or that of one of its repositories.
SELECT p.id FROM projects p
WHERE p.account_id = $1 AND p.course_id = $2 AND (p.deadline_at <= $3 OR EXISTS (
    SELECT FROM enrolments e
    WHERE (e.account_id, e.project_id) = (p.account_id, p.id) AND e.withdrawn_at IS NULL AND e.effective_at <= $3));

-- name: transition
-- The one statement that writes a state: only from where the project was seen.
UPDATE projects SET state = $4,
    published_at = CASE WHEN $4 = 'open' THEN coalesce(published_at, $5) WHEN $4 <> 'draft' THEN published_at END,
    deadline_applied_at = CASE WHEN $4 = 'closed' THEN $5::timestamptz WHEN $4 = 'open' THEN NULL ELSE deadline_applied_at END
WHERE account_id = $1 AND id = $2 AND state = $3
RETURNING id;

-- name: hold_repositories
-- An open project holds its repositories; a closed one lets them go to the next.
UPDATE enrolments SET holding = $3 WHERE account_id = $1 AND project_id = $2 AND withdrawn_at IS NULL AND holding <> $3;

-- name: held_elsewhere
-- Repositories of this project that another open project holds, and whether `claim_due` is about to close that one.
SELECT r.name AS repository, other.slug, other.deadline_at <= $3 AND other.archived_at IS NULL AS closes_now
FROM enrolments mine
JOIN enrolments theirs ON theirs.account_id = mine.account_id AND theirs.repository_id = mine.repository_id AND theirs.holding
    AND theirs.project_id <> mine.project_id
JOIN projects other ON (other.account_id, other.id) = (theirs.account_id, theirs.project_id)
JOIN repositories r ON (r.account_id, r.id) = (mine.account_id, mine.repository_id)
WHERE mine.account_id = $1 AND mine.project_id = $2 AND mine.withdrawn_at IS NULL
ORDER BY r.name;

-- name: set_deadline
-- The project's deadline as wall time, zone and instant; the enrolments without their own follow by trigger.
UPDATE projects SET deadline_at = $3, deadline_wall = $4, deadline_zone = $5 WHERE account_id = $1 AND id = $2;

-- name: claim_due
-- Open projects whose deadline has come, each held so that one process closes it.
SELECT account_id, id, state FROM projects
WHERE state = 'open' AND deadline_applied_at IS NULL AND archived_at IS NULL AND deadline_at <= $1
ORDER BY account_id, id FOR NO KEY UPDATE SKIP LOCKED;

-- name: claim_openings
-- Drafts whose opening time has come. One that nobody would see stays a draft until its deadline, and opens with the
-- first repository that comes.
SELECT account_id, id, state FROM projects p
WHERE state = 'draft' AND opens_at <= $1 AND archived_at IS NULL
    AND (deadline_at <= $1 OR EXISTS (SELECT FROM enrolments e
        WHERE (e.account_id, e.project_id) = (p.account_id, p.id) AND e.withdrawn_at IS NULL))
ORDER BY account_id, id FOR NO KEY UPDATE SKIP LOCKED;

-- name: opening_refused
-- A draft that cannot open by itself is left to the staff: its opening time is taken back. They are told of it now; the
-- nudge of the last day is said by that.
UPDATE projects p SET opens_at = NULL,
    nudged_at = CASE WHEN p.deadline_at <= $3::timestamptz + interval '24 hours' THEN $3 ELSE p.nudged_at END
FROM courses c
WHERE p.account_id = $1 AND p.id = $2 AND (c.account_id, c.id) = (p.account_id, p.course_id)
RETURNING c.repository_id;

-- name: next_due
-- The next instant of course time at which the clock has something to do.
SELECT least(
    (SELECT min(effective_at) FROM enrolments WHERE deadline_applied_at IS NULL AND withdrawn_at IS NULL AND effective_at > $1),
    (SELECT min(deadline_at) FROM projects WHERE state = 'open' AND deadline_applied_at IS NULL AND deadline_at > $1),
    (SELECT min(staff_lock_until) FROM repositories WHERE staff_lock_until > $1),
    (SELECT min(opens_at) FROM projects WHERE state = 'draft' AND opens_at IS NOT NULL AND opens_at > $1),
    (SELECT min(e.effective_at + make_interval(secs => p.grace_seconds)) FROM enrolments e
        JOIN projects p ON (p.account_id, p.id) = (e.account_id, e.project_id)
        WHERE e.deadline_applied_at IS NOT NULL AND e.frozen_at IS NULL AND e.withdrawn_at IS NULL
            AND e.effective_at + make_interval(secs => p.grace_seconds) > $1));

-- name: happened
-- How many pushes have reached the repositories of a project since it was published, and how many are past their deadline.
SELECT
    (SELECT count(*) FROM receipts h
        JOIN enrolments e ON e.account_id = h.account_id AND e.repository_id = h.repository_id AND e.project_id = p.id
        WHERE h.account_id = p.account_id AND h.received_at >= p.published_at) AS pushes,
    (SELECT count(*) FROM enrolments e
        WHERE e.account_id = p.account_id AND e.project_id = p.id AND e.deadline_applied_at IS NOT NULL) AS applied
FROM projects p WHERE p.account_id = $1 AND p.id = $2;

-- name: set_opening
-- A draft opens by itself at that instant; null: no longer by itself.
UPDATE projects SET opens_at = $3 WHERE account_id = $1 AND id = $2 AND state = 'draft';
