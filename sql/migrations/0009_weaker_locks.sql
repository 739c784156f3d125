-- Weaker locks behind the organisation's set, and the staff's hand (docs/design.md sections 4 and 6).

ALTER TABLE repositories
    ADD COLUMN lock_kind text CHECK (lock_kind IN ('organisation', 'repository', 'archive')),
    ADD COLUMN lock_reason text,
    ADD COLUMN lock_failure text,
    ADD COLUMN branch_ruleset_id bigint,
    ADD COLUMN tag_ruleset_id bigint,
    ADD COLUMN staff_lock boolean,
    ADD COLUMN staff_lock_until timestamptz;
COMMENT ON COLUMN repositories.lock_kind IS 'What holds it closed, or began to: the organisation''s pair, a pair of its own, or the archive.';
COMMENT ON COLUMN repositories.lock_reason IS 'Why no stronger lock is in force, in GitHub''s words.';
COMMENT ON COLUMN repositories.staff_lock IS 'The staff''s hand: stored only where it differs from what the deadline alone would hold.';
UPDATE repositories SET lock_kind = 'organisation' WHERE rulesets > 0;
CREATE INDEX repositories_hand_ends ON repositories (staff_lock_until) WHERE staff_lock_until IS NOT NULL;

-- What the deadlines alone would hold: as the open project that holds it says; else open while a closed project waits
-- for this repository's own deadline, so that an earlier project never cuts an extension short; else closed if any
-- closed project wants it.
CREATE FUNCTION deadline_lock(the_account bigint, the_repository bigint) RETURNS boolean LANGUAGE sql VOLATILE AS $$
    SELECT CASE
        WHEN bool_or(working AND holding) THEN bool_or(working AND holding AND wants)
        WHEN bool_or(working AND waits) THEN false
        WHEN bool_or(working) THEN bool_or(working AND wants)
        WHEN bool_and(withdrawn) THEN false
    END
    FROM (
        SELECT e.holding,
            e.withdrawn_at IS NOT NULL AS withdrawn,
            e.deadline_applied_at IS NULL AS waits,
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

-- The staff's hand comes first wherever a rule speaks at all.
CREATE OR REPLACE FUNCTION wanted_lock(the_account bigint, the_repository bigint) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    by_deadline boolean := deadline_lock(the_account, the_repository);
    by_hand boolean := (SELECT staff_lock FROM repositories WHERE account_id = the_account AND id = the_repository);
BEGIN
    RETURN CASE WHEN by_deadline IS NULL THEN NULL ELSE coalesce(by_hand, by_deadline) END;
END $$;

CREATE TRIGGER wanted_by_hand AFTER UPDATE OF staff_lock ON repositories
    FOR EACH ROW WHEN (OLD.staff_lock IS DISTINCT FROM NEW.staff_lock) EXECUTE FUNCTION keep_wanted_of_repository();
