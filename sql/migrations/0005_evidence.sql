-- What GitHub told us, stored before it is understood (docs/design.md sections 2 and 3).

CREATE TABLE deliveries (
    account_id bigint NOT NULL,
    guid uuid NOT NULL,
    event text NOT NULL,
    action text,
    installation_id bigint,
    repository_id bigint,
    received_at timestamptz NOT NULL,
    body bytea,
    due_at timestamptz NOT NULL DEFAULT now(),
    attempts integer NOT NULL DEFAULT 0,
    handled_at timestamptz,
    outcome text,
    PRIMARY KEY (account_id, guid)
);
COMMENT ON COLUMN deliveries.body IS 'The raw body, compressed by the app: PostgreSQL''s own compression would halve the intake.';
ALTER TABLE deliveries ALTER COLUMN body SET STORAGE EXTERNAL;
CREATE INDEX deliveries_due ON deliveries (due_at) WHERE handled_at IS NULL;

CREATE TABLE receipts (
    account_id bigint NOT NULL,
    repository_id bigint NOT NULL,
    ref text NOT NULL,
    head_sha text NOT NULL,
    before_sha text NOT NULL,
    forced boolean NOT NULL,
    arrived_at timestamptz NOT NULL,
    pushed_at timestamptz,
    logged_at timestamptz,
    activity_at timestamptz,
    received_at timestamptz NOT NULL
        GENERATED ALWAYS AS (least(arrived_at, pushed_at, logged_at, activity_at)) STORED,
    evidence text NOT NULL GENERATED ALWAYS AS (
        CASE least(arrived_at, pushed_at, logged_at, activity_at)
            WHEN arrived_at THEN 'arrival' WHEN pushed_at THEN 'pushed_at'
            WHEN logged_at THEN 'delivery log' ELSE 'activity' END) STORED,
    sender_id bigint,
    sender_login text,
    sender_type text,
    pusher text NOT NULL DEFAULT 'unknown'
        CHECK (pusher IN ('unknown', 'student', 'staff', 'person', 'app', 'actions', 'bot')),
    guid uuid NOT NULL,
    PRIMARY KEY (account_id, repository_id, ref, head_sha)
);
COMMENT ON TABLE receipts IS
    'When a commit reached GitHub on one branch: each time is an upper bound of the true one, so the earliest decides.';

CREATE TABLE runs (
    account_id bigint NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    repository_id bigint NOT NULL,
    run_id bigint NOT NULL,
    attempt integer NOT NULL,
    check_suite_id bigint NOT NULL,
    workflow text NOT NULL,
    event text NOT NULL,
    head_branch text,
    head_sha text NOT NULL,
    display_title text NOT NULL DEFAULT '',
    actor_id bigint,
    status text NOT NULL,
    conclusion text,
    created_at timestamptz NOT NULL,
    started_at timestamptz,
    completed_at timestamptz,
    points numeric,
    max_points numeric,
    score_status text CHECK (score_status IN ('ok', 'none', 'malformed', 'multiple', 'unreadable')),
    score_detail text,
    read_due_at timestamptz,
    attempts integer NOT NULL DEFAULT 0,
    leased_at timestamptz,
    leased_by uuid,
    PRIMARY KEY (account_id, repository_id, run_id, attempt),
    UNIQUE (account_id, id)
);
CREATE INDEX runs_read_due ON runs (read_due_at) WHERE read_due_at IS NOT NULL;
