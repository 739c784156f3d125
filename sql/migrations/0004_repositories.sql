-- A repository as GitHub knows it (one row, whatever the projects) and its part in each project.

CREATE TABLE repositories (
    account_id bigint NOT NULL,
    id bigint NOT NULL,
    name text NOT NULL,
    default_branch text NOT NULL,
    private boolean NOT NULL,
    gone_at timestamptz,
    gone_as text CHECK (gone_as IN ('deleted', 'transferred', 'removed')),
    heard_as text CHECK (heard_as IN ('deleted', 'transferred', 'removed')),
    wanted_lock boolean,
    rulesets smallint NOT NULL DEFAULT 0,
    locked_at timestamptz,
    lock_verified_at timestamptz,
    verify_due_at timestamptz,
    read_due_at timestamptz,
    attempts integer NOT NULL DEFAULT 0,
    leased_at timestamptz,
    leased_by uuid,
    PRIMARY KEY (account_id, id)
);
COMMENT ON COLUMN repositories.heard_as IS 'What an event said became of it: believed only once it cannot be reached.';
COMMENT ON COLUMN repositories.wanted_lock IS 'What the rows say GitHub should hold; null: no rule speaks, it keeps what it has.';
COMMENT ON COLUMN repositories.rulesets IS 'The fact: how many of the pair sent to GitHub name it, 0 to 2.';
COMMENT ON COLUMN repositories.locked_at IS 'Since when both name it; written after the call, never conditioned on the desire.';
CREATE INDEX repositories_lock_differs ON repositories (account_id)
    WHERE (wanted_lock AND rulesets < 2) OR (NOT wanted_lock AND rulesets > 0);
CREATE INDEX repositories_read_due ON repositories (read_due_at) WHERE read_due_at IS NOT NULL;
CREATE INDEX repositories_verify_due ON repositories (account_id) WHERE verify_due_at IS NOT NULL;

CREATE TABLE students (
    account_id bigint NOT NULL,
    repository_id bigint NOT NULL,
    user_id bigint NOT NULL,
    login text NOT NULL,
    role text NOT NULL,
    PRIMARY KEY (account_id, repository_id, user_id),
    FOREIGN KEY (account_id, repository_id) REFERENCES repositories
);

CREATE TABLE enrolments (
    account_id bigint NOT NULL,
    project_id bigint NOT NULL,
    repository_id bigint NOT NULL,
    enrolled_at timestamptz NOT NULL,
    withdrawn_at timestamptz,
    holding boolean NOT NULL DEFAULT false,
    deadline_at timestamptz,
    deadline_wall text,
    deadline_zone text,
    deadline_reason text,
    effective_at timestamptz NOT NULL,
    deadline_applied_at timestamptz,
    frozen_at timestamptz,
    current_run bigint,
    frozen_run bigint,
    submission_sha text,
    submission_at timestamptz,
    round integer NOT NULL DEFAULT 1,
    review_settled_at timestamptz,
    review_skipped text,
    PRIMARY KEY (account_id, project_id, repository_id),
    FOREIGN KEY (account_id, project_id) REFERENCES projects,
    FOREIGN KEY (account_id, repository_id) REFERENCES repositories
);
COMMENT ON COLUMN enrolments.effective_at IS 'Own deadline, else the project''s: kept by triggers, read by everything.';
COMMENT ON COLUMN enrolments.holding IS 'Its project is open and has this repository: at most one may (docs/design.md section 8).';
CREATE UNIQUE INDEX enrolments_one_open_project ON enrolments (account_id, repository_id) WHERE holding;
CREATE INDEX enrolments_of_repository ON enrolments (account_id, repository_id);
CREATE INDEX enrolments_not_applied ON enrolments (effective_at)
    WHERE deadline_applied_at IS NULL AND withdrawn_at IS NULL;
CREATE INDEX enrolments_not_frozen ON enrolments (effective_at)
    WHERE deadline_applied_at IS NOT NULL AND frozen_at IS NULL AND withdrawn_at IS NULL;
CREATE INDEX enrolments_review_due ON enrolments (account_id, project_id)
    WHERE frozen_at IS NOT NULL AND review_settled_at IS NULL AND withdrawn_at IS NULL;
