-- name: set
-- The staff's hand, stored only where it differs from what the deadlines alone would hold; $4 is when an unlock ends.
-- Nothing is set where no rule speaks. Twin: hand_to_keep in bot/rules/parts.py.
UPDATE repositories SET
    staff_lock = CASE WHEN deadline_lock(account_id, id) <> $3 THEN $3 END,
    staff_lock_until = CASE WHEN deadline_lock(account_id, id) <> $3 THEN $4::timestamptz END
WHERE account_id = $1 AND id = ANY ($2::bigint[])
RETURNING id, staff_lock;

-- name: restore
-- The hands as they were before a change, each stored only where it differs from what the deadlines hold by now.
UPDATE repositories r SET
    staff_lock = CASE WHEN deadline_lock(r.account_id, r.id) <> was.lock THEN was.lock END,
    staff_lock_until = CASE WHEN deadline_lock(r.account_id, r.id) <> was.lock THEN was.until END
FROM unnest($2::bigint[], $3::boolean[], $4::timestamptz[]) AS was (id, lock, until)
WHERE r.account_id = $1 AND r.id = was.id;

-- name: drop
-- A deadline moved: an unlock ends with it, and both hands end where the repository was reopened ($3).
-- Twin: hand_after_move in bot/rules/parts.py.
UPDATE repositories SET staff_lock = NULL, staff_lock_until = NULL
WHERE account_id = $1 AND id = ANY ($2::bigint[]) AND (staff_lock = false OR (staff_lock AND id = ANY ($3::bigint[])))
RETURNING id;

-- name: end_due
-- Unlocks whose time has come: from now on the deadline decides again.
UPDATE repositories SET staff_lock = NULL, staff_lock_until = NULL
WHERE staff_lock_until <= $1 RETURNING account_id, id;
