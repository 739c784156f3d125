-- name: now
-- Course time, read once per unit of work.
SELECT app_now();

-- name: real_now
-- Real time, for leases and for comparing clocks.
SELECT clock_timestamp();

-- name: is_moved
-- Whether course time is not real time: allowed on a loopback GitHub alone.
SELECT shift <> '0' OR stands_at IS NOT NULL FROM clock;

-- name: shift
-- Let course time run on from the given instant.
UPDATE clock SET shift = $1::timestamptz - now(), stands_at = NULL;

-- name: stand
-- Stop course time at the given instant.
UPDATE clock SET stands_at = $1::timestamptz;
