-- The clock of the whole system (docs/design.md section 3) and the processes that share this database (section 5).

CREATE TABLE clock (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    shift interval NOT NULL DEFAULT '0',
    stands_at timestamptz
);
COMMENT ON TABLE clock IS 'Shifted or stopped by the sandbox and the tests alone; a process on the real GitHub refuses to start with it.';
INSERT INTO clock DEFAULT VALUES;

CREATE FUNCTION app_now() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE AS $$
    SELECT coalesce(stands_at, now() + shift) FROM clock
$$;
COMMENT ON FUNCTION app_now() IS 'Course time: deadlines, receipts, reminders and tasks. Leases, heartbeats and pauses use now().';

CREATE TABLE processes (
    id uuid PRIMARY KEY,
    role text NOT NULL,
    started_at timestamptz NOT NULL DEFAULT now(),
    beat_at timestamptz NOT NULL DEFAULT now(),
    stopped_at timestamptz
);
COMMENT ON TABLE processes IS 'Each running process, by its heartbeat every 2 s; after 30 s of silence it is gone.';

CREATE FUNCTION lease_free(leased_at timestamptz, leased_by uuid, lease_seconds integer)
RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT leased_at IS NULL
        OR leased_at < now() - make_interval(secs => lease_seconds)
        OR (leased_by IS NOT NULL AND NOT EXISTS (
            SELECT FROM processes
            WHERE id = leased_by AND stopped_at IS NULL AND beat_at > now() - interval '30 seconds'))
$$;
COMMENT ON FUNCTION lease_free(timestamptz, uuid, integer) IS
    'Nobody works on it: never taken, given back, older than a lease, or its holder is gone (docs/design.md section 5).';
