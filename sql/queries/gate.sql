-- name: admit
-- May this call go out now: shadow mode, the pause, the budget, in one statement; and the share that each living worker
-- has of the calls that GitHub takes at once.
SELECT verdict, after_seconds, (
    SELECT greatest(1, $8 / greatest(1, count(*)))::integer FROM processes
    WHERE role <> 'web' AND stopped_at IS NULL AND beat_at > now() - interval '30 seconds') AS at_once
FROM gate_admit($1, $2, $3, $5, $6, $7, $4);

-- name: pause
-- GitHub asked for silence: all processes keep it until then.
UPDATE installations SET paused_until = greatest(paused_until, clock_timestamp() + make_interval(secs => $3::float))
WHERE account_id = $1 AND installation_id = $2;
