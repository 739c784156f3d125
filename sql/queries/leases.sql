-- name: renew
-- Move the lease on while it is still held; no row means that it was lost.
UPDATE {table} SET {at} = clock_timestamp()
WHERE account_id = $1 AND {key} = $2 AND {at} = $3 AND {by} = $4
RETURNING {at};

-- name: give_back
-- All is settled: free the row, while it is still held.
UPDATE {table} SET {at} = NULL, {by} = NULL
WHERE account_id = $1 AND {key} = $2 AND {at} = $3 AND {by} = $4
RETURNING true;

-- name: backdate
-- A failure: the lease runs out $6 seconds from now, so that a tick takes it again then. Nobody holds it until then: the
-- silence of who did, or its looking for strays, must not cut the waiting short.
UPDATE {table} SET {at} = clock_timestamp() - make_interval(secs => $5::integer) + make_interval(secs => $6::float), {by} = NULL
WHERE account_id = $1 AND {key} = $2 AND {at} = $3 AND {by} = $4
RETURNING true;

-- name: postpone
-- A failure of one row's work: it is due again in $5 seconds and free until then.
UPDATE {table} SET {at} = NULL, {by} = NULL, attempts = attempts + 1,
    {due} = clock_timestamp() + make_interval(secs => $5::float)
WHERE account_id = $1 AND {key} = $2 AND {at} = $3 AND {by} = $4
RETURNING attempts;

-- name: held
-- Is the row still this lease's? Held against others until the transaction ends.
SELECT true FROM {table}
WHERE account_id = $1 AND {key} = $2 AND {at} = $3 AND {by} = $4 FOR NO KEY UPDATE;

-- name: release_strays
-- What this process holds though it works on nothing of it: free for anybody.
UPDATE {table} SET {at} = NULL, {by} = NULL WHERE {by} = $1 AND {key} <> ALL ($2::bigint[])
RETURNING true;
