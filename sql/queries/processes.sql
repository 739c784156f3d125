-- name: begin
-- A process says that it lives, before it takes any lease.
INSERT INTO processes (id, role) VALUES ($1, $2)
ON CONFLICT (id) DO UPDATE SET beat_at = now(), stopped_at = NULL;

-- name: beat
-- Every two seconds, on a connection of its own; no row means that the process was forgotten while it slept.
UPDATE processes SET beat_at = now(), stopped_at = NULL WHERE id = $1 RETURNING id;

-- name: stop
-- A process that ends on purpose frees its leases at once.
UPDATE processes SET stopped_at = now() WHERE id = $1;

-- name: forget
-- Rows of processes long gone explain nothing any more; a lease of theirs is free either way.
DELETE FROM processes WHERE beat_at < now() - interval '1 day' AND id <> $1;
