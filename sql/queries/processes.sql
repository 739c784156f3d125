-- name: begin
-- A process says that it lives, before it takes any lease, and that the parts of its role do: if none did for a while,
-- the outage is written before this process can tick.
INSERT INTO processes (id, role) VALUES ($1, $2)
ON CONFLICT (id) DO UPDATE SET beat_at = now(), stopped_at = NULL
RETURNING beat_pulse(role);

-- name: beat
-- Every two seconds, on a connection of its own, with what the process's clock ($2) and GitHub's ($3, which a sandbox
-- shifts with the course's) show, for the process and the parts of its role; how far they lie from ours. No row means that the process was forgotten while
-- it slept.
UPDATE processes SET beat_at = now(), stopped_at = NULL, clock_skew = $2 - clock_timestamp(), github_skew = $3 - app_now()
WHERE id = $1 RETURNING role, clock_skew, github_skew, beat_pulse(role);

-- name: alive
-- Who lives, and how far the clocks lie apart.
SELECT role, clock_skew, github_skew FROM processes
WHERE stopped_at IS NULL AND beat_at > now() - interval '30 seconds' ORDER BY started_at;

-- name: stop
-- A process that ends on purpose frees its leases at once.
UPDATE processes SET stopped_at = now() WHERE id = $1;

-- name: forget
-- Rows of processes long gone explain nothing any more; a lease of theirs is free either way.
DELETE FROM processes WHERE beat_at < now() - interval '1 day' AND id <> $1;
