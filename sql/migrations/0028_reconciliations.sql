-- Runs whose news was lost are found by reading each repository's latest ones now and then, through the same door as the
-- webhook. A repository is marked by housekeeping and read under a lease of its own.

CREATE TABLE reconciliations (
    account_id bigint NOT NULL,
    repository_id bigint NOT NULL,
    due_at timestamptz,
    attempts integer NOT NULL DEFAULT 0,
    leased_at timestamptz,
    leased_by uuid,
    PRIMARY KEY (account_id, repository_id),
    FOREIGN KEY (account_id, repository_id) REFERENCES repositories (account_id, id)
);
COMMENT ON TABLE reconciliations IS
    'Repositories whose latest runs are to be read from GitHub. Rows of their own: marking them waits for nobody who holds repositories.';
CREATE INDEX reconciliations_due ON reconciliations (due_at) WHERE due_at IS NOT NULL;

CREATE FUNCTION repositories_to_reconcile(the_now timestamptz) RETURNS TABLE (account_id bigint, repository_id bigint)
LANGUAGE sql STABLE AS $$
    SELECT DISTINCT e.account_id, e.repository_id
    FROM enrolments e
    JOIN projects p ON (p.account_id, p.id) = (e.account_id, e.project_id)
    JOIN repositories r ON (r.account_id, r.id) = (e.account_id, e.repository_id)
    JOIN installations i ON i.account_id = e.account_id AND i.state = 'active'
    WHERE e.withdrawn_at IS NULL AND r.gone_at IS NULL
        AND p.state IN ('open', 'closed') AND p.archived_at IS NULL AND p.grading <> 'none'
        AND (e.frozen_at IS NULL OR e.frozen_at > the_now - interval '24 hours'
            -- A review that nothing has answered yet is waited for, though not for ever.
            OR (e.frozen_at > the_now - interval '168 hours' AND EXISTS (
                SELECT FROM dispatches d
                WHERE (d.account_id, d.project_id, d.repository_id) = (e.account_id, e.project_id, e.repository_id)
                    AND d.trigger = 'deadline' AND d.voided_at IS NULL AND d.outcome IS DISTINCT FROM 'given back'
                    AND NOT EXISTS (
                        SELECT FROM runs run
                        WHERE run.account_id = d.account_id AND run.repository_id = d.repository_id
                            AND run.workflow = p.workflow AND run.event = 'repository_dispatch' AND run.status = 'completed'
                            -- GitHub counts whole seconds, on its own clock.
                            AND run.created_at >= date_trunc('second', least(d.claimed_at, d.github_date))))))
        -- Whose push has only just come, its run is likely under way and will be told of.
        AND NOT EXISTS (
            SELECT FROM receipts h WHERE h.account_id = e.account_id AND h.repository_id = e.repository_id
                AND h.received_at > the_now - interval '30 minutes')
$$;
COMMENT ON FUNCTION repositories_to_reconcile(timestamptz) IS
    'Quiet repositories of graded projects, until a day after their freeze, or a week while a review is not answered.';

INSERT INTO scheduled_tasks (name, period) VALUES ('read runs', '15 minutes');
