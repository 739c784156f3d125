-- Wide commands ask before they act, and changes can be taken back (docs/design.md section 10).

CREATE TABLE confirmations (
    account_id bigint NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    repository_id bigint NOT NULL,
    issue_number integer NOT NULL,
    code text NOT NULL,
    comment_id bigint NOT NULL,
    line text NOT NULL,
    reading jsonb NOT NULL,
    fingerprint text NOT NULL,
    asked_at timestamptz NOT NULL DEFAULT now(),
    used_at timestamptz,
    used_by bigint,
    PRIMARY KEY (account_id, id),
    UNIQUE (account_id, repository_id, code)
);
COMMENT ON TABLE confirmations IS 'Commands that were previewed and wait ten minutes of real time for /confirm; nothing of them is done yet.';
COMMENT ON COLUMN confirmations.reading IS 'When the line was read and the deadlines of then: a relative time keeps the meaning that the preview showed.';
COMMENT ON COLUMN confirmations.fingerprint IS 'A digest of what the preview said would change: another one at the confirmation is previewed again.';
CREATE INDEX confirmations_waiting ON confirmations (account_id, repository_id, issue_number) WHERE used_at IS NULL;

CREATE TABLE changes (
    account_id bigint NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    project_id bigint NOT NULL,
    comment_id bigint NOT NULL,
    command text NOT NULL,
    line text NOT NULL,
    inverse jsonb NOT NULL,
    made_by bigint NOT NULL,
    made_by_login text NOT NULL,
    made_at timestamptz NOT NULL,
    undone_at timestamptz,
    PRIMARY KEY (account_id, id),
    FOREIGN KEY (account_id, project_id) REFERENCES projects
);
COMMENT ON TABLE changes IS 'What commands changed in a project, each with what takes it back as data; /undo reverts the last.';
COMMENT ON COLUMN changes.command IS 'Who may give this command may take the change back.';
CREATE INDEX changes_of_project ON changes (account_id, project_id, id);

-- A comment that was recovered long after it was written is previewed first.
ALTER TABLE commands ADD COLUMN heard_at timestamptz NOT NULL DEFAULT app_now();
COMMENT ON COLUMN commands.heard_at IS 'When its delivery reached us, in course time.';
