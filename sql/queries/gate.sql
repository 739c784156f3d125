-- name: admit
-- May this call go out now: shadow mode, the pause, the budget, in one statement.
SELECT verdict, after_seconds FROM gate_admit($1, $2, $3, $4, $5, $6);

-- name: pause
-- GitHub asked for silence: all processes keep it until then.
UPDATE installations SET paused_until = greatest(paused_until, clock_timestamp() + make_interval(secs => $3::float))
WHERE account_id = $1 AND installation_id = $2;
