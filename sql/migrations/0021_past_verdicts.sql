-- A deadline that moves judges anew. What was said of a commit before stays on record, with what replaced it.

CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only: % is refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE TABLE past_verdicts (
    account_id bigint NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    project_id bigint NOT NULL,
    repository_id bigint NOT NULL,
    round integer NOT NULL,
    sha text NOT NULL,
    received_at timestamptz,
    deadline_at timestamptz NOT NULL,
    late boolean,
    submission boolean NOT NULL,
    replaced_at timestamptz NOT NULL,
    comment_id bigint NOT NULL,
    replaced_by bigint NOT NULL,
    replaced_by_login text NOT NULL,
    reason text NOT NULL,
    PRIMARY KEY (account_id, id),
    FOREIGN KEY (account_id, project_id, repository_id) REFERENCES enrolments (account_id, project_id, repository_id)
);
COMMENT ON TABLE past_verdicts IS 'Verdicts that a moved deadline replaced (docs/design.md section 4): rows are only added.';
COMMENT ON COLUMN past_verdicts.deadline_at IS 'The effective deadline by which it was judged.';
COMMENT ON COLUMN past_verdicts.late IS 'Null where it was not known when the commit was received.';
COMMENT ON COLUMN past_verdicts.submission IS 'It was what counted, settled by the freeze of that round.';
COMMENT ON COLUMN past_verdicts.reason IS 'The command as it was typed.';
CREATE INDEX past_verdicts_of_repository ON past_verdicts (account_id, project_id, repository_id, id);
CREATE TRIGGER past_verdicts_stay BEFORE UPDATE OR DELETE ON past_verdicts FOR EACH ROW EXECUTE FUNCTION refuse_change();
