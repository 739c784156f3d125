-- name: hold
-- Repositories about to get a hand or lose one: what their deadlines want is read once nobody else changes it any more.
SELECT FROM repositories WHERE account_id = $1 AND id = ANY ($2::bigint[]) ORDER BY id FOR NO KEY UPDATE;

-- name: set
-- The staff's hand, stored only where it differs from what the deadlines alone hold, those that have come by $5 and wait
-- for the next tick included; $4 is when an unlock ends. An unlock is from the deadlines that close the repository, and
-- from no other. Nothing is set where no rule speaks: `closes` is null there. Twin: hand_to_keep in bot/rules/parts.py.
WITH held AS (
    SELECT r.id, r.staff_lock, r.staff_lock_until, r.exempt_from,
        CASE WHEN is_spoken_for(r.account_id, r.id) THEN deadline_lock_by(r.account_id, r.id, $5, '{}') END AS closes
    FROM repositories r WHERE r.account_id = $1 AND r.id = ANY ($2::bigint[])
    ORDER BY r.id FOR NO KEY UPDATE
)
UPDATE repositories r SET
    staff_lock = CASE WHEN held.closes <> $3 THEN $3 END,
    staff_lock_until = CASE WHEN held.closes <> $3 THEN $4::timestamptz END,
    exempt_from = CASE WHEN held.closes AND NOT $3 THEN closing_deadlines(r.account_id, r.id, $5) ELSE '{}' END
FROM held WHERE r.account_id = $1 AND r.id = held.id
RETURNING r.id, held.closes, held.staff_lock AS lock_before, held.staff_lock_until AS until_before, held.exempt_from AS exempt_before,
    r.staff_lock, r.staff_lock_until, r.exempt_from;

-- name: restore
-- The hands as they were before a change ($3 to $5) where they are still as it left them ($6 to $8), unless their time
-- has come. As in `set` each is stored only where it differs from what the deadlines hold by $9; an unlock is again from
-- those it was from that still close the repository (where none is named: from all).
WITH held AS (
    SELECT r.id, was.lock, was.until,
        CASE WHEN is_spoken_for(r.account_id, r.id) THEN deadline_lock_by(r.account_id, r.id, $9, '{}') END AS closes,
        array(SELECT unnest(closing_deadlines(r.account_id, r.id, $9))
            INTERSECT SELECT unnest(coalesce(nullif(was.exempt::bigint[], '{}'), closing_deadlines(r.account_id, r.id, $9)))
            ORDER BY 1) AS exempt
    FROM repositories r
    JOIN unnest($2::bigint[], $3::boolean[], $4::timestamptz[], $5::text[], $6::boolean[], $7::timestamptz[], $8::text[])
        AS was (id, lock, until, exempt, left_lock, left_until, left_exempt) ON was.id = r.id
    WHERE r.account_id = $1
        AND (r.staff_lock, r.staff_lock_until) IS NOT DISTINCT FROM (was.left_lock, was.left_until)
        AND (was.left_exempt = '{}' OR r.exempt_from = was.left_exempt::bigint[])
    ORDER BY r.id FOR NO KEY UPDATE OF r
), given AS (
    SELECT id, lock, until, exempt,
        coalesce(closes <> lock AND (until IS NULL OR until > $9) AND (lock OR exempt <> '{}'), false) AS stands
    FROM held
)
UPDATE repositories r SET
    staff_lock = CASE WHEN stands THEN lock END,
    staff_lock_until = CASE WHEN stands THEN until END,
    exempt_from = CASE WHEN stands AND NOT lock THEN exempt ELSE '{}' END
FROM given WHERE r.account_id = $1 AND r.id = given.id
RETURNING r.id, r.staff_lock, r.staff_lock_until, r.exempt_from;

-- name: drop
-- Deadlines of the project $4 moved: an unlock is no longer from that one, and ends where it is from no other; a lock
-- ends where the repository was reopened ($3). What they were. Twin: hand_after_move in bot/rules/parts.py.
WITH held AS (
    SELECT id, staff_lock, staff_lock_until, exempt_from,
        CASE WHEN staff_lock THEN '{}' ELSE array_remove(exempt_from, $4) END AS exempt
    FROM repositories
    WHERE account_id = $1 AND id = ANY ($2::bigint[])
        AND (staff_lock = false AND (exempt_from = '{}' OR $4 = ANY (exempt_from)) OR staff_lock AND id = ANY ($3::bigint[]))
    ORDER BY id FOR NO KEY UPDATE
)
UPDATE repositories r SET
    staff_lock = CASE WHEN held.exempt <> '{}' THEN false END,
    staff_lock_until = CASE WHEN held.exempt <> '{}' THEN r.staff_lock_until END,
    exempt_from = held.exempt
FROM held WHERE r.account_id = $1 AND r.id = held.id
RETURNING r.id, held.staff_lock AS lock_before, held.staff_lock_until AS until_before, held.exempt_from AS exempt_before,
    r.staff_lock, r.staff_lock_until, r.exempt_from;

-- name: cover
-- Repositories that stand open by hand take part in the project $3 now, whose deadline has come by $4 already: the unlock
-- is from that one too.
WITH held AS (
    SELECT id FROM repositories
    WHERE account_id = $1 AND id = ANY ($2::bigint[]) AND staff_lock = false AND exempt_from <> '{}' AND NOT $3 = ANY (exempt_from)
        AND $3 = ANY (closing_deadlines(account_id, id, $4))
    ORDER BY id FOR NO KEY UPDATE
)
UPDATE repositories r SET exempt_from = array_append(r.exempt_from, $3::bigint) FROM held WHERE r.account_id = $1 AND r.id = held.id;

-- name: end_due
-- Unlocks whose time has come: from now on the deadline decides again.
UPDATE repositories SET staff_lock = NULL, staff_lock_until = NULL, exempt_from = '{}'
WHERE staff_lock_until <= $1 RETURNING account_id, id;

-- name: drop_withdrawn
-- These repositories were withdrawn from the project $3: an unlock is no longer from its deadline, and where nobody
-- speaks for the repository any more (a draft does not yet) no hand does either. What they were.
WITH held AS (
    SELECT r.id, r.staff_lock, r.staff_lock_until, r.exempt_from,
        CASE WHEN spoken.still THEN array_remove(r.exempt_from, $3) ELSE '{}' END AS exempt,
        spoken.still AND (r.staff_lock OR r.exempt_from IS DISTINCT FROM ARRAY[$3]::bigint[]) AS stays
    FROM repositories r
    CROSS JOIN LATERAL (SELECT EXISTS (
        SELECT FROM enrolments e JOIN projects p ON (p.account_id, p.id) = (e.account_id, e.project_id)
        WHERE e.account_id = r.account_id AND e.repository_id = r.id AND e.withdrawn_at IS NULL AND p.state <> 'draft') AS still) AS spoken
    WHERE r.account_id = $1 AND r.id = ANY ($2::bigint[]) AND r.staff_lock IS NOT NULL AND (NOT spoken.still OR $3 = ANY (r.exempt_from))
    ORDER BY r.id FOR NO KEY UPDATE OF r
)
UPDATE repositories r SET
    staff_lock = CASE WHEN held.stays THEN r.staff_lock END,
    staff_lock_until = CASE WHEN held.stays THEN r.staff_lock_until END,
    exempt_from = held.exempt
FROM held WHERE r.account_id = $1 AND r.id = held.id
RETURNING r.id, held.staff_lock AS lock_before, held.staff_lock_until AS until_before, held.exempt_from AS exempt_before,
    r.staff_lock, r.staff_lock_until, r.exempt_from;
