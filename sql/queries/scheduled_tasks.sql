-- name: due
-- Which pieces of housekeeping are due: most ticks find none.
SELECT name FROM scheduled_tasks WHERE enabled AND (started_at IS NULL OR started_at + period <= $1);

-- name: claim
-- A piece of housekeeping whose period is over, for one process; the others find it begun.
UPDATE scheduled_tasks SET started_at = $2
WHERE name = $1 AND enabled AND (started_at IS NULL OR started_at + period <= $2)
RETURNING name;

-- name: finish
-- How it ended.
UPDATE scheduled_tasks SET finished_at = $2, outcome = $3 WHERE name = $1;

-- name: all
-- The housekeeping as `/course status` shows it.
SELECT name, period, enabled, started_at, finished_at, outcome FROM scheduled_tasks ORDER BY name;

-- name: purge_deliveries
-- Bodies of deliveries understood long ago, a handful at a time; the GUID stays, so that none is ever taken twice.
UPDATE deliveries SET body = NULL WHERE (account_id, guid) IN (
    SELECT account_id, guid FROM deliveries
    WHERE body IS NOT NULL AND handled_at IS NOT NULL AND received_at < $1
    ORDER BY received_at LIMIT $2 FOR UPDATE SKIP LOCKED);

-- name: forget_processes
-- Processes silent for a day explain nothing any more; a lease of theirs is free either way.
DELETE FROM processes WHERE beat_at < now() - interval '1 day' AND id <> $1;

-- name: read_installations
-- Events may be missed: what each installation is now is read again.
UPDATE installations SET read_due_at = now() WHERE state <> 'gone' AND read_due_at IS NULL;

-- name: forget_board_news
-- News of control issues that cannot be written.
DELETE FROM board_news n USING boards b
WHERE (b.account_id, b.project_id) = (n.account_id, n.project_id) AND b.given_up IS NOT NULL;

-- name: forget_confirmations
-- Codes that were used, or that nobody can use any more.
DELETE FROM confirmations WHERE asked_at < now() - interval '1 day';

-- name: forget_outages
-- Outages that ended before $1, and whom they affected.
WITH old AS (
    DELETE FROM outages WHERE ended_at < $1 RETURNING id
), affected AS (
    DELETE FROM outage_repositories WHERE outage_id IN (SELECT id FROM old)
)
SELECT count(*) FROM old;
