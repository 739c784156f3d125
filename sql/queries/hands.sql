-- name: set
-- The staff's hand, stored only where it differs from what the deadlines alone would hold; $4 is when an unlock ends.
-- Nothing is set where no rule speaks. Twin: hand_to_keep in bot/rules/parts.py.
UPDATE repositories SET
    staff_lock = CASE WHEN deadline_lock(account_id, id) <> $3 THEN $3 END,
    staff_lock_until = CASE WHEN deadline_lock(account_id, id) <> $3 THEN $4::timestamptz END
WHERE account_id = $1 AND id = ANY ($2::bigint[])
RETURNING id, staff_lock;

-- name: restore
-- The hands as they were before a change ($3, $4) where they are still as it left them ($5, $6), unless their time has
-- come. As in `set` each is stored only where it differs from what the deadlines hold; a deadline that has come and that
-- the next tick applies holds already, if none of this repository lies ahead.
WITH held AS (
    SELECT r.id, was.lock, was.until,
        deadline_lock(r.account_id, r.id) OR coalesce((
            SELECT bool_or(p.strategy = 'lock') AND bool_and(e.effective_at <= $7)
            FROM enrolments e
            JOIN projects p ON (p.account_id, p.id) = (e.account_id, e.project_id)
            JOIN courses c ON (c.account_id, c.id) = (p.account_id, p.course_id)
            WHERE e.account_id = r.account_id AND e.repository_id = r.id AND e.withdrawn_at IS NULL AND r.gone_at IS NULL
                AND e.deadline_applied_at IS NULL AND p.state <> 'draft' AND p.archived_at IS NULL AND c.mode = 'active'
        ), false) AS closes
    FROM repositories r
    JOIN unnest($2::bigint[], $3::boolean[], $4::timestamptz[], $5::boolean[], $6::timestamptz[])
        AS was (id, lock, until, left_lock, left_until) ON was.id = r.id
    WHERE r.account_id = $1
        AND (r.staff_lock, r.staff_lock_until) IS NOT DISTINCT FROM (was.left_lock, was.left_until)
    ORDER BY r.id FOR NO KEY UPDATE OF r
)
UPDATE repositories r SET
    staff_lock = CASE WHEN closes <> lock AND (until IS NULL OR until > $7) THEN lock END,
    staff_lock_until = CASE WHEN closes <> lock AND until > $7 THEN until END
FROM held WHERE r.account_id = $1 AND r.id = held.id
RETURNING r.id, r.staff_lock, r.staff_lock_until;

-- name: drop
-- A deadline moved: an unlock ends with it, and both hands end where the repository was reopened ($3). What they were.
-- Twin: hand_after_move in bot/rules/parts.py.
WITH held AS (
    SELECT id, staff_lock, staff_lock_until FROM repositories
    WHERE account_id = $1 AND id = ANY ($2::bigint[]) AND (staff_lock = false OR (staff_lock AND id = ANY ($3::bigint[])))
    ORDER BY id FOR NO KEY UPDATE
)
UPDATE repositories r SET staff_lock = NULL, staff_lock_until = NULL
FROM held WHERE r.account_id = $1 AND r.id = held.id
RETURNING r.id, held.staff_lock, held.staff_lock_until;

-- name: end_due
-- Unlocks whose time has come: from now on the deadline decides again.
UPDATE repositories SET staff_lock = NULL, staff_lock_until = NULL
WHERE staff_lock_until <= $1 RETURNING account_id, id;

-- name: drop_unclaimed
-- Nobody speaks for these repositories any more (a draft does not yet), so no hand does either. What they were.
WITH held AS (
    SELECT r.id, r.staff_lock, r.staff_lock_until FROM repositories r
    WHERE r.account_id = $1 AND r.id = ANY ($2::bigint[]) AND r.staff_lock IS NOT NULL AND NOT EXISTS (
        SELECT FROM enrolments e JOIN projects p ON (p.account_id, p.id) = (e.account_id, e.project_id)
        WHERE e.account_id = r.account_id AND e.repository_id = r.id AND e.withdrawn_at IS NULL AND p.state <> 'draft')
    ORDER BY r.id FOR NO KEY UPDATE
)
UPDATE repositories r SET staff_lock = NULL, staff_lock_until = NULL
FROM held WHERE r.account_id = $1 AND r.id = held.id
RETURNING r.id, held.staff_lock, held.staff_lock_until;
