-- name: record
-- Store a delivery once by its GUID, and the receipt of a branch push of a known installation with it. The arrival is
-- course time now less the seconds ($11) that this process has held the request; GitHub's log ($17) or what was missed by
-- it may know of an earlier attempt.
WITH attempted AS (
    SELECT least($17::timestamptz, (SELECT m.logged_at FROM missed_deliveries m WHERE m.guid = $2)) AS logged_at
), fresh AS (
    INSERT INTO deliveries (account_id, guid, event, action, installation_id, repository_id, received_at, body, logged_at)
    SELECT $1, $2, $3, $4, $5, $6, app_now() - make_interval(secs => $11::float), $7, logged_at FROM attempted
    ON CONFLICT (account_id, guid) DO NOTHING
    RETURNING account_id, guid, repository_id, received_at, logged_at
), receipt AS (
    INSERT INTO receipts (account_id, repository_id, ref, head_sha, before_sha, forced, arrived_at, claimed_at, pushed_at, logged_at,
        sender_id, sender_login, sender_type, guid)
    SELECT fresh.account_id, fresh.repository_id, $8, $9, $10, $12, fresh.received_at, $13,
        believed_claim(fresh.account_id, fresh.repository_id, $8, $10, $13, least(fresh.received_at, fresh.logged_at)), fresh.logged_at,
        $14, $15, $16, fresh.guid
    FROM fresh
    WHERE $9::text IS NOT NULL AND EXISTS (
        SELECT FROM installations i
        WHERE i.account_id = fresh.account_id AND i.installation_id = $5 AND i.state IN ('active', 'suspended'))
    ON CONFLICT DO NOTHING
)
SELECT guid FROM fresh;

-- name: next
-- The oldest delivery that is due, held by its row lock while it is understood.
SELECT d.account_id, d.guid, d.event, d.action, d.installation_id, d.repository_id, d.received_at, d.logged_at, d.body, d.attempts
FROM deliveries d
WHERE d.handled_at IS NULL AND d.due_at <= now()
ORDER BY d.due_at, d.received_at LIMIT 1 FOR UPDATE SKIP LOCKED;

-- name: handled
-- Understood, or nothing to understand: it is not read again.
UPDATE deliveries SET handled_at = app_now(), outcome = $3, attempts = attempts + 1 WHERE account_id = $1 AND guid = $2;

-- name: postpone
-- A handler could not finish: the same delivery is due again in $3 seconds, with the reason.
UPDATE deliveries SET due_at = now() + make_interval(secs => $3::float), attempts = attempts + 1, outcome = $4
WHERE account_id = $1 AND guid = $2;

-- name: wake
-- What waited for this installation to be looked up can be understood now.
UPDATE deliveries SET due_at = now() WHERE account_id = $1 AND installation_id = $2 AND handled_at IS NULL;

-- name: waiting
-- How many deliveries have not been understood yet.
SELECT count(*) FROM deliveries WHERE handled_at IS NULL;
