-- What waits for a person, what is kept in order in the background, and what a control issue says (docs/design.md
-- sections 8 to 10).

ALTER TABLE courses
    ADD COLUMN task_due interval DEFAULT '2 days',
    ADD COLUMN escalate_after interval DEFAULT '7 days',
    ADD COLUMN locks_lifted boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN courses.task_due IS 'How long a task may wait before its holders are reminded; null: for ever. Read when a task is opened.';
COMMENT ON COLUMN courses.escalate_after IS 'How long after that the owners are told; null: never.';
COMMENT ON COLUMN courses.locks_lifted IS 'In shadow mode: its locks are to be taken off GitHub, instead of staying as they were.';

ALTER TABLE installations ADD COLUMN lock_failing_since timestamptz;
ALTER TABLE repositories ADD COLUMN lock_failing_since timestamptz;
CREATE FUNCTION keep_lock_failing_since() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.lock_failing_since := CASE WHEN NEW.lock_failure IS NOT NULL THEN coalesce(OLD.lock_failing_since, app_now()) END;
    RETURN NEW;
END $$;
CREATE TRIGGER failing_since BEFORE UPDATE OF lock_failure ON installations
    FOR EACH ROW EXECUTE FUNCTION keep_lock_failing_since();
CREATE TRIGGER failing_since BEFORE UPDATE OF lock_failure ON repositories
    FOR EACH ROW EXECUTE FUNCTION keep_lock_failing_since();

-- Tasks -------------------------------------------------------------------------------------------------------------

CREATE TABLE tasks (
    account_id bigint NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    kind text NOT NULL CHECK (kind IN ('not confirmed', 'to verify', 'weak lock', 'drift', 'outage', 'extension request',
        'dispute', 'second project', 'approve', 'release', 'pre-flight')),
    course_id bigint NOT NULL,
    project_id bigint NOT NULL,
    repository_id bigint,
    key text NOT NULL DEFAULT '',
    detail jsonb NOT NULL DEFAULT '{}',
    addressee_kind text NOT NULL DEFAULT 'role' CHECK (addressee_kind IN ('role', 'team', 'user')),
    addressee text NOT NULL DEFAULT 'staff',
    addressee_id bigint,
    created_at timestamptz NOT NULL,
    due_at timestamptz,
    escalate_at timestamptz,
    reminded_at timestamptz,
    escalated_at timestamptz,
    done_at timestamptz,
    ended text CHECK (ended IN ('done', 'refused', 'gone')),
    cause_gone_at timestamptz,
    PRIMARY KEY (account_id, id),
    FOREIGN KEY (account_id, project_id) REFERENCES projects
);
COMMENT ON TABLE tasks IS 'What waits for a person. `done_at`: nobody needs to do anything any more, `ended` says why.';
COMMENT ON COLUMN tasks.cause_gone_at IS 'What it is about is over. Until then a task that a person has ended is not opened again.';
CREATE UNIQUE INDEX tasks_once ON tasks (account_id, kind, project_id, repository_id, key) NULLS NOT DISTINCT
    WHERE cause_gone_at IS NULL;
CREATE INDEX tasks_due ON tasks (due_at) WHERE done_at IS NULL AND reminded_at IS NULL;
CREATE INDEX tasks_to_escalate ON tasks (escalate_at) WHERE done_at IS NULL AND escalated_at IS NULL;
CREATE INDEX tasks_open ON tasks (account_id, project_id) WHERE done_at IS NULL;

-- Days are days of the calendar at the course, the rest is exact (docs/design.md section 3).
CREATE FUNCTION later(at timestamptz, span interval, zone text) RETURNS timestamptz LANGUAGE sql STABLE AS $$
    SELECT (at AT TIME ZONE zone + make_interval(days => extract(day FROM span)::integer)) AT TIME ZONE zone
        + (span - make_interval(days => extract(day FROM span)::integer))
$$;

CREATE FUNCTION in_time(the_account bigint, the_repository bigint, branch text, sha text, deadline timestamptz)
RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT coalesce((SELECT min(received_at) <= deadline FROM receipts
        WHERE account_id = the_account AND repository_id = the_repository AND ref = 'refs/heads/' || branch AND head_sha = sha), true)
$$;

CREATE INDEX dispatches_not_confirmed ON dispatches (account_id, project_id)
    WHERE voided_at IS NULL AND (outcome IS NULL OR outcome = 'not confirmed');
CREATE INDEX runs_to_verify ON runs (account_id, repository_id) WHERE score_status = 'multiple';

-- What is the case now and needs a person. A task of these kinds is opened for each row, and ends with it.
CREATE VIEW task_causes AS
SELECT 'not confirmed' AS kind, d.account_id, p.course_id, d.project_id, d.repository_id, d.id::text AS key,
    jsonb_build_object('since', d.claimed_at, 'sha', d.sha) AS detail
FROM dispatches d
JOIN projects p ON (p.account_id, p.id) = (d.account_id, d.project_id)
WHERE d.voided_at IS NULL AND (d.outcome IS NULL OR d.outcome = 'not confirmed') AND p.archived_at IS NULL
    -- Without an outcome so long after the claim: the process ended between the call and the record of its answer.
    AND (d.outcome IS NOT NULL OR d.claimed_at < app_now() - interval '10 minutes')
UNION ALL
SELECT 'to verify', run.account_id, p.course_id, p.id, run.repository_id, run.id::text,
    jsonb_build_object('since', run.completed_at, 'sha', run.head_sha)
FROM runs run
JOIN enrolments e ON e.account_id = run.account_id AND e.repository_id = run.repository_id AND e.withdrawn_at IS NULL
JOIN projects p ON (p.account_id, p.id) = (e.account_id, e.project_id)
JOIN repositories r ON (r.account_id, r.id) = (run.account_id, run.repository_id)
WHERE run.score_status = 'multiple' AND run.workflow = p.workflow AND run.event <> 'repository_dispatch'
    AND run.head_branch = ANY (tracked_branches(p.branches, r.default_branch))
    AND in_time(run.account_id, run.repository_id, run.head_branch, run.head_sha, e.effective_at)
    AND p.state IN ('open', 'closed') AND p.archived_at IS NULL
    AND NOT EXISTS (
        SELECT FROM runs newer
        WHERE newer.account_id = run.account_id AND newer.repository_id = run.repository_id AND newer.workflow = run.workflow
            AND newer.event <> 'repository_dispatch' AND newer.status = 'completed'
            AND newer.head_branch = ANY (tracked_branches(p.branches, r.default_branch))
            AND (newer.completed_at, newer.run_id, newer.attempt) > (run.completed_at, run.run_id, run.attempt)
            AND in_time(newer.account_id, newer.repository_id, newer.head_branch, newer.head_sha, e.effective_at))
UNION ALL
SELECT 'weak lock', p.account_id, p.course_id, p.id, NULL::bigint, '', jsonb_build_object('why', i.lock_refused)
FROM projects p
JOIN courses c ON (c.account_id, c.id) = (p.account_id, p.course_id)
JOIN installations i ON i.account_id = p.account_id AND i.state = 'active'
-- The refusal is forgotten at each reading of the installation, to be put to the test again; the plan is not.
WHERE (i.lock_refused IS NOT NULL OR i.plan = 'free')
    AND p.state IN ('open', 'closed') AND p.archived_at IS NULL AND p.strategy = 'lock' AND c.mode = 'active'
UNION ALL
SELECT 'outage', p.account_id, p.course_id, p.id, NULL, 'locks',
    jsonb_build_object('since', min(failing.since), 'why', min(failing.why), 'repositories', count(*))
FROM projects p
JOIN enrolments e ON e.account_id = p.account_id AND e.project_id = p.id AND e.withdrawn_at IS NULL
JOIN repositories r ON (r.account_id, r.id) = (e.account_id, e.repository_id)
JOIN installations i ON i.account_id = p.account_id AND i.state = 'active'
CROSS JOIN LATERAL (
    SELECT coalesce(r.lock_failing_since, i.lock_failing_since) AS since, coalesce(r.lock_failure, i.lock_failure) AS why
) AS failing
WHERE failing.since <= app_now() - interval '10 minutes' AND r.wanted_lock <> (r.locked_at IS NOT NULL)
    AND p.archived_at IS NULL AND p.state <> 'draft'
GROUP BY p.account_id, p.course_id, p.id;

-- Words for the staff -----------------------------------------------------------------------------------------------

ALTER TABLE outbox
    DROP CONSTRAINT outbox_kind_check,
    ADD CONSTRAINT outbox_kind_check CHECK (kind IN ('comment', 'reaction', 'reminder', 'escalation', 'nudge')),
    ADD COLUMN task_ids bigint[];
COMMENT ON COLUMN outbox.task_ids IS 'What a reminder is about. It is worded when it is posted: for who the holders are then, and what is still open.';

-- Up to the full minute, so that what falls due together is one comment. The stamps are what makes it once; the lock
-- only spares the other processes the work.
CREATE FUNCTION sweep_overdue_tasks(the_now timestamptz) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    minute timestamptz := date_trunc('minute', the_now);
    written bigint;
BEGIN
    IF NOT pg_try_advisory_xact_lock(hashtext('sweep_overdue_tasks')) THEN
        RETURN 0;
    END IF;
    WITH overdue AS (
        SELECT account_id, id, project_id,
            (reminded_at IS NULL AND due_at <= minute) IS TRUE AS remind,
            (escalated_at IS NULL AND escalate_at <= minute) IS TRUE AS escalate
        FROM tasks
        WHERE done_at IS NULL
            AND ((reminded_at IS NULL AND due_at <= minute) OR (escalated_at IS NULL AND escalate_at <= minute))
        ORDER BY account_id, id FOR NO KEY UPDATE SKIP LOCKED
    ), stamped AS (
        UPDATE tasks t SET reminded_at = CASE WHEN o.remind THEN the_now ELSE t.reminded_at END,
            escalated_at = CASE WHEN o.escalate THEN the_now ELSE t.escalated_at END
        FROM overdue o WHERE (t.account_id, t.id) = (o.account_id, o.id)
        RETURNING o.account_id, o.id, o.project_id, o.remind, o.escalate
    ), signals AS (
        SELECT account_id, id, project_id, 'reminder' AS kind FROM stamped WHERE remind
        UNION ALL SELECT account_id, id, project_id, 'escalation' FROM stamped WHERE escalate
    )
    INSERT INTO outbox (account_id, kind, mark, repository_id, issue_number, body, task_ids, written_at)
    SELECT s.account_id, s.kind, format('<!-- pencils-down:%s:%s -->', s.kind, min(s.id)), c.repository_id, p.issue_number,
        '', array_agg(s.id ORDER BY s.id), the_now
    FROM signals s
    JOIN projects p ON (p.account_id, p.id) = (s.account_id, s.project_id)
    JOIN courses c ON (c.account_id, c.id) = (p.account_id, p.course_id)
    GROUP BY s.account_id, s.kind, s.project_id, c.repository_id, p.issue_number
    ON CONFLICT (account_id, mark) DO NOTHING;
    GET DIAGNOSTICS written = ROW_COUNT;
    RETURN written;
END $$;

ALTER TABLE projects ADD COLUMN nudged_at timestamptz;
COMMENT ON COLUMN projects.nudged_at IS 'The claim of the nudge for this visit of the state; a change of state clears it.';
CREATE INDEX projects_to_nudge ON projects (deadline_at) WHERE state = 'draft' AND nudged_at IS NULL;
CREATE FUNCTION clear_nudge() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.nudged_at := NULL;
    RETURN NEW;
END $$;
CREATE TRIGGER new_visit BEFORE UPDATE OF state ON projects
    FOR EACH ROW WHEN (OLD.state <> NEW.state) EXECUTE FUNCTION clear_nudge();

-- Housekeeping ------------------------------------------------------------------------------------------------------

CREATE TABLE scheduled_tasks (
    name text PRIMARY KEY,
    period interval NOT NULL DEFAULT '1 day',
    enabled boolean NOT NULL DEFAULT true,
    started_at timestamptz,
    finished_at timestamptz,
    outcome text
);
COMMENT ON TABLE scheduled_tasks IS 'Housekeeping for all organisations together. Only these can be paused (`enabled`), never what follows a deadline.';
INSERT INTO scheduled_tasks (name, period) VALUES
    ('purge deliveries', '1 hour'), ('forget processes', '1 day'), ('read installations', '1 day'), ('forget board news', '1 day');
CREATE INDEX deliveries_to_purge ON deliveries (received_at) WHERE body IS NOT NULL AND handled_at IS NOT NULL;

-- The control issue -------------------------------------------------------------------------------------------------

CREATE TABLE boards (
    account_id bigint NOT NULL,
    project_id bigint NOT NULL,
    due_at timestamptz NOT NULL DEFAULT now(),
    said text,
    edited_at timestamptz,
    given_up text,
    attempts integer NOT NULL DEFAULT 0,
    leased_at timestamptz,
    leased_by uuid,
    PRIMARY KEY (account_id, project_id),
    FOREIGN KEY (account_id, project_id) REFERENCES projects
);
COMMENT ON TABLE boards IS 'What the bot keeps in a control issue: written where there is news and `due_at` has come, so not more often than every 30 s.';
COMMENT ON COLUMN boards.said IS 'A digest of what GitHub shows; null where somebody else touched the issue.';

CREATE TABLE board_news (
    account_id bigint NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    project_id bigint NOT NULL,
    PRIMARY KEY (account_id, id)
);
COMMENT ON TABLE board_news IS
    'A board may have become untrue. Rows are only added, so that writers never wait for each other, and taken away by the job that has read.';
CREATE INDEX board_news_of_project ON board_news (account_id, project_id);

CREATE FUNCTION begin_board() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO boards (account_id, project_id) VALUES (NEW.account_id, NEW.id);
    INSERT INTO board_news (account_id, project_id) VALUES (NEW.account_id, NEW.id);
    RETURN NULL;
END $$;
CREATE TRIGGER board_of_project AFTER INSERT ON projects FOR EACH ROW EXECUTE FUNCTION begin_board();
INSERT INTO boards (account_id, project_id) SELECT account_id, id FROM projects ON CONFLICT DO NOTHING;
INSERT INTO board_news (account_id, project_id) SELECT account_id, id FROM projects;

CREATE FUNCTION tell_board_of_project() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO board_news (account_id, project_id) VALUES (NEW.account_id, NEW.id);
    RETURN NULL;
END $$;
CREATE TRIGGER board_by_project
    AFTER UPDATE OF state, deadline_at, deadline_wall, opens_at, grace_seconds, archived_at ON projects
    FOR EACH ROW EXECUTE FUNCTION tell_board_of_project();

CREATE FUNCTION tell_boards_of_course() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO board_news (account_id, project_id)
    SELECT account_id, id FROM projects WHERE account_id = NEW.account_id AND course_id = NEW.id;
    RETURN NULL;
END $$;
CREATE TRIGGER board_by_course AFTER UPDATE OF timezone, mode ON courses
    FOR EACH ROW EXECUTE FUNCTION tell_boards_of_course();

CREATE FUNCTION tell_boards_of_parts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO board_news (account_id, project_id) SELECT DISTINCT account_id, project_id FROM changed;
    RETURN NULL;
END $$;
CREATE TRIGGER board_by_enrolment AFTER INSERT ON enrolments
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_boards_of_parts();
CREATE TRIGGER board_by_enrolments_change AFTER UPDATE ON enrolments
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_boards_of_parts();
CREATE TRIGGER board_by_dispatch AFTER UPDATE ON dispatches
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_boards_of_parts();
CREATE TRIGGER board_by_task AFTER INSERT ON tasks
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_boards_of_parts();
CREATE TRIGGER board_by_tasks_change AFTER UPDATE ON tasks
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_boards_of_parts();

CREATE FUNCTION tell_boards_of_repositories() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO board_news (account_id, project_id)
    SELECT DISTINCT e.account_id, e.project_id
    FROM changed now_is
    JOIN before was ON (was.account_id, was.id) = (now_is.account_id, now_is.id)
    JOIN enrolments e ON e.account_id = now_is.account_id AND e.repository_id = now_is.id
    WHERE (was.name, was.locked_at, was.lock_verified_at, was.gone_at, was.lock_kind, was.staff_lock)
        IS DISTINCT FROM (now_is.name, now_is.locked_at, now_is.lock_verified_at, now_is.gone_at, now_is.lock_kind, now_is.staff_lock);
    RETURN NULL;
END $$;
CREATE TRIGGER board_by_repository AFTER UPDATE ON repositories
    REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_boards_of_repositories();

-- A receipt is classified when it is understood, after GitHub was answered: what comes in is not slowed down by this.
CREATE FUNCTION tell_boards_of_receipts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO board_news (account_id, project_id)
    SELECT DISTINCT e.account_id, e.project_id FROM changed
    JOIN enrolments e ON e.account_id = changed.account_id AND e.repository_id = changed.repository_id;
    RETURN NULL;
END $$;
CREATE TRIGGER board_by_receipt AFTER UPDATE ON receipts
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION tell_boards_of_receipts();

-- The mode of a course ----------------------------------------------------------------------------------------------

CREATE OR REPLACE FUNCTION deadline_lock(the_account bigint, the_repository bigint) RETURNS boolean LANGUAGE sql VOLATILE AS $$
    SELECT CASE
        WHEN bool_or(working AND holding) THEN bool_or(working AND holding AND wants)
        WHEN bool_or(working AND waits) THEN false
        WHEN bool_or(working) THEN bool_or(working AND wants)
        WHEN bool_and(withdrawn OR lifted) THEN false
    END
    FROM (
        SELECT e.holding,
            e.withdrawn_at IS NOT NULL AS withdrawn,
            c.mode = 'shadow' AND c.locks_lifted AS lifted,
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

CREATE FUNCTION keep_wanted_of_course() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    theirs bigint[] := array(
        SELECT e.repository_id FROM enrolments e JOIN projects p ON (p.account_id, p.id) = (e.account_id, e.project_id)
        WHERE p.account_id = NEW.account_id AND p.course_id = NEW.id);
BEGIN
    -- In the order in which the lock job holds them.
    PERFORM FROM repositories WHERE account_id = NEW.account_id AND id = ANY (theirs) ORDER BY id FOR NO KEY UPDATE;
    UPDATE repositories SET wanted_lock = wanted_lock(account_id, id) WHERE account_id = NEW.account_id AND id = ANY (theirs);
    RETURN NULL;
END $$;
CREATE TRIGGER wanted_by_course AFTER UPDATE OF mode, locks_lifted ON courses
    FOR EACH ROW WHEN (OLD.mode <> NEW.mode OR OLD.locks_lifted <> NEW.locks_lifted) EXECUTE FUNCTION keep_wanted_of_course();
