-- The staff may push where students may not. When a course's teams change, what GitHub holds names the former teams.

ALTER TABLE rulesets ADD COLUMN bypass_stale boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN rulesets.bypass_stale IS 'The staff''s teams have changed since it was sent.';

ALTER TABLE repositories ADD COLUMN bypass_stale boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN repositories.bypass_stale IS 'The staff''s teams have changed since its own pair of rulesets was sent.';

-- What the jobs look for, said once; what it names is kept by the claims of locks and repository_locks.
ALTER TABLE repositories ADD COLUMN lock_differs boolean GENERATED ALWAYS AS (coalesce(
    (wanted_lock AND (rulesets < 2 OR bypass_stale)) OR (NOT wanted_lock AND rulesets > 0), false)) STORED;
COMMENT ON COLUMN repositories.lock_differs IS 'GitHub holds something else than is wanted, as far as facts were recorded.';
DROP INDEX repositories_lock_differs;
CREATE INDEX repositories_lock_differs ON repositories (account_id) WHERE lock_differs;

CREATE FUNCTION staff_teams(the_account bigint) RETURNS bigint[] LANGUAGE sql STABLE AS $$
    SELECT coalesce(array_agg(DISTINCT team_id ORDER BY team_id), '{}')
    FROM courses, unnest(ARRAY[staff_team_id, assistants_team_id]) AS team_id
    WHERE account_id = the_account AND team_id IS NOT NULL
$$;
COMMENT ON FUNCTION staff_teams(bigint) IS 'The teams of the organisation''s courses: they may push where students may not (docs/design.md section 6).';

CREATE FUNCTION stale_bypasses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    -- In the order of the lock job: repositories by their ids, then the pair.
    PERFORM FROM repositories WHERE account_id = NEW.account_id AND lock_kind = 'repository' ORDER BY id FOR NO KEY UPDATE;
    UPDATE repositories SET bypass_stale = true
    WHERE account_id = NEW.account_id AND lock_kind = 'repository' AND NOT bypass_stale;
    UPDATE rulesets SET bypass_stale = true
    WHERE account_id = NEW.account_id AND cardinality(repository_ids) > 0 AND NOT bypass_stale;
    RETURN NULL;
END $$;

-- Triggers fire by name: after `wanted_by_course`, which takes repositories.
CREATE TRIGGER when_a_course_begins AFTER INSERT ON courses FOR EACH ROW EXECUTE FUNCTION stale_bypasses();
CREATE TRIGGER when_teams_change AFTER UPDATE OF staff_team_id, assistants_team_id ON courses FOR EACH ROW
    WHEN ((OLD.staff_team_id, OLD.assistants_team_id) IS DISTINCT FROM (NEW.staff_team_id, NEW.assistants_team_id))
    EXECUTE FUNCTION stale_bypasses();
