-- An unlock by hand is an exemption from the deadlines that closed the repository then, and from no other: the next
-- project's deadline closes it, and what happens to a draft leaves it alone (docs/design.md section 4). A lock by hand is
-- over where the deadline closes the repository too, and nothing is closed where no rule speaks.

ALTER TABLE repositories ADD COLUMN exempt_from bigint[] NOT NULL DEFAULT '{}';
COMMENT ON COLUMN repositories.exempt_from IS
    'The projects whose deadline an unlock by hand (`staff_lock` false) sets aside. None named: all of them, as older versions stored it.';

CREATE FUNCTION closing_deadlines(the_account bigint, the_repository bigint, by_then timestamptz) RETURNS bigint[]
LANGUAGE sql AS $$
    SELECT coalesce(array_agg(p.id ORDER BY p.id), '{}')
    FROM enrolments e
    JOIN projects p ON (p.account_id, p.id) = (e.account_id, e.project_id)
    JOIN courses c ON (c.account_id, c.id) = (p.account_id, p.course_id)
    JOIN repositories r ON (r.account_id, r.id) = (e.account_id, e.repository_id)
    WHERE e.account_id = the_account AND e.repository_id = the_repository AND e.withdrawn_at IS NULL AND r.gone_at IS NULL
        AND p.state <> 'draft' AND p.archived_at IS NULL AND c.mode = 'active' AND p.strategy = 'lock'
        AND (e.deadline_applied_at IS NOT NULL OR e.effective_at <= by_then)
$$;
COMMENT ON FUNCTION closing_deadlines(bigint, bigint, timestamptz) IS
    'The projects whose deadline wants the repository closed once all that has come by then is applied. Twin: closing_deadlines in bot/rules/parts.py.';

CREATE FUNCTION deadline_lock_by(the_account bigint, the_repository bigint, by_then timestamptz, exempt bigint[]) RETURNS boolean
LANGUAGE sql AS $$
    SELECT CASE
        WHEN bool_or(working AND holds) THEN bool_or(working AND holds AND wants)
        WHEN bool_or(working AND NOT applied) THEN false
        WHEN bool_or(working) THEN bool_or(working AND wants)
        WHEN bool_or(let_go) AND bool_and(let_go OR draft) THEN false
    END
    FROM (
        -- A deadline that has come and waits for the next tick counts as applied, and lets go of what it held.
        SELECT e.holding AND p.deadline_at > by_then AS holds,
            e.withdrawn_at IS NOT NULL OR (c.mode = 'shadow' AND c.locks_lifted) AS let_go,
            p.state = 'draft' AS draft,
            e.deadline_applied_at IS NOT NULL OR e.effective_at <= by_then AS applied,
            (e.deadline_applied_at IS NOT NULL OR e.effective_at <= by_then) AND p.strategy = 'lock'
                AND NOT p.id = ANY (exempt) AS wants,
            e.withdrawn_at IS NULL AND p.state <> 'draft' AND p.archived_at IS NULL
                AND r.gone_at IS NULL AND c.mode = 'active' AS working
        FROM enrolments e
        JOIN projects p ON (p.account_id, p.id) = (e.account_id, e.project_id)
        JOIN courses c ON (c.account_id, c.id) = (p.account_id, p.course_id)
        JOIN repositories r ON (r.account_id, r.id) = (e.account_id, e.repository_id)
        WHERE e.account_id = the_account AND e.repository_id = the_repository
    ) AS said
$$;
COMMENT ON FUNCTION deadline_lock_by(bigint, bigint, timestamptz, bigint[]) IS
    'The lock that the deadlines want once all that has come by then is applied, but for those of the exempt projects; null: nothing speaks. Twin: lock_by_deadlines in bot/rules/parts.py.';

CREATE OR REPLACE FUNCTION deadline_lock(the_account bigint, the_repository bigint) RETURNS boolean
LANGUAGE sql AS $$
    SELECT deadline_lock_by(the_account, the_repository, '-infinity', '{}')
$$;
COMMENT ON FUNCTION deadline_lock(bigint, bigint) IS 'The lock that the applied deadlines alone want; null: nothing speaks.';

CREATE FUNCTION is_spoken_for(the_account bigint, the_repository bigint) RETURNS boolean
LANGUAGE sql AS $$
    SELECT EXISTS (
        SELECT FROM enrolments e
        JOIN projects p ON (p.account_id, p.id) = (e.account_id, e.project_id)
        JOIN courses c ON (c.account_id, c.id) = (p.account_id, p.course_id)
        JOIN repositories r ON (r.account_id, r.id) = (e.account_id, e.repository_id)
        WHERE e.account_id = the_account AND e.repository_id = the_repository AND e.withdrawn_at IS NULL
            AND p.state <> 'draft' AND p.archived_at IS NULL AND r.gone_at IS NULL AND c.mode = 'active')
$$;
COMMENT ON FUNCTION is_spoken_for(bigint, bigint) IS
    'Whether a project takes work there in a course that is not in shadow mode: elsewhere the staff''s hand closes nothing. Twin: Part.speaks in bot/rules/parts.py.';

CREATE OR REPLACE FUNCTION wanted_lock(the_account bigint, the_repository bigint) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
    hand boolean;
    exempt bigint[];
BEGIN
    SELECT staff_lock, exempt_from INTO hand, exempt FROM repositories WHERE account_id = the_account AND id = the_repository;
    IF hand IS NOT NULL AND (hand OR exempt = '{}') AND is_spoken_for(the_account, the_repository) THEN
        RETURN hand;
    END IF;
    RETURN deadline_lock_by(the_account, the_repository, '-infinity', exempt);
END $$;
COMMENT ON FUNCTION wanted_lock(bigint, bigint) IS
    'A lock by hand, else what the deadlines want that no unlock by hand sets aside. Twin: wanted_lock in bot/rules/parts.py.';

CREATE FUNCTION keep_wanted(the_account bigint, the_repositories bigint[]) RETURNS void
LANGUAGE sql AS $$
    UPDATE repositories SET wanted_lock = wanted_lock(account_id, id),
        staff_lock = CASE WHEN staff_lock AND deadline_lock(account_id, id) THEN NULL ELSE staff_lock END
    WHERE account_id = the_account AND id = ANY (the_repositories)
$$;
COMMENT ON FUNCTION keep_wanted(bigint, bigint[]) IS
    'Writes down which lock these repositories should have; a lock by hand that their deadline wants too is over.';

CREATE OR REPLACE FUNCTION keep_wanted_of_course() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    theirs bigint[] := array(
        SELECT e.repository_id FROM enrolments e JOIN projects p ON (p.account_id, p.id) = (e.account_id, e.project_id)
        WHERE p.account_id = NEW.account_id AND p.course_id = NEW.id);
BEGIN
    -- In the order in which the lock job holds them.
    PERFORM FROM repositories WHERE account_id = NEW.account_id AND id = ANY (theirs) ORDER BY id FOR NO KEY UPDATE;
    PERFORM keep_wanted(NEW.account_id, theirs);
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION keep_wanted_of_project() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    theirs bigint[] := array(
        SELECT repository_id FROM enrolments WHERE account_id = NEW.account_id AND project_id = NEW.id);
BEGIN
    PERFORM FROM repositories WHERE account_id = NEW.account_id AND id = ANY (theirs) ORDER BY id FOR NO KEY UPDATE;
    PERFORM keep_wanted(NEW.account_id, theirs);
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION keep_wanted_of_enrolment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM keep_wanted(NEW.account_id, ARRAY[NEW.repository_id]);
    RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION keep_wanted_of_repository() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM keep_wanted(NEW.account_id, ARRAY[NEW.id]);
    RETURN NULL;
END $$;

-- Which projects an exemption is from decides the lock as the hand does.
DROP TRIGGER wanted_by_hand ON repositories;
CREATE TRIGGER wanted_by_hand AFTER UPDATE OF staff_lock, exempt_from ON repositories FOR EACH ROW
WHEN ((OLD.staff_lock, OLD.exempt_from) IS DISTINCT FROM (NEW.staff_lock, NEW.exempt_from))
EXECUTE FUNCTION keep_wanted_of_repository();

-- Hands of before: an exemption is from the deadlines that it stands against now.
UPDATE repositories r SET exempt_from = closing.projects, staff_lock = CASE WHEN closing.projects <> '{}' THEN false END,
    staff_lock_until = CASE WHEN closing.projects <> '{}' THEN staff_lock_until END
FROM (SELECT account_id, id, closing_deadlines(account_id, id, app_now()) AS projects FROM repositories WHERE staff_lock = false) AS closing
WHERE (r.account_id, r.id) = (closing.account_id, closing.id);
SELECT keep_wanted(account_id, array_agg(id)) FROM repositories WHERE staff_lock GROUP BY account_id;
