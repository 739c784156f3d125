-- Our own outages are seen (docs/design.md sections 3, 4 and 9): what takes webhooks in and what works with GitHub each
-- have a pulse, and a pulse that stopped is written down by the heartbeat that finds it so.

CREATE TABLE pulses (
    part text PRIMARY KEY CHECK (part IN ('intake', 'work')),
    beat_at timestamptz NOT NULL
);
COMMENT ON TABLE pulses IS 'When any process last said that it takes webhooks in, or works: real time, kept by beat_pulse.';

CREATE TABLE outages (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    part text NOT NULL CHECK (part IN ('intake', 'work')),
    began_at timestamptz NOT NULL,
    ended_at timestamptz NOT NULL,
    looked_at timestamptz,
    recovered_at timestamptz
);
CREATE INDEX outages_not_recovered ON outages (began_at) WHERE recovered_at IS NULL;
COMMENT ON TABLE outages IS 'When no process took webhooks in, or none worked: course time, the ends by the length of the real silence.';
COMMENT ON COLUMN outages.looked_at IS 'GitHub''s records were marked to be read since, and who was affected was written.';
COMMENT ON COLUMN outages.recovered_at IS 'They have been read: what was pushed meanwhile is known.';

CREATE TABLE outage_repositories (
    account_id bigint NOT NULL,
    outage_id bigint NOT NULL,
    project_id bigint NOT NULL,
    repository_id bigint NOT NULL,
    effective_at timestamptz NOT NULL,
    found integer,
    in_time integer,
    PRIMARY KEY (account_id, outage_id, project_id, repository_id)
);
CREATE INDEX outage_repositories_of_outage ON outage_repositories (outage_id);
COMMENT ON TABLE outage_repositories IS
    'Whose deadline an outage touched: the deadline of then, and how many pushes the recovery found, in all and in time.';

CREATE FUNCTION beat_pulse(the_role text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    it text;
    was timestamptz;
    beat timestamptz;
BEGIN
    FOREACH it IN ARRAY CASE the_role WHEN 'web' THEN '{intake}' WHEN 'worker' THEN '{work}' ELSE '{intake,work}' END::text[] LOOP
        INSERT INTO pulses (part, beat_at) VALUES (it, clock_timestamp()) ON CONFLICT DO NOTHING;
        -- Of two processes that end a silence at once, the second finds here the beat of the first, and no silence.
        SELECT beat_at INTO was FROM pulses WHERE part = it FOR NO KEY UPDATE;
        beat := clock_timestamp();
        UPDATE pulses SET beat_at = greatest(beat_at, beat) WHERE part = it;
        IF beat - was > interval '30 seconds' THEN
            INSERT INTO outages (part, began_at, ended_at) VALUES (it, app_now() - (beat - was), app_now());
        END IF;
    END LOOP;
END $$;
COMMENT ON FUNCTION beat_pulse(text) IS
    'A process of this role lives. After more than 30 s in which none did, the outage is written in the same statement.';

CREATE FUNCTION log_read_since(since timestamptz) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM delivery_logs WHERE attempts >= 240 OR (due_at IS NULL AND read_at >= since))
$$;
COMMENT ON FUNCTION log_read_since(timestamptz) IS 'GitHub''s log of deliveries was read since, or would not be for hours of trying.';

CREATE FUNCTION is_recovering(settles_at timestamptz, the_now timestamptz) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
        SELECT FROM pulses WHERE part = 'intake' AND clock_timestamp() - beat_at > interval '30 seconds'
            AND the_now - (clock_timestamp() - beat_at) <= settles_at AND NOT log_read_since(settles_at))
    OR EXISTS (
        SELECT FROM outages o WHERE o.part = 'intake' AND o.recovered_at IS NULL AND o.began_at <= settles_at
            AND (o.looked_at IS NULL OR NOT log_read_since(o.ended_at)))
$$;
COMMENT ON FUNCTION is_recovering(timestamptz, timestamptz) IS
    'Of the time up to there something may lie at GitHub that nobody took in: nobody does now and the log was not read since, or what was missed is not asked for or not in the inbox yet. What each repository''s activity knows besides, that repository alone waits for.';

-- What is said of outages -------------------------------------------------------------------------------------------

CREATE VIEW outages_told AS
SELECT t.account_id, t.project_id, t.outage_id, coalesce(intake.id, t.outage_id) AS told_as
FROM (
    SELECT DISTINCT a.account_id, a.project_id, a.outage_id, o.part, o.began_at, o.ended_at
    FROM outages o JOIN outage_repositories a ON a.outage_id = o.id
    WHERE o.ended_at > app_now() - interval '14 days'
) AS t
LEFT JOIN LATERAL (
    SELECT min(i.id) AS id FROM outages i
    WHERE t.part = 'work' AND i.part = 'intake' AND i.began_at <= t.ended_at AND i.ended_at >= t.began_at
        AND EXISTS (SELECT FROM outage_repositories a
            WHERE (a.account_id, a.outage_id, a.project_id) = (t.account_id, i.id, t.project_id))
) AS intake ON true;
COMMENT ON VIEW outages_told IS
    'The outages of the last 14 days that touched a deadline of a project. Where both parts were down at once it is told once, as the intake''s.';

CREATE FUNCTION outage_detail(the_account bigint, the_project bigint, the_outage bigint) RETURNS jsonb
LANGUAGE sql STABLE SET timezone = 'UTC' AS $$
WITH together AS (
    SELECT o.id, o.part, o.began_at, o.ended_at, o.recovered_at
    FROM outages_told t JOIN outages o ON o.id = t.outage_id
    WHERE (t.account_id, t.project_id, t.told_as) = (the_account, the_project, the_outage)
), span AS (
    SELECT min(began_at) AS began_at, max(ended_at) AS ended_at, string_agg(DISTINCT part, ' and ' ORDER BY part) AS part,
        bool_and(recovered_at IS NOT NULL) AS recovered,
        -- Rounded up to a quarter of an hour.
        ceil(extract(epoch FROM max(ended_at) - min(began_at)) / 900) * interval '15 minutes' AS length
    FROM together
), affected AS (
    SELECT a.repository_id, max(a.effective_at) AS effective_at, max(a.found) AS found, max(a.in_time) AS in_time
    FROM together o
    JOIN outage_repositories a ON (a.account_id, a.outage_id, a.project_id) = (the_account, o.id, the_project)
    GROUP BY a.repository_id
), standing AS (
    -- Who takes part now, and has the deadline of then: the others have been seen to.
    SELECT r.name, e.effective_at, e.effective_at = a.effective_at AS waits
    FROM enrolments e
    JOIN repositories r ON (r.account_id, r.id) = (e.account_id, e.repository_id)
    LEFT JOIN affected a ON a.repository_id = e.repository_id
    WHERE (e.account_id, e.project_id) = (the_account, the_project) AND e.withdrawn_at IS NULL AND r.gone_at IS NULL
), waiting AS (
    SELECT count(*) FILTER (WHERE waits) AS count, bool_and(waits IS TRUE) AS all_of_them,
        min(effective_at) FILTER (WHERE waits) AS earliest, array_agg(name ORDER BY name) FILTER (WHERE waits) AS names
    FROM standing
), ahead AS (
    -- Where that much time from the deadline is over too: the deadline's time of day, that much from now at least.
    SELECT (local::date + CASE WHEN local::time < clock THEN 0 ELSE 1 END + clock) AT TIME ZONE timezone AS at
    FROM (
        SELECT c.timezone, (app_now() + span.length) AT TIME ZONE c.timezone AS local,
            date_trunc('second', p.deadline_at AT TIME ZONE c.timezone)::time AS clock
        FROM span, projects p JOIN courses c ON (c.account_id, c.id) = (p.account_id, p.course_id)
        WHERE (p.account_id, p.id) = (the_account, the_project)
    ) AS wall
)
SELECT jsonb_build_object(
    'since', span.began_at, 'until', span.ended_at, 'part', span.part,
    'repositories', (SELECT count(*) FROM affected),
    'inside', (SELECT bool_and(effective_at BETWEEN span.began_at AND span.ended_at) FROM affected),
    'names', (SELECT to_jsonb((array_agg(r.name ORDER BY r.name))[:50]) FROM affected a
        JOIN repositories r ON (r.account_id, r.id) = (the_account, a.repository_id)),
    'found', (SELECT sum(found) FROM affected WHERE span.recovered),
    'in_time', (SELECT sum(in_time) FROM affected WHERE span.recovered),
    'recovered', span.recovered,
    'seconds', extract(epoch FROM span.length)::bigint,
    'waiting', waiting.count,
    'to', CASE WHEN waiting.all_of_them THEN '["all"]' ELSE to_jsonb(waiting.names[:50]) END,
    'at', CASE WHEN waiting.earliest + span.length <= app_now() THEN ahead.at END)
FROM span, waiting, ahead
$$;
COMMENT ON FUNCTION outage_detail(bigint, bigint, bigint) IS
    'What an outage meant for a project: its length rounded up to a quarter of an hour (`seconds`), who still has the deadline of then (`waiting`, `to`), and a deadline (`at`) where the length alone reopens nothing any more.';

-- As in 0011_tasks.sql, and the outages of this service.
CREATE OR REPLACE VIEW task_causes AS
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
GROUP BY p.account_id, p.course_id, p.id
UNION ALL
SELECT 'outage', p.account_id, p.course_id, p.id, NULL, 'down ' || t.told_as, outage_detail(p.account_id, p.id, t.told_as)
FROM (SELECT DISTINCT account_id, project_id, told_as FROM outages_told) AS t
JOIN projects p ON (p.account_id, p.id) = (t.account_id, t.project_id)
WHERE p.archived_at IS NULL;

-- Housekeeping ------------------------------------------------------------------------------------------------------

INSERT INTO scheduled_tasks (name, period) VALUES ('forget outages', '1 day');
