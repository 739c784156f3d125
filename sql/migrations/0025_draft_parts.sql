-- A withdrawal lifts the lock also where the repository is part of a draft besides: a draft has never locked anything,
-- so there is nothing that it could keep (docs/design.md section 4). Twin: lock_by_deadlines in bot/rules/parts.py.

CREATE OR REPLACE FUNCTION deadline_lock(the_account bigint, the_repository bigint) RETURNS boolean LANGUAGE sql VOLATILE AS $$
    SELECT CASE
        WHEN bool_or(working AND holding) THEN bool_or(working AND holding AND wants)
        WHEN bool_or(working AND waits) THEN false
        WHEN bool_or(working) THEN bool_or(working AND wants)
        WHEN bool_or(let_go) AND bool_and(let_go OR draft) THEN false
    END
    FROM (
        SELECT e.holding,
            e.withdrawn_at IS NOT NULL OR (c.mode = 'shadow' AND c.locks_lifted) AS let_go,
            p.state = 'draft' AS draft,
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
COMMENT ON FUNCTION deadline_lock(bigint, bigint) IS
    'The lock that the deadlines alone want; null: nothing speaks. Twin: lock_by_deadlines in bot/rules/parts.py.';
COMMENT ON FUNCTION wanted_lock(bigint, bigint) IS
    'The staff''s hand if set, else what the deadlines want. Twin: wanted_lock in bot/rules/parts.py.';
COMMENT ON FUNCTION followed(receipts) IS
    'Whether another push of the same second came after this one on its branch. Twin: _followed in bot/rules/submissions.py.';
COMMENT ON VIEW eligible_commits IS
    'What students pushed to branches that count. Twin: _eligible in bot/rules/submissions.py.';
