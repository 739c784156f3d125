-- Where the App is installed. An event only names an installation; what is stored here was read from GitHub.

CREATE TABLE installations (
    account_id bigint NOT NULL,
    installation_id bigint NOT NULL,
    login text NOT NULL,
    state text NOT NULL DEFAULT 'unknown' CHECK (state IN ('unknown', 'active', 'suspended', 'gone')),
    plan text,
    permissions jsonb NOT NULL DEFAULT '{}',
    lock_refused text,
    lock_failure text,
    lock_job_at timestamptz,
    lock_job_by uuid,
    read_due_at timestamptz,
    read_at timestamptz,
    attempts integer NOT NULL DEFAULT 0,
    leased_at timestamptz,
    leased_by uuid,
    paused_until timestamptz,
    budget_at bigint NOT NULL DEFAULT 0,
    points_by_second integer[] NOT NULL DEFAULT array_fill(0, ARRAY[61]),
    content_by_second integer[] NOT NULL DEFAULT array_fill(0, ARRAY[61]),
    content_by_minute integer[] NOT NULL DEFAULT array_fill(0, ARRAY[61]),
    PRIMARY KEY (account_id, installation_id)
);
COMMENT ON COLUMN installations.lock_refused IS 'GitHub''s words when the plan has no organisation rulesets; null while they work.';
COMMENT ON COLUMN installations.lock_failure IS 'Why the last change of the rulesets failed; null once one went through.';
CREATE UNIQUE INDEX installations_active ON installations (account_id) WHERE state = 'active';
CREATE INDEX installations_read_due ON installations (read_due_at) WHERE read_due_at IS NOT NULL;

CREATE TABLE rulesets (
    account_id bigint NOT NULL,
    target text NOT NULL CHECK (target IN ('branch', 'tag')),
    ruleset_id bigint NOT NULL,
    repository_ids bigint[] NOT NULL,
    sent_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, target)
);
COMMENT ON TABLE rulesets IS 'The organisation''s pair of rulesets: the ids last sent are the fact recorded (docs/design.md section 6).';
