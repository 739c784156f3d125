-- What follows from other rows is kept by triggers: whoever changes a row, the claims of the sweeper see it.

CREATE FUNCTION keep_own_effective() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.effective_at := coalesce(NEW.deadline_at, (
        SELECT deadline_at FROM projects WHERE account_id = NEW.account_id AND id = NEW.project_id));
    RETURN NEW;
END $$;
CREATE TRIGGER own_deadline BEFORE INSERT OR UPDATE OF deadline_at ON enrolments
    FOR EACH ROW EXECUTE FUNCTION keep_own_effective();

CREATE FUNCTION keep_effective_of_project() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE enrolments SET effective_at = NEW.deadline_at
    WHERE account_id = NEW.account_id AND project_id = NEW.id AND deadline_at IS NULL;
    RETURN NULL;
END $$;
CREATE TRIGGER project_deadline AFTER UPDATE OF deadline_at ON projects
    FOR EACH ROW WHEN (OLD.deadline_at <> NEW.deadline_at) EXECUTE FUNCTION keep_effective_of_project();

-- The wanted lock of docs/design.md section 4. VOLATILE on purpose: re-run after waiting for a row, it sees what the
-- other transaction wrote.
CREATE FUNCTION wanted_lock(the_account bigint, the_repository bigint) RETURNS boolean LANGUAGE sql VOLATILE AS $$
    SELECT CASE
        WHEN bool_or(working AND holding) THEN bool_or(working AND holding AND wants)
        WHEN bool_or(working) THEN bool_or(working AND wants)
        WHEN bool_and(withdrawn) THEN false
    END
    FROM (
        SELECT e.holding,
            e.withdrawn_at IS NOT NULL AS withdrawn,
            e.deadline_applied_at IS NOT NULL AND p.strategy = 'lock' AS wants,
            e.withdrawn_at IS NULL AND p.state <> 'draft' AND p.archived_at IS NULL
                AND r.gone_at IS NULL AND c.mode = 'active' AS working
        FROM enrolments e
        JOIN projects p ON (p.account_id, p.id) = (e.account_id, e.project_id)
        JOIN courses c ON (c.account_id, c.id) = (p.account_id, p.course_id)
        JOIN repositories r ON (r.account_id, r.id) = (e.account_id, e.repository_id)
        WHERE e.account_id = the_account AND e.repository_id = the_repository
    ) AS said
$$;

CREATE FUNCTION keep_wanted_of_enrolment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE repositories SET wanted_lock = wanted_lock(account_id, id)
    WHERE account_id = NEW.account_id AND id = NEW.repository_id;
    RETURN NULL;
END $$;
CREATE TRIGGER wanted_by_enrolment
    AFTER INSERT OR UPDATE OF deadline_applied_at, withdrawn_at, holding ON enrolments
    FOR EACH ROW EXECUTE FUNCTION keep_wanted_of_enrolment();

CREATE FUNCTION keep_wanted_of_project() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE repositories SET wanted_lock = wanted_lock(account_id, id)
    WHERE account_id = NEW.account_id AND id IN (
        SELECT repository_id FROM enrolments WHERE account_id = NEW.account_id AND project_id = NEW.id);
    RETURN NULL;
END $$;
CREATE TRIGGER wanted_by_project AFTER UPDATE OF state, strategy, archived_at ON projects
    FOR EACH ROW EXECUTE FUNCTION keep_wanted_of_project();

CREATE FUNCTION keep_wanted_of_repository() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE repositories SET wanted_lock = wanted_lock(account_id, id)
    WHERE account_id = NEW.account_id AND id = NEW.id;
    RETURN NULL;
END $$;
CREATE TRIGGER wanted_by_reach AFTER UPDATE OF gone_at ON repositories
    FOR EACH ROW EXECUTE FUNCTION keep_wanted_of_repository();

-- Which commits may count at all: on a tracked branch of the project, pushed by a student or another person who does
-- not teach (docs/design.md section 3). Whether one was in time is for the reader to compare with effective_at.
CREATE FUNCTION tracked_branches(branches text[], default_branch text) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
    SELECT CASE WHEN branches = '{}' THEN ARRAY[default_branch] ELSE branches END
$$;

CREATE VIEW eligible_commits AS
SELECT e.account_id, e.project_id, e.repository_id, heard.head_sha, heard.received_at, heard.arrived_at, heard.evidence
FROM enrolments e
JOIN projects p ON (p.account_id, p.id) = (e.account_id, e.project_id)
JOIN repositories r ON (r.account_id, r.id) = (e.account_id, e.repository_id)
JOIN receipts heard ON heard.account_id = e.account_id AND heard.repository_id = e.repository_id
WHERE heard.pusher IN ('student', 'person')
    AND heard.ref IN (SELECT 'refs/heads/' || branch FROM unnest(tracked_branches(p.branches, r.default_branch)) AS branch);
