-- What was asked of us, what we say, and what must never happen twice.

CREATE TABLE commands (
    account_id bigint NOT NULL,
    comment_id bigint NOT NULL,
    repository_id bigint NOT NULL,
    issue_number integer NOT NULL,
    author_id bigint NOT NULL,
    author_login text NOT NULL,
    body text NOT NULL,
    commented_at timestamptz NOT NULL,
    due_at timestamptz NOT NULL DEFAULT now(),
    attempts integer NOT NULL DEFAULT 0,
    done_at timestamptz,
    outcome text,
    leased_at timestamptz,
    leased_by uuid,
    PRIMARY KEY (account_id, comment_id)
);
CREATE INDEX commands_due ON commands (due_at) WHERE done_at IS NULL;

CREATE TABLE outbox (
    account_id bigint NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    kind text NOT NULL CHECK (kind IN ('comment', 'reaction')),
    mark text NOT NULL,
    repository_id bigint NOT NULL,
    issue_number integer,
    comment_id bigint,
    body text NOT NULL,
    written_at timestamptz NOT NULL,
    due_at timestamptz NOT NULL DEFAULT now(),
    tried_at timestamptz,
    attempts integer NOT NULL DEFAULT 0,
    posted_at timestamptz,
    posted_id bigint,
    given_up text,
    leased_at timestamptz,
    leased_by uuid,
    PRIMARY KEY (account_id, id),
    UNIQUE (account_id, mark)
);
COMMENT ON COLUMN outbox.mark IS 'Hidden in the posted words, so that a crash after the call is seen before the next one.';
CREATE INDEX outbox_due ON outbox (due_at) WHERE posted_at IS NULL AND given_up IS NULL;

CREATE TABLE checks (
    account_id bigint NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    repository_id bigint NOT NULL,
    project_id bigint NOT NULL,
    head_sha text NOT NULL,
    due_at timestamptz,
    tried_at timestamptz,
    attempts integer NOT NULL DEFAULT 0,
    check_run_id bigint,
    said text,
    posted_at timestamptz,
    given_up text,
    leased_at timestamptz,
    leased_by uuid,
    PRIMARY KEY (account_id, repository_id, project_id, head_sha),
    UNIQUE (account_id, id)
);
COMMENT ON COLUMN checks.said IS 'A digest of what GitHub shows: the same words are not sent again.';
CREATE INDEX checks_due ON checks (due_at) WHERE due_at IS NOT NULL;

CREATE TABLE dispatches (
    account_id bigint NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    project_id bigint NOT NULL,
    repository_id bigint NOT NULL,
    trigger text NOT NULL CHECK (trigger IN ('deadline', 'milestone')),
    checkpoint_id bigint NOT NULL DEFAULT 0,
    round integer NOT NULL,
    sha text NOT NULL,
    nonce uuid NOT NULL,
    claimed_at timestamptz NOT NULL,
    outcome text CHECK (outcome IN ('accepted', 'not confirmed', 'given back')),
    answered_at timestamptz,
    github_date timestamptz,
    voided_at timestamptz,
    PRIMARY KEY (account_id, id),
    FOREIGN KEY (account_id, project_id, repository_id) REFERENCES enrolments
);
COMMENT ON TABLE dispatches IS
    'The ledger of repository_dispatch: claimed before the call, unique per round, never sent again (docs/design.md section 7).';
CREATE UNIQUE INDEX dispatches_once ON dispatches (account_id, project_id, repository_id, trigger, checkpoint_id, round)
    WHERE outcome IS DISTINCT FROM 'given back';

CREATE TABLE audit_log (
    account_id bigint NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    at timestamptz NOT NULL,
    actor_kind text NOT NULL CHECK (actor_kind IN ('person', 'clock', 'github')),
    actor_id bigint,
    actor_login text,
    action text NOT NULL,
    course_id bigint,
    project_id bigint,
    repository_id bigint,
    detail jsonb NOT NULL DEFAULT '{}',
    PRIMARY KEY (account_id, id)
);
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'audit_log is append-only: % is refused', TG_OP USING ERRCODE = 'insufficient_privilege';
END $$;
CREATE TRIGGER audit_log_is_append_only BEFORE UPDATE OR DELETE ON audit_log
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_log_is_never_emptied BEFORE TRUNCATE ON audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
