-- name: create
-- Register a staff repository; no row means that it runs a course already.
INSERT INTO courses (account_id, repository_id, timezone, mode, locks_lifted, staff_team_id, staff_team, assistants_team_id,
    assistants_team, created_at)
VALUES ($1, $2, $3, $4, $4 = 'shadow', $5, $6, $7, $8, $9)
ON CONFLICT (account_id, repository_id) DO NOTHING
RETURNING account_id, id, repository_id, timezone, mode, staff_team_id, staff_team, assistants_team_id, assistants_team;

-- name: by_repository
-- The course that this repository is the staff repository of.
SELECT account_id, id, repository_id, timezone, mode, staff_team_id, staff_team, assistants_team_id, assistants_team
FROM courses WHERE account_id = $1 AND repository_id = $2;

-- name: of_student_repository
-- The course whose student repository this is; the one of the newest enrolment if there are several.
SELECT c.account_id, c.id, c.repository_id, c.timezone, c.mode, c.staff_team_id, c.staff_team,
    c.assistants_team_id, c.assistants_team
FROM enrolments e
JOIN projects p ON (p.account_id, p.id) = (e.account_id, e.project_id)
JOIN courses c ON (c.account_id, c.id) = (p.account_id, p.course_id)
WHERE e.account_id = $1 AND e.repository_id = $2
ORDER BY e.enrolled_at DESC, c.id DESC LIMIT 1;

-- name: set_staff
-- Remember who teaches, as read a moment ago.
INSERT INTO staff (account_id, course_id, user_id, login)
SELECT $1, $2, person.id, person.login FROM unnest($3::bigint[], $4::text[]) AS person (id, login)
ON CONFLICT (account_id, course_id, user_id) DO UPDATE SET login = excluded.login;

-- name: drop_staff
-- Forget who no longer teaches.
DELETE FROM staff WHERE account_id = $1 AND course_id = $2 AND user_id <> ALL ($3::bigint[]);

-- name: staff_teams
-- The staff teams of the organisation's courses: they may push where students may not.
SELECT staff_teams($1);

-- name: staff_ids
-- Who teaches in any course of the organisation.
SELECT DISTINCT user_id FROM staff WHERE account_id = $1;

-- name: settings
-- What `/course set` can change, held until it is changed.
SELECT timezone, mode, staff_team_id, staff_team, assistants_team_id, assistants_team, task_due, escalate_after, locks_lifted
FROM courses WHERE account_id = $1 AND id = $2 FOR NO KEY UPDATE;

-- name: change
-- The settings as they are from now on; no stored instant moves with them.
UPDATE courses SET timezone = $3, mode = $4, staff_team_id = $5, staff_team = $6, assistants_team_id = $7, assistants_team = $8,
    task_due = $9, escalate_after = $10, locks_lifted = $11
WHERE account_id = $1 AND id = $2;

-- name: locks_held
-- How many of a course's repositories GitHub holds closed, by what kind of lock.
SELECT r.lock_kind AS kind, count(*) AS held FROM repositories r
WHERE r.account_id = $1 AND r.lock_kind IS NOT NULL AND EXISTS (
    SELECT FROM enrolments e JOIN projects p ON (p.account_id, p.id) = (e.account_id, e.project_id)
    WHERE e.account_id = r.account_id AND e.repository_id = r.id AND p.course_id = $2)
GROUP BY r.lock_kind;

-- name: take_hands_off
-- The staff's hand no longer speaks for the repositories of this course; an unlock from another course's deadline stays.
WITH held AS (
    SELECT r.id, array(SELECT unnest(r.exempt_from) EXCEPT SELECT id FROM projects WHERE account_id = $1 AND course_id = $2 ORDER BY 1) AS exempt
    FROM repositories r
    WHERE r.account_id = $1 AND r.staff_lock IS NOT NULL AND EXISTS (
        SELECT FROM enrolments e JOIN projects p ON (p.account_id, p.id) = (e.account_id, e.project_id)
        WHERE e.account_id = r.account_id AND e.repository_id = r.id AND p.course_id = $2)
    ORDER BY r.id FOR NO KEY UPDATE OF r
)
UPDATE repositories r SET
    staff_lock = CASE WHEN held.exempt <> '{}' THEN false END,
    staff_lock_until = CASE WHEN held.exempt <> '{}' THEN r.staff_lock_until END,
    exempt_from = held.exempt
FROM held WHERE r.account_id = $1 AND r.id = held.id;

-- name: repository_ids
-- The staff repositories of the organisation's courses.
SELECT repository_id FROM courses WHERE account_id = $1;
