-- What sql/migrations add up to. Written by `make schema`; do not edit.

CREATE FUNCTION public.app_now() RETURNS timestamp with time zone
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$
    SELECT coalesce(stands_at, now() + shift) FROM clock
$$;

COMMENT ON FUNCTION public.app_now() IS 'Course time: deadlines, receipts, reminders and tasks. Leases, heartbeats and pauses use now().';

CREATE FUNCTION public.ask_of_returned() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO activities (account_id, repository_id, due_at)
    SELECT NEW.account_id, NEW.id, clock_timestamp()
    WHERE EXISTS (SELECT FROM enrolments e WHERE (e.account_id, e.repository_id) = (NEW.account_id, NEW.id))
    ON CONFLICT (account_id, repository_id) DO UPDATE SET due_at = clock_timestamp(), attempts = 0;
    RETURN NULL;
END $$;

CREATE FUNCTION public.beat_pulse(the_role text) RETURNS void
    LANGUAGE plpgsql
    AS $$
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

COMMENT ON FUNCTION public.beat_pulse(the_role text) IS 'A process of this role lives. After more than 30 s in which none did, the outage is written in the same statement.';

CREATE FUNCTION public.begin_board() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO boards (account_id, project_id) VALUES (NEW.account_id, NEW.id);
    INSERT INTO board_news (account_id, project_id) VALUES (NEW.account_id, NEW.id);
    RETURN NULL;
END $$;

CREATE FUNCTION public.believed_claim(the_account bigint, the_repository bigint, the_ref text, the_before text, claimed timestamp with time zone, heard timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE sql STABLE
    AS $$
    SELECT CASE WHEN claimed >= heard - interval '10 minutes' AND claimed >= coalesce((
        SELECT min(received_at) FROM receipts
        WHERE account_id = the_account AND repository_id = the_repository AND ref = the_ref AND head_sha = the_before
    ), '-infinity') THEN claimed END
$$;

COMMENT ON FUNCTION public.believed_claim(the_account bigint, the_repository bigint, the_ref text, the_before text, claimed timestamp with time zone, heard timestamp with time zone) IS 'GitHub''s pushed_at where it can be true: not before the receipt of what was there before, nor long before it was heard of. Twin: believed_claim in bot/rules/evidence.py.';

CREATE FUNCTION public.clear_nudge() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    NEW.nudged_at := NULL;
    RETURN NEW;
END $$;

CREATE FUNCTION public.closing_deadlines(the_account bigint, the_repository bigint, by_then timestamp with time zone) RETURNS bigint[]
    LANGUAGE sql
    AS $$
    SELECT coalesce(array_agg(p.id ORDER BY p.id), '{}')
    FROM enrolments e
    JOIN projects p ON (p.account_id, p.id) = (e.account_id, e.project_id)
    JOIN courses c ON (c.account_id, c.id) = (p.account_id, p.course_id)
    JOIN repositories r ON (r.account_id, r.id) = (e.account_id, e.repository_id)
    WHERE e.account_id = the_account AND e.repository_id = the_repository AND e.withdrawn_at IS NULL AND r.gone_at IS NULL
        AND p.state <> 'draft' AND p.archived_at IS NULL AND c.mode = 'active' AND p.strategy = 'lock'
        AND (e.deadline_applied_at IS NOT NULL OR e.effective_at <= by_then)
$$;

COMMENT ON FUNCTION public.closing_deadlines(the_account bigint, the_repository bigint, by_then timestamp with time zone) IS 'The projects whose deadline wants the repository closed once all that has come by then is applied. Twin: closing_deadlines in bot/rules/parts.py.';

CREATE FUNCTION public.deadline_lock(the_account bigint, the_repository bigint) RETURNS boolean
    LANGUAGE sql
    AS $$
    SELECT deadline_lock_by(the_account, the_repository, '-infinity', '{}')
$$;

COMMENT ON FUNCTION public.deadline_lock(the_account bigint, the_repository bigint) IS 'The lock that the applied deadlines alone want; null: nothing speaks.';

CREATE FUNCTION public.deadline_lock_by(the_account bigint, the_repository bigint, by_then timestamp with time zone, exempt bigint[]) RETURNS boolean
    LANGUAGE sql
    AS $$
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

COMMENT ON FUNCTION public.deadline_lock_by(the_account bigint, the_repository bigint, by_then timestamp with time zone, exempt bigint[]) IS 'The lock that the deadlines want once all that has come by then is applied, but for those of the exempt projects; null: nothing speaks. Twin: lock_by_deadlines in bot/rules/parts.py.';

CREATE TABLE public.receipts (
    account_id bigint NOT NULL,
    repository_id bigint NOT NULL,
    ref text NOT NULL,
    head_sha text NOT NULL,
    before_sha text NOT NULL,
    forced boolean NOT NULL,
    arrived_at timestamp with time zone NOT NULL,
    pushed_at timestamp with time zone,
    logged_at timestamp with time zone,
    activity_at timestamp with time zone,
    received_at timestamp with time zone GENERATED ALWAYS AS (LEAST(arrived_at, pushed_at, logged_at, activity_at)) STORED NOT NULL,
    evidence text GENERATED ALWAYS AS (
CASE LEAST(arrived_at, pushed_at, logged_at, activity_at)
    WHEN arrived_at THEN 'arrival'::text
    WHEN pushed_at THEN 'pushed_at'::text
    WHEN logged_at THEN 'delivery log'::text
    ELSE 'activity'::text
END) STORED NOT NULL,
    sender_id bigint,
    sender_login text,
    sender_type text,
    pusher text DEFAULT 'unknown'::text NOT NULL,
    guid uuid,
    asked integer DEFAULT 0 NOT NULL,
    claimed_at timestamp with time zone,
    activity_id bigint,
    commits_listed boolean DEFAULT false NOT NULL,
    CONSTRAINT receipts_pusher_check CHECK ((pusher = ANY (ARRAY['unknown'::text, 'student'::text, 'staff'::text, 'person'::text, 'app'::text, 'actions'::text, 'bot'::text])))
);

COMMENT ON TABLE public.receipts IS 'When a commit reached GitHub on one branch: each time is an upper bound of the true one, so the earliest decides.';

COMMENT ON COLUMN public.receipts.arrived_at IS 'When this service heard of the push: by its webhook, or by asking.';

COMMENT ON COLUMN public.receipts.pushed_at IS 'The same where it is believed (the function believed_claim).';

COMMENT ON COLUMN public.receipts.asked IS 'How many times the activity was asked and did not list this push.';

COMMENT ON COLUMN public.receipts.claimed_at IS 'repository.pushed_at of the payload, as it was told.';

COMMENT ON COLUMN public.receipts.commits_listed IS 'Every commit that came with it is known: in inner_commits, but for the head.';

CREATE FUNCTION public.followed(heard public.receipts) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
    SELECT EXISTS (
        SELECT FROM receipts next
        WHERE next.account_id = heard.account_id AND next.repository_id = heard.repository_id AND next.ref = heard.ref
            AND next.before_sha = heard.head_sha AND next.received_at = heard.received_at)
$$;

COMMENT ON FUNCTION public.followed(heard public.receipts) IS 'Whether another push of the same second came after this one on its branch. Twin: _followed in bot/rules/submissions.py.';

CREATE FUNCTION public.gate_admit(the_account bigint, the_installation bigint, targets bigint[], points integer, content integer, ceiling integer, lifts boolean DEFAULT false) RETURNS TABLE(verdict text, after_seconds double precision)
    LANGUAGE plpgsql
    AS $$
DECLARE
    row_held installations;
    this_second bigint;
    this_minute bigint;
    second_slot integer;
    minute_slot integer;
    seconds_spent integer[];
    content_seconds integer[];
    content_minutes integer[];
    seconds_to_wait integer;
BEGIN
    IF EXISTS (
        SELECT FROM enrolments e
        JOIN projects p ON (p.account_id, p.id) = (e.account_id, e.project_id)
        JOIN courses c ON (c.account_id, c.id) = (p.account_id, p.course_id)
        WHERE e.account_id = the_account AND e.repository_id = ANY (targets)
        GROUP BY e.repository_id HAVING bool_and(c.mode = 'shadow' AND NOT (lifts AND c.locks_lifted))
    ) THEN
        RETURN QUERY SELECT 'shadow', 0.0::double precision;
        RETURN;
    END IF;
    SELECT * INTO row_held FROM installations
    WHERE account_id = the_account AND installation_id = the_installation FOR UPDATE;
    IF row_held.paused_until > clock_timestamp() THEN
        RETURN QUERY SELECT 'paused', extract(epoch FROM row_held.paused_until - clock_timestamp())::double precision;
        RETURN;
    END IF;
    -- Read once the row is held: a time from before the wait would wind the ring back over what others spent meanwhile.
    this_second := floor(extract(epoch FROM clock_timestamp()));
    this_minute := this_second / 60;
    seconds_spent := spent_since(row_held.points_by_second, row_held.budget_at, this_second);
    content_seconds := spent_since(row_held.content_by_second, row_held.budget_at, this_second);
    content_minutes := spent_since(row_held.content_by_minute, row_held.budget_at / 60, this_minute);
    seconds_to_wait := slots_until_room(seconds_spent, this_second, ceiling - points);
    IF content > 0 THEN
        seconds_to_wait := greatest(seconds_to_wait, slots_until_room(content_seconds, this_second, 80 - content),
            60 * slots_until_room(content_minutes, this_minute, 500 - content));
    END IF;
    IF seconds_to_wait > 0 THEN
        RETURN QUERY SELECT 'wait', seconds_to_wait::double precision;
        RETURN;
    END IF;
    second_slot := this_second % cardinality(seconds_spent) + 1;
    minute_slot := this_minute % cardinality(content_minutes) + 1;
    seconds_spent[second_slot] := seconds_spent[second_slot] + points;
    content_seconds[second_slot] := content_seconds[second_slot] + content;
    content_minutes[minute_slot] := content_minutes[minute_slot] + content;
    UPDATE installations SET budget_at = this_second, points_by_second = seconds_spent,
        content_by_second = content_seconds, content_by_minute = content_minutes
    WHERE account_id = the_account AND installation_id = the_installation;
    RETURN QUERY SELECT 'go', 0.0::double precision;
END $$;

CREATE FUNCTION public.hear_push(the_account bigint, the_repository bigint, the_ref text, the_head text, the_before text, is_forced boolean, arrived timestamp with time zone, claimed timestamp with time zone, logged timestamp with time zone, active timestamp with time zone, the_sender bigint, the_login text, the_type text, the_guid uuid, the_activity bigint) RETURNS TABLE(news text, was timestamp with time zone, becomes timestamp with time zone)
    LANGUAGE plpgsql
    AS $$
DECLARE
    believed timestamptz := believed_claim(the_account, the_repository, the_ref, the_before, claimed, least(arrived, logged, active));
    -- GitHub's own word of when this push was, else ours.
    moment timestamptz := coalesce(active, claimed, logged, arrived);
    received timestamptz := least(arrived, believed, logged, active);
    stands receipts;
    again returned_heads;
BEGIN
    INSERT INTO receipts (account_id, repository_id, ref, head_sha, before_sha, forced, arrived_at, claimed_at, pushed_at,
        logged_at, activity_at, sender_id, sender_login, sender_type, guid, activity_id)
    VALUES (the_account, the_repository, the_ref, the_head, the_before, is_forced, arrived, claimed, believed,
        logged, active, the_sender, the_login, the_type, the_guid, the_activity)
    ON CONFLICT DO NOTHING;
    IF FOUND THEN
        RETURN QUERY SELECT 'new', NULL::timestamptz, received;
        RETURN;
    END IF;
    SELECT * INTO stands FROM receipts
    WHERE (account_id, repository_id, ref, head_sha) = (the_account, the_repository, the_ref, the_head) FOR NO KEY UPDATE;
    IF stands.guid = the_guid OR stands.activity_id = the_activity OR (
        (stands.guid IS NULL OR the_guid IS NULL) AND (stands.activity_id IS NULL OR the_activity IS NULL)
        AND is_same_push(stands.before_sha, ARRAY[stands.activity_at, stands.claimed_at, stands.logged_at, stands.arrived_at],
            the_before, moment)
    ) THEN
        -- The same push by another witness: times are only added.
        UPDATE receipts SET arrived_at = least(arrived_at, arrived), claimed_at = coalesce(claimed_at, claimed),
            pushed_at = least(pushed_at, believed), logged_at = least(logged_at, logged),
            activity_at = least(activity_at, active), guid = coalesce(guid, the_guid),
            activity_id = coalesce(activity_id, the_activity), sender_id = coalesce(sender_id, the_sender),
            sender_login = coalesce(sender_login, the_login), sender_type = coalesce(sender_type, the_type)
        WHERE (account_id, repository_id, ref, head_sha) = (the_account, the_repository, the_ref, the_head)
            AND (least(arrived_at, arrived), coalesce(claimed_at, claimed), least(pushed_at, believed), least(logged_at, logged),
                least(activity_at, active), coalesce(guid, the_guid), coalesce(activity_id, the_activity))
                IS DISTINCT FROM (arrived_at, claimed_at, pushed_at, logged_at, activity_at, guid, activity_id);
        RETURN QUERY SELECT CASE WHEN NOT FOUND THEN 'known' WHEN received < stands.received_at THEN 'earlier' ELSE 'added' END,
            stands.received_at, least(received, stands.received_at);
        RETURN;
    END IF;
    SELECT * INTO again FROM returned_heads r
    WHERE (r.account_id, r.repository_id, r.ref, r.head_sha) = (the_account, the_repository, the_ref, the_head)
        AND (r.guid = the_guid OR r.activity_id = the_activity OR (
            (r.guid IS NULL OR the_guid IS NULL) AND (r.activity_id IS NULL OR the_activity IS NULL)
            AND is_same_push(r.before_sha, ARRAY[r.activity_at, r.claimed_at, r.logged_at, r.arrived_at], the_before, moment)))
    ORDER BY coalesce(r.guid = the_guid, false) DESC, coalesce(r.activity_id = the_activity, false) DESC, r.id LIMIT 1;
    IF FOUND THEN
        UPDATE returned_heads r SET arrived_at = least(r.arrived_at, arrived), claimed_at = coalesce(r.claimed_at, claimed),
            pushed_at = least(r.pushed_at, believed), logged_at = least(r.logged_at, logged),
            activity_at = least(r.activity_at, active), guid = coalesce(r.guid, the_guid),
            activity_id = coalesce(r.activity_id, the_activity)
        WHERE r.account_id = the_account AND r.id = again.id;
        RETURN QUERY SELECT CASE WHEN received < again.received_at THEN 'earlier' ELSE 'known' END,
            again.received_at, least(received, again.received_at);
        RETURN;
    END IF;
    IF received < stands.received_at THEN
        -- Heard of in reverse: the earlier push is the receipt, the one that was it until now came back later.
        INSERT INTO returned_heads (account_id, repository_id, ref, head_sha, before_sha, forced, arrived_at, claimed_at,
            pushed_at, logged_at, activity_at, sender_id, sender_login, sender_type, pusher, guid, activity_id)
        VALUES (the_account, the_repository, the_ref, the_head, stands.before_sha, stands.forced, stands.arrived_at,
            stands.claimed_at, stands.pushed_at, stands.logged_at, stands.activity_at, stands.sender_id, stands.sender_login,
            stands.sender_type, stands.pusher, stands.guid, stands.activity_id);
        UPDATE receipts SET before_sha = the_before, forced = is_forced, arrived_at = least(arrived_at, arrived),
            claimed_at = claimed, pushed_at = believed, logged_at = logged, activity_at = active, sender_id = the_sender,
            sender_login = the_login, sender_type = the_type, pusher = 'unknown', guid = the_guid, activity_id = the_activity,
            asked = 0, commits_listed = false
        WHERE (account_id, repository_id, ref, head_sha) = (the_account, the_repository, the_ref, the_head);
        RETURN QUERY SELECT 'earlier', stands.received_at, received;
        RETURN;
    END IF;
    INSERT INTO returned_heads (account_id, repository_id, ref, head_sha, before_sha, forced, arrived_at, claimed_at,
        pushed_at, logged_at, activity_at, sender_id, sender_login, sender_type, guid, activity_id)
    VALUES (the_account, the_repository, the_ref, the_head, the_before, is_forced, arrived, claimed,
        believed, logged, active, the_sender, the_login, the_type, the_guid, the_activity);
    RETURN QUERY SELECT 'returned', NULL::timestamptz, received;
END $$;

COMMENT ON FUNCTION public.hear_push(the_account bigint, the_repository bigint, the_ref text, the_head text, the_before text, is_forced boolean, arrived timestamp with time zone, claimed timestamp with time zone, logged timestamp with time zone, active timestamp with time zone, the_sender bigint, the_login text, the_type text, the_guid uuid, the_activity bigint) IS 'A push by one more witness (webhook, log of deliveries, activity): a new receipt, times added to the one that stands, or a head that came back. The one way in which receipts change after their arrival.';

CREATE FUNCTION public.in_time(the_account bigint, the_repository bigint, branch text, sha text, deadline timestamp with time zone) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
    SELECT coalesce((SELECT min(received_at) <= deadline FROM commits_heard
        WHERE account_id = the_account AND repository_id = the_repository AND ref = 'refs/heads/' || branch AND commits_heard.sha = in_time.sha), true)
$$;

CREATE FUNCTION public.is_recovering(settles_at timestamp with time zone, the_now timestamp with time zone) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
    SELECT EXISTS (
        SELECT FROM pulses WHERE part = 'intake' AND clock_timestamp() - beat_at > interval '30 seconds'
            AND the_now - (clock_timestamp() - beat_at) <= settles_at AND NOT log_read_since(settles_at))
    OR EXISTS (
        SELECT FROM outages o WHERE o.part = 'intake' AND o.recovered_at IS NULL AND o.began_at <= settles_at
            AND (o.looked_at IS NULL OR NOT log_read_since(o.ended_at)))
$$;

COMMENT ON FUNCTION public.is_recovering(settles_at timestamp with time zone, the_now timestamp with time zone) IS 'Of the time up to there something may lie at GitHub that nobody took in: nobody does now and the log was not read since, or what was missed is not asked for or not in the inbox yet. What each repository''s activity knows besides, that repository alone waits for.';

CREATE FUNCTION public.is_same_push(before_of_one text, times_of_one timestamp with time zone[], before_of_other text, moment timestamp with time zone) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS $$
    -- A claim may be stale and an arrival late: the push was some time between them. Another move between the same two
    -- heads has a number of its own by each of the two witnesses.
    SELECT before_of_one = before_of_other AND moment BETWEEN min(one) - interval '1 minute' AND max(one) + interval '1 minute'
    FROM unnest(times_of_one) AS one
$$;

CREATE FUNCTION public.is_settled(heard public.receipts) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT heard.activity_at IS NOT NULL OR heard.asked >= 3
$$;

COMMENT ON FUNCTION public.is_settled(heard public.receipts) IS 'The activity has said when it was, or has been asked often enough.';

CREATE FUNCTION public.is_spoken_for(the_account bigint, the_repository bigint) RETURNS boolean
    LANGUAGE sql
    AS $$
    SELECT EXISTS (
        SELECT FROM enrolments e
        JOIN projects p ON (p.account_id, p.id) = (e.account_id, e.project_id)
        JOIN courses c ON (c.account_id, c.id) = (p.account_id, p.course_id)
        JOIN repositories r ON (r.account_id, r.id) = (e.account_id, e.repository_id)
        WHERE e.account_id = the_account AND e.repository_id = the_repository AND e.withdrawn_at IS NULL
            AND p.state <> 'draft' AND p.archived_at IS NULL AND r.gone_at IS NULL AND c.mode = 'active')
$$;

COMMENT ON FUNCTION public.is_spoken_for(the_account bigint, the_repository bigint) IS 'Whether a project takes work there in a course that is not in shadow mode: elsewhere the staff''s hand closes nothing. Twin: Part.speaks in bot/rules/parts.py.';

CREATE FUNCTION public.is_touched(the_account bigint, the_outage bigint, the_project bigint) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
    SELECT EXISTS (SELECT FROM outage_repositories a
        WHERE (a.account_id, a.outage_id, a.project_id) = (the_account, the_outage, the_project))
$$;

COMMENT ON FUNCTION public.is_touched(the_account bigint, the_outage bigint, the_project bigint) IS 'Whether an outage touched a deadline of that project.';

CREATE FUNCTION public.is_unsettled(heard public.receipts, deadline timestamp with time zone) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT heard.activity_at IS NULL AND heard.asked < 3 AND heard.received_at > deadline
        AND (heard.received_at < deadline + interval '10 minutes' OR coalesce(heard.claimed_at <= deadline, false))
$$;

COMMENT ON FUNCTION public.is_unsettled(heard public.receipts, deadline timestamp with time zone) IS 'Late by less than ten minutes, or only because a claim is not believed: not late before the activity was asked. Twin: is_unsettled in bot/rules/evidence.py.';

CREATE FUNCTION public.keep_effective_of_project() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    UPDATE enrolments SET effective_at = NEW.deadline_at
    WHERE account_id = NEW.account_id AND project_id = NEW.id AND deadline_at IS NULL;
    RETURN NULL;
END $$;

CREATE FUNCTION public.keep_lock_failing_since() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    NEW.lock_failing_since := CASE WHEN NEW.lock_failure IS NOT NULL THEN coalesce(OLD.lock_failing_since, app_now()) END;
    RETURN NEW;
END $$;

CREATE FUNCTION public.keep_own_effective() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    NEW.effective_at := coalesce(NEW.deadline_at, (
        SELECT deadline_at FROM projects WHERE account_id = NEW.account_id AND id = NEW.project_id));
    RETURN NEW;
END $$;

CREATE FUNCTION public.keep_wanted(the_account bigint, the_repositories bigint[]) RETURNS void
    LANGUAGE sql
    AS $$
    UPDATE repositories SET wanted_lock = wanted_lock(account_id, id),
        staff_lock = CASE WHEN staff_lock AND deadline_lock(account_id, id) THEN NULL ELSE staff_lock END
    WHERE account_id = the_account AND id = ANY (the_repositories)
$$;

COMMENT ON FUNCTION public.keep_wanted(the_account bigint, the_repositories bigint[]) IS 'Writes down which lock these repositories should have; a lock by hand that their deadline wants too is over.';

CREATE FUNCTION public.keep_wanted_of_course() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.keep_wanted_of_enrolment() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM keep_wanted(NEW.account_id, ARRAY[NEW.repository_id]);
    RETURN NULL;
END $$;

CREATE FUNCTION public.keep_wanted_of_project() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    theirs bigint[] := array(
        SELECT repository_id FROM enrolments WHERE account_id = NEW.account_id AND project_id = NEW.id);
BEGIN
    PERFORM FROM repositories WHERE account_id = NEW.account_id AND id = ANY (theirs) ORDER BY id FOR NO KEY UPDATE;
    PERFORM keep_wanted(NEW.account_id, theirs);
    RETURN NULL;
END $$;

CREATE FUNCTION public.keep_wanted_of_repository() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM keep_wanted(NEW.account_id, ARRAY[NEW.id]);
    RETURN NULL;
END $$;

CREATE FUNCTION public.later(at timestamp with time zone, span interval, zone text) RETURNS timestamp with time zone
    LANGUAGE sql STABLE
    AS $$
    SELECT (at AT TIME ZONE zone + make_interval(days => extract(day FROM span)::integer)) AT TIME ZONE zone
        + (span - make_interval(days => extract(day FROM span)::integer))
$$;

CREATE FUNCTION public.lease_free(leased_at timestamp with time zone, leased_by uuid, lease_seconds integer) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
    SELECT leased_at IS NULL
        OR leased_at < now() - make_interval(secs => lease_seconds)
        OR (leased_by IS NOT NULL AND NOT EXISTS (
            SELECT FROM processes
            WHERE id = leased_by AND stopped_at IS NULL AND beat_at > now() - interval '30 seconds'))
$$;

COMMENT ON FUNCTION public.lease_free(leased_at timestamp with time zone, leased_by uuid, lease_seconds integer) IS 'Nobody works on it: never taken, given back, older than a lease, or its holder is gone (docs/design.md section 5).';

CREATE FUNCTION public.log_read_since(since timestamp with time zone) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
    SELECT EXISTS (SELECT FROM delivery_logs WHERE attempts >= 240 OR (due_at IS NULL AND read_at >= since))
$$;

COMMENT ON FUNCTION public.log_read_since(since timestamp with time zone) IS 'GitHub''s log of deliveries was read since, or would not be for hours of trying.';

CREATE FUNCTION public.named_by_pair(the_account bigint, the_repository bigint) RETURNS integer
    LANGUAGE sql STABLE
    AS $$
    SELECT count(*)::integer FROM rulesets WHERE account_id = the_account AND the_repository = ANY (repository_ids)
$$;

COMMENT ON FUNCTION public.named_by_pair(the_account bigint, the_repository bigint) IS 'How many of the organisation''s pair, as last sent, name a repository: 0 to 2.';

CREATE FUNCTION public.outage_detail(the_account bigint, the_project bigint, the_outage bigint) RETURNS jsonb
    LANGUAGE sql STABLE
    SET "TimeZone" TO 'UTC'
    AS $$
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

COMMENT ON FUNCTION public.outage_detail(the_account bigint, the_project bigint, the_outage bigint) IS 'What an outage meant for a project: its length rounded up to a quarter of an hour (`seconds`), who still has the deadline of then (`waiting`, `to`), and a deadline (`at`) where the length alone reopens nothing any more.';

CREATE TABLE public.repositories (
    account_id bigint NOT NULL,
    id bigint NOT NULL,
    name text NOT NULL,
    default_branch text NOT NULL,
    private boolean NOT NULL,
    gone_at timestamp with time zone,
    gone_as text,
    heard_as text,
    wanted_lock boolean,
    rulesets smallint DEFAULT 0 NOT NULL,
    locked_at timestamp with time zone,
    lock_verified_at timestamp with time zone,
    verify_due_at timestamp with time zone,
    read_due_at timestamp with time zone,
    attempts integer DEFAULT 0 NOT NULL,
    leased_at timestamp with time zone,
    leased_by uuid,
    lock_kind text,
    lock_reason text,
    lock_failure text,
    branch_ruleset_id bigint,
    tag_ruleset_id bigint,
    staff_lock boolean,
    staff_lock_until timestamp with time zone,
    lock_failing_since timestamp with time zone,
    bypass_stale boolean DEFAULT false NOT NULL,
    lock_differs boolean GENERATED ALWAYS AS (COALESCE(((wanted_lock AND ((rulesets < 2) OR bypass_stale)) OR ((NOT wanted_lock) AND (rulesets > 0))), false)) STORED,
    exempt_from bigint[] DEFAULT '{}'::bigint[] NOT NULL,
    lock_tried_at timestamp with time zone,
    lock_tried_kind text,
    lock_absent_at timestamp with time zone,
    rulesets_dormant boolean DEFAULT false NOT NULL,
    CONSTRAINT repositories_gone_as_check CHECK ((gone_as = ANY (ARRAY['deleted'::text, 'transferred'::text, 'removed'::text]))),
    CONSTRAINT repositories_heard_as_check CHECK ((heard_as = ANY (ARRAY['deleted'::text, 'transferred'::text, 'removed'::text]))),
    CONSTRAINT repositories_lock_kind_check CHECK ((lock_kind = ANY (ARRAY['organisation'::text, 'repository'::text, 'archive'::text]))),
    CONSTRAINT repositories_lock_tried_kind_check CHECK ((lock_tried_kind = ANY (ARRAY['repository'::text, 'archive'::text])))
);

COMMENT ON COLUMN public.repositories.heard_as IS 'What an event said became of it: believed only once it cannot be reached.';

COMMENT ON COLUMN public.repositories.wanted_lock IS 'What the rows say GitHub should hold; null: no rule speaks, it keeps what it has.';

COMMENT ON COLUMN public.repositories.rulesets IS 'The fact: how many of the pair sent to GitHub name it, 0 to 2.';

COMMENT ON COLUMN public.repositories.locked_at IS 'Since when both name it; written after the call, never conditioned on the desire.';

COMMENT ON COLUMN public.repositories.lock_kind IS 'What holds it closed, or began to: the organisation''s pair, a pair of its own, or the archive.';

COMMENT ON COLUMN public.repositories.lock_reason IS 'Why no stronger lock is in force, in GitHub''s words.';

COMMENT ON COLUMN public.repositories.staff_lock IS 'The staff''s hand: stored only where it differs from what the deadline alone would hold.';

COMMENT ON COLUMN public.repositories.bypass_stale IS 'The staff''s teams have changed since its own pair of rulesets was sent.';

COMMENT ON COLUMN public.repositories.lock_differs IS 'GitHub holds something else than is wanted, as far as facts were recorded.';

COMMENT ON COLUMN public.repositories.exempt_from IS 'The projects whose deadline an unlock by hand (`staff_lock` false) sets aside. None named: all of them, as older versions stored it.';

COMMENT ON COLUMN public.repositories.lock_tried_at IS 'Since when it is not known whether GitHub holds the weaker lock that is recorded; null once it was read, or a call was confirmed.';

COMMENT ON COLUMN public.repositories.lock_tried_kind IS 'What that is about, or was the last time: rulesets of its own, or the archive.';

COMMENT ON COLUMN public.repositories.lock_absent_at IS 'Since when reading back has not shown the lock that was sent; null once it does, or once it is not recorded as locked.';

COMMENT ON COLUMN public.repositories.rulesets_dormant IS 'It may have rulesets of its own that the plan does not apply; looked for whenever the installation is read.';

CREATE FUNCTION public.pair_differs(r public.repositories) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
    -- A repository under a weaker lock: the pair is to name it too before that lock is taken off, and then no more. One of
    -- which no rule speaks keeps the lock it has.
    SELECT CASE WHEN r.wanted_lock AND r.gone_as IS DISTINCT FROM 'deleted' THEN named_by_pair(r.account_id, r.id) < 2
        ELSE r.wanted_lock IS NOT NULL AND named_by_pair(r.account_id, r.id) > 0 END
$$;

COMMENT ON FUNCTION public.pair_differs(r public.repositories) IS 'Whether the organisation''s pair is to be sent again because of a repository under a weaker lock.';

CREATE FUNCTION public.pusher_of(the_account bigint, the_repository bigint, the_head text, the_sender bigint, the_login text, the_type text, app_login text) RETURNS text
    LANGUAGE sql STABLE
    AS $$
    SELECT CASE
        -- By what was pushed, before by whom: our own commit stays ours, whatever evidence of its push is found.
        WHEN EXISTS (SELECT FROM bot_commits ours WHERE ours.account_id = the_account
            AND ours.repository_id = the_repository AND ours.sha = the_head) THEN 'app'
        WHEN the_sender IS NULL THEN 'person'
        WHEN EXISTS (SELECT FROM students s WHERE s.account_id = the_account AND s.repository_id = the_repository
            AND s.user_id = the_sender) THEN 'student'
        WHEN the_login = app_login THEN 'app'
        WHEN the_login = 'github-actions[bot]' THEN 'actions'
        WHEN the_type = 'Bot' THEN 'bot'
        WHEN EXISTS (SELECT FROM staff t WHERE t.account_id = the_account AND t.user_id = the_sender) THEN 'staff'
        ELSE 'person' END
$$;

COMMENT ON FUNCTION public.pusher_of(the_account bigint, the_repository bigint, the_head text, the_sender bigint, the_login text, the_type text, app_login text) IS 'What kind of account pushed a head, by what is known of students and staff now (docs/design.md section 3).';

CREATE FUNCTION public.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    RAISE EXCEPTION '% is append-only: % is refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'insufficient_privilege';
END $$;

CREATE FUNCTION public.repositories_to_reconcile(the_now timestamp with time zone) RETURNS TABLE(account_id bigint, repository_id bigint)
    LANGUAGE sql STABLE
    AS $$
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

COMMENT ON FUNCTION public.repositories_to_reconcile(the_now timestamp with time zone) IS 'Quiet repositories of graded projects, until a day after their freeze, or a week while a review is not answered.';

CREATE FUNCTION public.slots_until_room(slots integer[], current_slot bigint, room integer) RETURNS integer
    LANGUAGE sql IMMUTABLE
    AS $$
    -- After how many slots no more than `room` is left in the ring, if nothing is added: 0 where that is so now.
    SELECT coalesce(max(size - age), 0)
    FROM (
        SELECT size, age, sum(slots[(current_slot - age) % size + 1]) OVER (ORDER BY age) AS spent
        FROM cardinality(slots) AS size, generate_series(0, size - 1) AS age
    ) AS aged
    WHERE spent > room
$$;

CREATE FUNCTION public.spent_since(slots integer[], last_written bigint, current_slot bigint) RETURNS integer[]
    LANGUAGE sql IMMUTABLE
    AS $$
    -- Slots passed over since the last write belong to an earlier round of the ring: they count nothing.
    SELECT array_agg(CASE WHEN written > current_slot - size THEN slots[slot + 1] ELSE 0 END ORDER BY slot)
    FROM (
        SELECT size, slot, last_written - ((last_written - slot) % size + size) % size AS written
        FROM cardinality(slots) AS size, generate_series(0, size - 1) AS slot
    ) AS ring
$$;

CREATE FUNCTION public.staff_teams(the_account bigint) RETURNS bigint[]
    LANGUAGE sql STABLE
    AS $$
    SELECT coalesce(array_agg(DISTINCT team_id ORDER BY team_id), '{}')
    FROM courses, unnest(ARRAY[staff_team_id, assistants_team_id]) AS team_id
    WHERE account_id = the_account AND team_id IS NOT NULL
$$;

COMMENT ON FUNCTION public.staff_teams(the_account bigint) IS 'The teams of the organisation''s courses: they may push where students may not (docs/design.md section 6).';

CREATE FUNCTION public.stale_bypasses() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    -- In the order of the lock job: repositories by their ids, then the pair.
    PERFORM FROM repositories WHERE account_id = NEW.account_id AND lock_kind = 'repository' ORDER BY id FOR NO KEY UPDATE;
    UPDATE repositories SET bypass_stale = true
    WHERE account_id = NEW.account_id AND lock_kind = 'repository' AND NOT bypass_stale;
    UPDATE rulesets SET bypass_stale = true
    WHERE account_id = NEW.account_id AND cardinality(repository_ids) > 0 AND NOT bypass_stale;
    RETURN NULL;
END $$;

CREATE FUNCTION public.sweep_overdue_tasks(the_now timestamp with time zone) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.tell_board_of_project() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO board_news (account_id, project_id) VALUES (NEW.account_id, NEW.id);
    RETURN NULL;
END $$;

CREATE FUNCTION public.tell_boards_of_course() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO board_news (account_id, project_id)
    SELECT account_id, id FROM projects WHERE account_id = NEW.account_id AND course_id = NEW.id;
    RETURN NULL;
END $$;

CREATE FUNCTION public.tell_boards_of_parts() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO board_news (account_id, project_id) SELECT DISTINCT account_id, project_id FROM changed;
    RETURN NULL;
END $$;

CREATE FUNCTION public.tell_boards_of_receipts() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO board_news (account_id, project_id)
    SELECT DISTINCT e.account_id, e.project_id FROM changed
    JOIN enrolments e ON e.account_id = changed.account_id AND e.repository_id = changed.repository_id;
    RETURN NULL;
END $$;

CREATE FUNCTION public.tell_boards_of_repositories() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
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

CREATE FUNCTION public.tell_of_mail() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    PERFORM pg_notify('pencils_down_mail', '');
    RETURN NULL;
END $$;

CREATE FUNCTION public.tracked_branches(branches text[], default_branch text) RETURNS text[]
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT CASE WHEN branches = '{}' THEN ARRAY[default_branch] ELSE branches END
$$;

CREATE FUNCTION public.wanted_lock(the_account bigint, the_repository bigint) RETURNS boolean
    LANGUAGE plpgsql
    AS $$
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

COMMENT ON FUNCTION public.wanted_lock(the_account bigint, the_repository bigint) IS 'A lock by hand, else what the deadlines want that no unlock by hand sets aside. Twin: wanted_lock in bot/rules/parts.py.';

CREATE TABLE public.activities (
    account_id bigint NOT NULL,
    repository_id bigint NOT NULL,
    due_at timestamp with time zone,
    attempts integer DEFAULT 0 NOT NULL,
    read_at timestamp with time zone,
    refused text,
    leased_at timestamp with time zone,
    leased_by uuid
);

COMMENT ON TABLE public.activities IS 'How far GitHub''s activity of a repository has been read: `read_at` is course time when the last reading began.';

COMMENT ON COLUMN public.activities.refused IS 'Why GitHub does not give it (an older server has none), in its words; it counts as read.';

CREATE TABLE public.audit_log (
    account_id bigint NOT NULL,
    id bigint NOT NULL,
    at timestamp with time zone NOT NULL,
    actor_kind text NOT NULL,
    actor_id bigint,
    actor_login text,
    action text NOT NULL,
    course_id bigint,
    project_id bigint,
    repository_id bigint,
    detail jsonb DEFAULT '{}'::jsonb NOT NULL,
    CONSTRAINT audit_log_actor_kind_check CHECK ((actor_kind = ANY (ARRAY['person'::text, 'clock'::text, 'github'::text])))
);

ALTER TABLE public.audit_log ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.audit_log_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.board_news (
    account_id bigint NOT NULL,
    id bigint NOT NULL,
    project_id bigint NOT NULL
);

COMMENT ON TABLE public.board_news IS 'A board may have become untrue. Rows are only added, so that writers never wait for each other, and taken away by the job that has read.';

ALTER TABLE public.board_news ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.board_news_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.boards (
    account_id bigint NOT NULL,
    project_id bigint NOT NULL,
    due_at timestamp with time zone DEFAULT now() NOT NULL,
    said text,
    edited_at timestamp with time zone,
    given_up text,
    attempts integer DEFAULT 0 NOT NULL,
    leased_at timestamp with time zone,
    leased_by uuid
);

COMMENT ON TABLE public.boards IS 'What the bot keeps in a control issue: written where there is news and `due_at` has come, so not more often than every 30 s.';

COMMENT ON COLUMN public.boards.said IS 'A digest of what GitHub shows; null where somebody else touched the issue.';

CREATE TABLE public.bot_commits (
    account_id bigint NOT NULL,
    repository_id bigint NOT NULL,
    sha text NOT NULL,
    made_at timestamp with time zone NOT NULL
);

COMMENT ON TABLE public.bot_commits IS 'Commits that we made, written before a ref moves to them: whoever pushes such a head, it is nobody''s submission.';

CREATE TABLE public.changes (
    account_id bigint NOT NULL,
    id bigint NOT NULL,
    project_id bigint,
    comment_id bigint NOT NULL,
    command text NOT NULL,
    line text NOT NULL,
    inverse jsonb NOT NULL,
    made_by bigint NOT NULL,
    made_by_login text NOT NULL,
    made_at timestamp with time zone NOT NULL,
    undone_at timestamp with time zone,
    course_id bigint,
    issue_number integer,
    CONSTRAINT changes_check CHECK (((project_id IS NOT NULL) OR (course_id IS NOT NULL)))
);

COMMENT ON TABLE public.changes IS 'What commands changed in a course or one of its projects, each with what takes it back as data; /undo reverts the last.';

COMMENT ON COLUMN public.changes.project_id IS 'Null: the course itself was changed.';

COMMENT ON COLUMN public.changes.command IS 'Who may give this command may take the change back.';

COMMENT ON COLUMN public.changes.issue_number IS 'Where it was written; it can be taken back there, whatever it is about.';

ALTER TABLE public.changes ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.changes_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.checks (
    account_id bigint NOT NULL,
    id bigint NOT NULL,
    repository_id bigint NOT NULL,
    project_id bigint NOT NULL,
    head_sha text NOT NULL,
    due_at timestamp with time zone,
    tried_at timestamp with time zone,
    attempts integer DEFAULT 0 NOT NULL,
    check_run_id bigint,
    said text,
    posted_at timestamp with time zone,
    given_up text,
    leased_at timestamp with time zone,
    leased_by uuid
);

COMMENT ON COLUMN public.checks.said IS 'A digest of what GitHub shows: the same words are not sent again.';

ALTER TABLE public.checks ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.checks_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.clock (
    only_row boolean DEFAULT true NOT NULL,
    shift interval DEFAULT '00:00:00'::interval NOT NULL,
    stands_at timestamp with time zone,
    CONSTRAINT clock_only_row_check CHECK (only_row)
);

COMMENT ON TABLE public.clock IS 'Shifted or stopped by the sandbox and the tests alone; a process on the real GitHub refuses to start with it.';

CREATE TABLE public.commands (
    account_id bigint NOT NULL,
    comment_id bigint NOT NULL,
    repository_id bigint NOT NULL,
    issue_number integer NOT NULL,
    author_id bigint NOT NULL,
    author_login text NOT NULL,
    body text NOT NULL,
    commented_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone DEFAULT now() NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    done_at timestamp with time zone,
    outcome text,
    leased_at timestamp with time zone,
    leased_by uuid,
    heard_at timestamp with time zone DEFAULT public.app_now() NOT NULL,
    faults integer DEFAULT 0 NOT NULL
);

COMMENT ON COLUMN public.commands.heard_at IS 'When its delivery reached us, in course time.';

COMMENT ON COLUMN public.commands.faults IS 'How often a fault of ours kept it from being answered; waits for GitHub are counted in attempts alone.';

CREATE TABLE public.returned_heads (
    account_id bigint NOT NULL,
    id bigint NOT NULL,
    repository_id bigint NOT NULL,
    ref text NOT NULL,
    head_sha text NOT NULL,
    before_sha text NOT NULL,
    forced boolean NOT NULL,
    arrived_at timestamp with time zone NOT NULL,
    claimed_at timestamp with time zone,
    pushed_at timestamp with time zone,
    logged_at timestamp with time zone,
    activity_at timestamp with time zone,
    received_at timestamp with time zone GENERATED ALWAYS AS (LEAST(arrived_at, pushed_at, logged_at, activity_at)) STORED NOT NULL,
    evidence text GENERATED ALWAYS AS (
CASE LEAST(arrived_at, pushed_at, logged_at, activity_at)
    WHEN arrived_at THEN 'arrival'::text
    WHEN pushed_at THEN 'pushed_at'::text
    WHEN logged_at THEN 'delivery log'::text
    ELSE 'activity'::text
END) STORED NOT NULL,
    sender_id bigint,
    sender_login text,
    sender_type text,
    pusher text DEFAULT 'unknown'::text NOT NULL,
    guid uuid,
    activity_id bigint,
    CONSTRAINT returned_heads_pusher_check CHECK ((pusher = ANY (ARRAY['unknown'::text, 'student'::text, 'staff'::text, 'person'::text, 'app'::text, 'actions'::text, 'bot'::text])))
);

COMMENT ON TABLE public.returned_heads IS 'A head that a branch already had came back to it after others. Its receipt says how early it was there, this that it was the head again.';

CREATE VIEW public.heads_heard AS
 SELECT heard.account_id,
    heard.repository_id,
    heard.ref,
    heard.head_sha,
    heard.received_at,
    heard.arrived_at,
    heard.evidence,
    heard.pusher,
    public.followed(heard.*) AS followed
   FROM public.receipts heard
UNION ALL
 SELECT returned_heads.account_id,
    returned_heads.repository_id,
    returned_heads.ref,
    returned_heads.head_sha,
    returned_heads.received_at,
    returned_heads.arrived_at,
    returned_heads.evidence,
    returned_heads.pusher,
    false AS followed
   FROM public.returned_heads;

COMMENT ON VIEW public.heads_heard IS 'Each time that a commit became the head of a branch.';

CREATE TABLE public.inner_commits (
    account_id bigint NOT NULL,
    repository_id bigint NOT NULL,
    sha text NOT NULL,
    ref text NOT NULL,
    head_sha text NOT NULL
);

COMMENT ON TABLE public.inner_commits IS 'Commits that came with a head and were received with it (docs/design.md section 3).';

CREATE VIEW public.commits_heard AS
 SELECT heads_heard.account_id,
    heads_heard.repository_id,
    heads_heard.ref,
    heads_heard.head_sha AS sha,
    heads_heard.received_at,
    heads_heard.pusher
   FROM public.heads_heard
UNION ALL
 SELECT i.account_id,
    i.repository_id,
    i.ref,
    i.sha,
    heard.received_at,
    heard.pusher
   FROM (public.inner_commits i
     JOIN public.receipts heard ON (((heard.account_id = i.account_id) AND (heard.repository_id = i.repository_id) AND (heard.ref = i.ref) AND (heard.head_sha = i.head_sha))));

COMMENT ON VIEW public.commits_heard IS 'Each time that a commit reached a branch, as its head or with it.';

CREATE TABLE public.confirmations (
    account_id bigint NOT NULL,
    id bigint NOT NULL,
    repository_id bigint NOT NULL,
    issue_number integer NOT NULL,
    code text NOT NULL,
    comment_id bigint NOT NULL,
    line text NOT NULL,
    reading jsonb NOT NULL,
    fingerprint text NOT NULL,
    asked_at timestamp with time zone DEFAULT now() NOT NULL,
    used_at timestamp with time zone,
    used_by bigint
);

COMMENT ON TABLE public.confirmations IS 'Commands that were previewed and wait ten minutes of real time for /confirm; nothing of them is done yet.';

COMMENT ON COLUMN public.confirmations.reading IS 'When the line was read and the deadlines of then: a relative time keeps the meaning that the preview showed.';

COMMENT ON COLUMN public.confirmations.fingerprint IS 'A digest of what the preview said would change: another one at the confirmation is previewed again.';

ALTER TABLE public.confirmations ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.confirmations_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.courses (
    account_id bigint NOT NULL,
    id bigint NOT NULL,
    repository_id bigint NOT NULL,
    timezone text NOT NULL,
    mode text NOT NULL,
    staff_team_id bigint NOT NULL,
    staff_team text NOT NULL,
    assistants_team_id bigint,
    assistants_team text,
    created_at timestamp with time zone NOT NULL,
    task_due interval DEFAULT '2 days'::interval,
    escalate_after interval DEFAULT '7 days'::interval,
    locks_lifted boolean DEFAULT false NOT NULL,
    CONSTRAINT courses_mode_check CHECK ((mode = ANY (ARRAY['active'::text, 'shadow'::text])))
);

COMMENT ON COLUMN public.courses.task_due IS 'How long a task may wait before its holders are reminded; null: for ever. Read when a task is opened.';

COMMENT ON COLUMN public.courses.escalate_after IS 'How long after that the owners are told; null: never.';

COMMENT ON COLUMN public.courses.locks_lifted IS 'In shadow mode: its locks are to be taken off GitHub, instead of staying as they were.';

ALTER TABLE public.courses ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.courses_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.deadline_commits (
    account_id bigint NOT NULL,
    project_id bigint NOT NULL,
    repository_id bigint NOT NULL,
    branch text NOT NULL,
    round integer NOT NULL,
    sha text,
    parent_sha text,
    refused text,
    refusals integer DEFAULT 0 NOT NULL,
    outcome text,
    settled_at timestamp with time zone,
    CONSTRAINT deadline_commits_outcome_check CHECK ((outcome = ANY (ARRAY['pushed'::text, 'missing'::text])))
);

COMMENT ON TABLE public.deadline_commits IS 'The mark of a deadline on one branch, one for each round: recorded before the branch moves, so that a crash leads to no second one.';

COMMENT ON COLUMN public.deadline_commits.sha IS 'The commit that was made last, on `parent_sha`; replaced only while it is certainly not on the branch.';

COMMENT ON COLUMN public.deadline_commits.refused IS 'GitHub''s words when it would not let the branch move; null once it did.';

CREATE TABLE public.enrolments (
    account_id bigint NOT NULL,
    project_id bigint NOT NULL,
    repository_id bigint NOT NULL,
    enrolled_at timestamp with time zone NOT NULL,
    withdrawn_at timestamp with time zone,
    holding boolean DEFAULT false NOT NULL,
    deadline_at timestamp with time zone,
    deadline_wall text,
    deadline_zone text,
    deadline_reason text,
    effective_at timestamp with time zone NOT NULL,
    deadline_applied_at timestamp with time zone,
    frozen_at timestamp with time zone,
    current_run bigint,
    frozen_run bigint,
    submission_sha text,
    submission_at timestamp with time zone,
    round integer DEFAULT 1 NOT NULL,
    review_settled_at timestamp with time zone,
    review_skipped text,
    review_due_at timestamp with time zone,
    review_refusals integer DEFAULT 0 NOT NULL,
    deadline_committed_at timestamp with time zone,
    deadline_commit_due_at timestamp with time zone
);

COMMENT ON COLUMN public.enrolments.holding IS 'Its project is open and has this repository: at most one may (docs/design.md section 8).';

COMMENT ON COLUMN public.enrolments.effective_at IS 'Own deadline, else the project''s: kept by triggers, read by everything.';

COMMENT ON COLUMN public.enrolments.review_due_at IS 'Real time before which a refused review is not asked for again.';

COMMENT ON COLUMN public.enrolments.review_refusals IS 'How often GitHub refused the review of this round; a pause or a spent budget is none.';

COMMENT ON COLUMN public.enrolments.deadline_committed_at IS 'Since when each tracked branch carries the mark of this deadline, or is known to be missing; a reopen clears it.';

COMMENT ON COLUMN public.enrolments.deadline_commit_due_at IS 'Real time before which a branch that refused its mark is not tried again.';

CREATE TABLE public.projects (
    account_id bigint NOT NULL,
    id bigint NOT NULL,
    course_id bigint NOT NULL,
    issue_number integer NOT NULL,
    slug text NOT NULL,
    state text DEFAULT 'draft'::text NOT NULL,
    deadline_at timestamp with time zone NOT NULL,
    deadline_wall text NOT NULL,
    deadline_zone text NOT NULL,
    opens_at timestamp with time zone,
    grace_seconds integer NOT NULL,
    strategy text DEFAULT 'lock'::text NOT NULL,
    branches text[] DEFAULT '{}'::text[] NOT NULL,
    repository_glob text NOT NULL,
    grading text DEFAULT 'auto'::text NOT NULL,
    workflow text NOT NULL,
    deadline_applied_at timestamp with time zone,
    published_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    archived_at timestamp with time zone,
    deadline_job_at timestamp with time zone,
    deadline_job_by uuid,
    dispatch_job_at timestamp with time zone,
    dispatch_job_by uuid,
    dispatch_failure text,
    acting_at timestamp with time zone,
    acting_by uuid,
    acting_kind text,
    nudged_at timestamp with time zone,
    CONSTRAINT projects_grace_seconds_check CHECK ((grace_seconds >= 0)),
    CONSTRAINT projects_grading_check CHECK ((grading = ANY (ARRAY['auto'::text, 'none'::text]))),
    CONSTRAINT projects_state_check CHECK ((state = ANY (ARRAY['draft'::text, 'open'::text, 'closed'::text, 'graded'::text, 'approved'::text, 'released'::text]))),
    CONSTRAINT projects_strategy_check CHECK ((strategy = ANY (ARRAY['lock'::text, 'commit'::text])))
);

COMMENT ON COLUMN public.projects.branches IS 'Tracked branches; empty means the default branch of each repository.';

COMMENT ON COLUMN public.projects.nudged_at IS 'The claim of the nudge for this visit of the state; a change of state clears it.';

CREATE VIEW public.deadline_commits_due AS
 SELECT e.account_id,
    e.project_id,
    e.repository_id,
    e.deadline_commit_due_at
   FROM (((public.enrolments e
     JOIN public.projects p ON (((p.account_id = e.account_id) AND (p.id = e.project_id))))
     JOIN public.courses c ON (((c.account_id = p.account_id) AND (c.id = p.course_id))))
     JOIN public.repositories r ON (((r.account_id = e.account_id) AND (r.id = e.repository_id))))
  WHERE ((p.strategy = 'commit'::text) AND (p.state <> 'draft'::text) AND (p.archived_at IS NULL) AND (c.mode = 'active'::text) AND (e.deadline_applied_at IS NOT NULL) AND (e.deadline_committed_at IS NULL) AND (e.withdrawn_at IS NULL) AND (r.gone_at IS NULL) AND (r.lock_kind IS DISTINCT FROM 'archive'::text));

CREATE TABLE public.deliveries (
    account_id bigint NOT NULL,
    guid uuid NOT NULL,
    event text NOT NULL,
    action text,
    installation_id bigint,
    repository_id bigint,
    received_at timestamp with time zone NOT NULL,
    body bytea,
    due_at timestamp with time zone DEFAULT now() NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    handled_at timestamp with time zone,
    outcome text,
    logged_at timestamp with time zone
);
ALTER TABLE ONLY public.deliveries ALTER COLUMN body SET STORAGE EXTERNAL;

COMMENT ON COLUMN public.deliveries.body IS 'The raw body, compressed by the app: PostgreSQL''s own compression would halve the intake.';

COMMENT ON COLUMN public.deliveries.logged_at IS 'Its first attempt, by GitHub''s log; null where it came by itself.';

CREATE TABLE public.delivery_logs (
    account_id bigint DEFAULT 0 NOT NULL,
    id bigint DEFAULT 0 NOT NULL,
    due_at timestamp with time zone,
    attempts integer DEFAULT 0 NOT NULL,
    read_at timestamp with time zone,
    read_up_to timestamp with time zone,
    outcome text,
    leased_at timestamp with time zone,
    leased_by uuid
);

COMMENT ON TABLE public.delivery_logs IS 'How far the App''s log of deliveries has been read: one row, of account 0, which is the App itself. `read_at` is course time when the last reading began, `read_up_to` GitHub''s time of the newest attempt that it saw.';

CREATE TABLE public.dispatches (
    account_id bigint NOT NULL,
    id bigint NOT NULL,
    project_id bigint NOT NULL,
    repository_id bigint NOT NULL,
    trigger text NOT NULL,
    checkpoint_id bigint DEFAULT 0 NOT NULL,
    round integer NOT NULL,
    sha text NOT NULL,
    nonce uuid NOT NULL,
    claimed_at timestamp with time zone NOT NULL,
    outcome text,
    answered_at timestamp with time zone,
    github_date timestamp with time zone,
    voided_at timestamp with time zone,
    CONSTRAINT dispatches_outcome_check CHECK ((outcome = ANY (ARRAY['accepted'::text, 'not confirmed'::text, 'given back'::text]))),
    CONSTRAINT dispatches_trigger_check CHECK ((trigger = ANY (ARRAY['deadline'::text, 'milestone'::text])))
);

COMMENT ON TABLE public.dispatches IS 'The ledger of repository_dispatch: claimed before the call, unique per round, never sent again (docs/design.md section 7).';

ALTER TABLE public.dispatches ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.dispatches_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE VIEW public.eligible_commits AS
 SELECT e.account_id,
    e.project_id,
    e.repository_id,
    heard.head_sha,
    heard.received_at,
    heard.arrived_at,
    heard.evidence,
    heard.followed
   FROM (((public.enrolments e
     JOIN public.projects p ON (((p.account_id = e.account_id) AND (p.id = e.project_id))))
     JOIN public.repositories r ON (((r.account_id = e.account_id) AND (r.id = e.repository_id))))
     JOIN public.heads_heard heard ON (((heard.account_id = e.account_id) AND (heard.repository_id = e.repository_id))))
  WHERE ((heard.pusher = ANY (ARRAY['student'::text, 'person'::text])) AND (heard.ref IN ( SELECT ('refs/heads/'::text || branch.branch)
           FROM unnest(public.tracked_branches(p.branches, r.default_branch)) branch(branch))));

COMMENT ON VIEW public.eligible_commits IS 'What students pushed to branches that count. Twin: _eligible in bot/rules/submissions.py.';

CREATE TABLE public.runs (
    account_id bigint NOT NULL,
    id bigint NOT NULL,
    repository_id bigint NOT NULL,
    run_id bigint NOT NULL,
    attempt integer NOT NULL,
    check_suite_id bigint NOT NULL,
    workflow text NOT NULL,
    event text NOT NULL,
    head_branch text,
    head_sha text NOT NULL,
    display_title text DEFAULT ''::text NOT NULL,
    actor_id bigint,
    status text NOT NULL,
    conclusion text,
    created_at timestamp with time zone NOT NULL,
    started_at timestamp with time zone,
    completed_at timestamp with time zone,
    points numeric,
    max_points numeric,
    score_status text,
    score_detail text,
    read_due_at timestamp with time zone,
    attempts integer DEFAULT 0 NOT NULL,
    leased_at timestamp with time zone,
    leased_by uuid,
    CONSTRAINT runs_score_status_check CHECK ((score_status = ANY (ARRAY['ok'::text, 'none'::text, 'malformed'::text, 'multiple'::text, 'unreadable'::text])))
);

CREATE VIEW public.evidence_is_in AS
 SELECT e.account_id,
    e.project_id,
    e.repository_id,
    (e.effective_at + make_interval(secs => (p.grace_seconds)::double precision)) AS settles_at
   FROM ((public.enrolments e
     JOIN public.projects p ON (((p.account_id = e.account_id) AND (p.id = e.project_id))))
     JOIN public.repositories r ON (((r.account_id = e.account_id) AND (r.id = e.repository_id))))
  WHERE ((e.deadline_applied_at IS NOT NULL) AND (e.frozen_at IS NULL) AND (e.withdrawn_at IS NULL) AND (p.archived_at IS NULL) AND (r.gone_at IS NULL) AND (NOT (EXISTS ( SELECT
           FROM public.deliveries d
          WHERE ((d.account_id = e.account_id) AND (d.handled_at IS NULL) AND (LEAST(d.received_at, d.logged_at) <= (e.effective_at + make_interval(secs => (p.grace_seconds)::double precision))))))) AND (NOT (EXISTS ( SELECT
           FROM public.delivery_logs l
          WHERE ((l.due_at IS NOT NULL) AND (l.attempts < 240))))) AND (EXISTS ( SELECT
           FROM public.activities a
          WHERE (((a.account_id = e.account_id) AND (a.repository_id = e.repository_id)) AND ((a.attempts >= 240) OR ((a.due_at IS NULL) AND (a.read_at >= (e.effective_at + make_interval(secs => (LEAST(p.grace_seconds, 120))::double precision)))))))) AND (NOT (EXISTS ( SELECT
           FROM public.runs unread
          WHERE ((unread.account_id = e.account_id) AND (unread.repository_id = e.repository_id) AND (unread.read_due_at IS NOT NULL) AND (unread.attempts < 240))))));

COMMENT ON VIEW public.evidence_is_in IS 'Parts that wait for the end of their grace alone: nothing of the time up to there is unread, neither in the inbox nor in GitHub''s log of deliveries, and GitHub''s activity was read at least once since (two minutes after the deadline, or at the end of a shorter grace) and is to be asked nothing more.';

CREATE TABLE public.installations (
    account_id bigint NOT NULL,
    installation_id bigint NOT NULL,
    login text NOT NULL,
    state text DEFAULT 'unknown'::text NOT NULL,
    plan text,
    permissions jsonb DEFAULT '{}'::jsonb NOT NULL,
    lock_refused text,
    lock_failure text,
    lock_job_at timestamp with time zone,
    lock_job_by uuid,
    read_due_at timestamp with time zone,
    read_at timestamp with time zone,
    attempts integer DEFAULT 0 NOT NULL,
    leased_at timestamp with time zone,
    leased_by uuid,
    paused_until timestamp with time zone,
    budget_at bigint DEFAULT 0 NOT NULL,
    points_by_second integer[] DEFAULT array_fill(0, ARRAY[65]) NOT NULL,
    content_by_second integer[] DEFAULT array_fill(0, ARRAY[65]) NOT NULL,
    content_by_minute integer[] DEFAULT array_fill(0, ARRAY[62]) NOT NULL,
    lock_failing_since timestamp with time zone,
    lock_refused_last text,
    CONSTRAINT installations_state_check CHECK ((state = ANY (ARRAY['unknown'::text, 'active'::text, 'suspended'::text, 'gone'::text])))
);

COMMENT ON COLUMN public.installations.lock_refused IS 'GitHub''s words when the plan has no organisation rulesets; null while they work.';

COMMENT ON COLUMN public.installations.lock_failure IS 'Why the last change of the rulesets failed; null once one went through.';

COMMENT ON COLUMN public.installations.lock_refused_last IS 'The last refusal of organisation rulesets, kept while it is asked again now and then: the same one is audited once.';

CREATE TABLE public.missed_deliveries (
    account_id bigint DEFAULT 0 NOT NULL,
    guid uuid NOT NULL,
    logged_at timestamp with time zone NOT NULL,
    asked_at timestamp with time zone
);

COMMENT ON TABLE public.missed_deliveries IS 'Deliveries whose payload the log did not give: when each was first attempted, and when its redelivery was asked for, once.';

COMMENT ON COLUMN public.missed_deliveries.asked_at IS 'Course time when GitHub had been asked to deliver it again, or had refused to; it is never asked a second time. Null until then.';

CREATE VIEW public.open_questions AS
 SELECT heard.account_id,
    heard.repository_id,
    heard.head_sha AS sha,
    'unsettled'::text AS why
   FROM (((public.receipts heard
     JOIN public.enrolments e ON (((e.account_id = heard.account_id) AND (e.repository_id = heard.repository_id) AND (e.withdrawn_at IS NULL))))
     JOIN public.projects p ON ((((p.account_id = e.account_id) AND (p.id = e.project_id)) AND (p.archived_at IS NULL) AND (p.state <> 'draft'::text))))
     JOIN public.repositories r ON (((r.account_id = e.account_id) AND (r.id = e.repository_id))))
  WHERE (public.is_unsettled(heard.*, e.effective_at) AND (heard.pusher = ANY (ARRAY['student'::text, 'person'::text])) AND (heard.ref IN ( SELECT ('refs/heads/'::text || branch.branch)
           FROM unnest(public.tracked_branches(p.branches, r.default_branch)) branch(branch))))
UNION ALL
 SELECT heard.account_id,
    heard.repository_id,
    heard.head_sha AS sha,
    'gap'::text AS why
   FROM public.receipts heard
  WHERE ((heard.activity_id IS NULL) AND (heard.asked = 0) AND (heard.before_sha <> repeat('0'::text, 40)) AND (EXISTS ( SELECT
           FROM public.enrolments e
          WHERE ((e.account_id = heard.account_id) AND (e.repository_id = heard.repository_id)))) AND (NOT (EXISTS ( SELECT
           FROM public.receipts b
          WHERE ((b.account_id = heard.account_id) AND (b.repository_id = heard.repository_id) AND (b.ref = heard.ref) AND (b.head_sha = heard.before_sha))))))
UNION ALL
 SELECT run.account_id,
    run.repository_id,
    run.head_sha AS sha,
    'no receipt'::text AS why
   FROM ((((public.runs run
     JOIN public.enrolments e ON (((e.account_id = run.account_id) AND (e.repository_id = run.repository_id) AND (e.withdrawn_at IS NULL))))
     JOIN public.projects p ON ((((p.account_id = e.account_id) AND (p.id = e.project_id)) AND (p.archived_at IS NULL) AND (p.state <> 'draft'::text))))
     JOIN public.repositories r ON (((r.account_id = e.account_id) AND (r.id = e.repository_id))))
     LEFT JOIN public.activities a ON (((a.account_id = run.account_id) AND (a.repository_id = run.repository_id))))
  WHERE ((run.workflow = p.workflow) AND (run.event <> 'repository_dispatch'::text) AND (run.head_branch = ANY (public.tracked_branches(p.branches, r.default_branch))) AND ((a.read_at IS NULL) OR (a.read_at < run.created_at)) AND (NOT (EXISTS ( SELECT
           FROM public.commits_heard c
          WHERE ((c.account_id = run.account_id) AND (c.repository_id = run.repository_id) AND (c.ref = ('refs/heads/'::text || run.head_branch)) AND (c.sha = run.head_sha))))) AND (NOT (EXISTS ( SELECT
           FROM public.bot_commits ours
          WHERE ((ours.account_id = run.account_id) AND (ours.repository_id = run.repository_id) AND (ours.sha = run.head_sha))))));

COMMENT ON VIEW public.open_questions IS 'What the activity of a repository is to be asked about, and why (docs/design.md section 3).';

CREATE TABLE public.outage_repositories (
    account_id bigint NOT NULL,
    outage_id bigint NOT NULL,
    project_id bigint NOT NULL,
    repository_id bigint NOT NULL,
    effective_at timestamp with time zone NOT NULL,
    found integer,
    in_time integer
);

COMMENT ON TABLE public.outage_repositories IS 'Whose deadline an outage touched: the deadline of then, and how many pushes the recovery found, in all and in time.';

CREATE TABLE public.outages (
    id bigint NOT NULL,
    part text NOT NULL,
    began_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone NOT NULL,
    looked_at timestamp with time zone,
    recovered_at timestamp with time zone,
    CONSTRAINT outages_part_check CHECK ((part = ANY (ARRAY['intake'::text, 'work'::text])))
);

COMMENT ON TABLE public.outages IS 'When no process took webhooks in, or none worked: course time, the ends by the length of the real silence.';

COMMENT ON COLUMN public.outages.looked_at IS 'GitHub''s records were marked to be read since, and who was affected was written.';

COMMENT ON COLUMN public.outages.recovered_at IS 'They have been read: what was pushed meanwhile is known.';

ALTER TABLE public.outages ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.outages_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE VIEW public.outages_told AS
 SELECT t.account_id,
    t.project_id,
    t.outage_id,
    COALESCE(intake.id, t.outage_id) AS told_as
   FROM (( SELECT p.account_id,
            p.id AS project_id,
            o.id AS outage_id,
            o.part,
            o.began_at,
            o.ended_at
           FROM (public.projects p
             CROSS JOIN public.outages o)
          WHERE ((o.ended_at > (public.app_now() - '14 days'::interval)) AND public.is_touched(p.account_id, o.id, p.id))) t
     LEFT JOIN LATERAL ( SELECT min(i.id) AS id
           FROM public.outages i
          WHERE ((t.part = 'work'::text) AND (i.part = 'intake'::text) AND (i.began_at <= t.ended_at) AND (i.ended_at >= t.began_at) AND public.is_touched(t.account_id, i.id, t.project_id))) intake ON (true));

COMMENT ON VIEW public.outages_told IS 'The outages of the last 14 days that touched a deadline of a project. Where both parts were down at once it is told once, as the intake''s.';

CREATE TABLE public.outbox (
    account_id bigint NOT NULL,
    id bigint NOT NULL,
    kind text NOT NULL,
    mark text NOT NULL,
    repository_id bigint NOT NULL,
    issue_number integer,
    comment_id bigint,
    body text NOT NULL,
    written_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone DEFAULT now() NOT NULL,
    tried_at timestamp with time zone,
    attempts integer DEFAULT 0 NOT NULL,
    posted_at timestamp with time zone,
    posted_id bigint,
    given_up text,
    leased_at timestamp with time zone,
    leased_by uuid,
    task_ids bigint[],
    CONSTRAINT outbox_kind_check CHECK ((kind = ANY (ARRAY['comment'::text, 'reaction'::text, 'reminder'::text, 'escalation'::text, 'nudge'::text])))
);

COMMENT ON COLUMN public.outbox.mark IS 'Hidden in the posted words, so that a crash after the call is seen before the next one.';

COMMENT ON COLUMN public.outbox.task_ids IS 'What a reminder is about. It is worded when it is posted: for who the holders are then, and what is still open.';

ALTER TABLE public.outbox ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.outbox_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.past_verdicts (
    account_id bigint NOT NULL,
    id bigint NOT NULL,
    project_id bigint NOT NULL,
    repository_id bigint NOT NULL,
    round integer NOT NULL,
    sha text NOT NULL,
    received_at timestamp with time zone,
    deadline_at timestamp with time zone NOT NULL,
    late boolean,
    submission boolean NOT NULL,
    replaced_at timestamp with time zone NOT NULL,
    comment_id bigint,
    replaced_by bigint,
    replaced_by_login text,
    reason text NOT NULL
);

COMMENT ON TABLE public.past_verdicts IS 'Verdicts that a moved deadline or recovered evidence replaced (docs/design.md section 4): rows are only added.';

COMMENT ON COLUMN public.past_verdicts.deadline_at IS 'The effective deadline by which it was judged.';

COMMENT ON COLUMN public.past_verdicts.late IS 'Null where it was not known when the commit was received.';

COMMENT ON COLUMN public.past_verdicts.submission IS 'It was what counted, settled by the freeze of that round.';

COMMENT ON COLUMN public.past_verdicts.reason IS 'The command as it was typed, or `evidence: …`, which no person gave.';

ALTER TABLE public.past_verdicts ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.past_verdicts_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.processes (
    id uuid NOT NULL,
    role text NOT NULL,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    beat_at timestamp with time zone DEFAULT now() NOT NULL,
    stopped_at timestamp with time zone,
    clock_skew interval,
    github_skew interval
);

COMMENT ON TABLE public.processes IS 'Each running process, by its heartbeat every 2 s; after 30 s of silence it is gone.';

COMMENT ON COLUMN public.processes.clock_skew IS 'By how much the clock of its machine was ahead of the database''s at the last heartbeat.';

COMMENT ON COLUMN public.processes.github_skew IS 'The same of GitHub''s clock, as its answers told it; null before the first.';

ALTER TABLE public.projects ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.projects_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.pulses (
    part text NOT NULL,
    beat_at timestamp with time zone NOT NULL,
    CONSTRAINT pulses_part_check CHECK ((part = ANY (ARRAY['intake'::text, 'work'::text])))
);

COMMENT ON TABLE public.pulses IS 'When any process last said that it takes webhooks in, or works: real time, kept by beat_pulse.';

CREATE TABLE public.reconciliations (
    account_id bigint NOT NULL,
    repository_id bigint NOT NULL,
    due_at timestamp with time zone,
    attempts integer DEFAULT 0 NOT NULL,
    leased_at timestamp with time zone,
    leased_by uuid
);

COMMENT ON TABLE public.reconciliations IS 'Repositories whose latest runs are to be read from GitHub. Rows of their own: marking them waits for nobody who holds repositories.';

CREATE VIEW public.repository_locks_due AS
 SELECT e.account_id,
    e.project_id,
    e.repository_id
   FROM (public.enrolments e
     JOIN ( SELECT r.account_id,
            r.id
           FROM (public.repositories r
             JOIN public.installations i ON (((i.account_id = r.account_id) AND (i.state = 'active'::text))))
          WHERE (r.lock_differs AND (r.lock_tried_at IS NULL) AND (r.gone_at IS NULL) AND ((r.lock_kind = ANY (ARRAY['repository'::text, 'archive'::text])) OR ((r.lock_kind IS NULL) AND (i.lock_refused IS NOT NULL))))
        UNION ALL
         SELECT r.account_id,
            r.id
           FROM (public.repositories r
             JOIN public.installations i ON (((i.account_id = r.account_id) AND (i.state = 'active'::text) AND (i.lock_refused IS NULL))))
          WHERE ((NOT r.lock_differs) AND (r.lock_tried_at IS NULL) AND r.wanted_lock AND (r.gone_at IS NULL) AND (r.lock_kind = ANY (ARRAY['repository'::text, 'archive'::text])) AND (public.named_by_pair(r.account_id, r.id) = 2))
        UNION ALL
         SELECT r.account_id,
            r.id
           FROM (public.repositories r
             JOIN public.installations i ON (((i.account_id = r.account_id) AND (i.state = 'active'::text))))
          WHERE ((r.lock_tried_at IS NOT NULL) AND (r.gone_at IS NULL))) due ON (((due.account_id = e.account_id) AND (due.id = e.repository_id))))
  WHERE (NOT (EXISTS ( SELECT
           FROM public.enrolments newer
          WHERE ((newer.account_id = e.account_id) AND (newer.repository_id = e.repository_id) AND (newer.project_id > e.project_id)))));

ALTER TABLE public.returned_heads ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.returned_heads_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.rulesets (
    account_id bigint NOT NULL,
    target text NOT NULL,
    ruleset_id bigint,
    repository_ids bigint[] NOT NULL,
    sent_at timestamp with time zone,
    tried_at timestamp with time zone,
    bypass_stale boolean DEFAULT false NOT NULL,
    CONSTRAINT rulesets_target_check CHECK ((target = ANY (ARRAY['branch'::text, 'tag'::text])))
);

COMMENT ON TABLE public.rulesets IS 'The organisation''s pair of rulesets: the ids last sent are the fact recorded (docs/design.md section 6).';

COMMENT ON COLUMN public.rulesets.tried_at IS 'Since when a call is on its way whose outcome is not known; null once one was confirmed.';

COMMENT ON COLUMN public.rulesets.bypass_stale IS 'The staff''s teams have changed since it was sent.';

ALTER TABLE public.runs ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.runs_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.scheduled_tasks (
    name text NOT NULL,
    period interval DEFAULT '1 day'::interval NOT NULL,
    enabled boolean DEFAULT true NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    outcome text
);

COMMENT ON TABLE public.scheduled_tasks IS 'Housekeeping for all organisations together. Only these can be paused (`enabled`), never what follows a deadline.';

CREATE TABLE public.schema_migrations (
    name text NOT NULL,
    sha256 text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE public.staff (
    account_id bigint NOT NULL,
    course_id bigint NOT NULL,
    user_id bigint NOT NULL,
    login text NOT NULL
);

COMMENT ON TABLE public.staff IS 'Who taught when it was last read: tells a teacher''s push from a student''s. Never an authority for a command.';

CREATE TABLE public.students (
    account_id bigint NOT NULL,
    repository_id bigint NOT NULL,
    user_id bigint NOT NULL,
    login text NOT NULL,
    role text NOT NULL
);

CREATE VIEW public.task_causes AS
 SELECT 'not confirmed'::text AS kind,
    d.account_id,
    p.course_id,
    d.project_id,
    d.repository_id,
    (d.id)::text AS key,
    jsonb_build_object('since', d.claimed_at, 'sha', d.sha) AS detail
   FROM (public.dispatches d
     JOIN public.projects p ON (((p.account_id = d.account_id) AND (p.id = d.project_id))))
  WHERE ((d.voided_at IS NULL) AND ((d.outcome IS NULL) OR (d.outcome = 'not confirmed'::text)) AND (p.archived_at IS NULL) AND ((d.outcome IS NOT NULL) OR (d.claimed_at < (public.app_now() - '00:10:00'::interval))))
UNION ALL
 SELECT 'to verify'::text AS kind,
    run.account_id,
    p.course_id,
    p.id AS project_id,
    run.repository_id,
    (run.id)::text AS key,
    jsonb_build_object('since', run.completed_at, 'sha', run.head_sha) AS detail
   FROM (((public.runs run
     JOIN public.enrolments e ON (((e.account_id = run.account_id) AND (e.repository_id = run.repository_id) AND (e.withdrawn_at IS NULL))))
     JOIN public.projects p ON (((p.account_id = e.account_id) AND (p.id = e.project_id))))
     JOIN public.repositories r ON (((r.account_id = run.account_id) AND (r.id = run.repository_id))))
  WHERE ((run.score_status = 'multiple'::text) AND (run.workflow = p.workflow) AND (run.event <> 'repository_dispatch'::text) AND (run.head_branch = ANY (public.tracked_branches(p.branches, r.default_branch))) AND public.in_time(run.account_id, run.repository_id, run.head_branch, run.head_sha, e.effective_at) AND (p.state = ANY (ARRAY['open'::text, 'closed'::text])) AND (p.archived_at IS NULL) AND (NOT (EXISTS ( SELECT
           FROM public.runs newer
          WHERE ((newer.account_id = run.account_id) AND (newer.repository_id = run.repository_id) AND (newer.workflow = run.workflow) AND (newer.event <> 'repository_dispatch'::text) AND (newer.status = 'completed'::text) AND (newer.head_branch = ANY (public.tracked_branches(p.branches, r.default_branch))) AND (ROW(newer.completed_at, newer.run_id, newer.attempt) > ROW(run.completed_at, run.run_id, run.attempt)) AND public.in_time(newer.account_id, newer.repository_id, newer.head_branch, newer.head_sha, e.effective_at))))))
UNION ALL
 SELECT 'weak lock'::text AS kind,
    p.account_id,
    p.course_id,
    p.id AS project_id,
    NULL::bigint AS repository_id,
    ''::text AS key,
    jsonb_build_object('why', i.lock_refused) AS detail
   FROM ((public.projects p
     JOIN public.courses c ON (((c.account_id = p.account_id) AND (c.id = p.course_id))))
     JOIN public.installations i ON (((i.account_id = p.account_id) AND (i.state = 'active'::text))))
  WHERE (((i.lock_refused IS NOT NULL) OR (i.plan = 'free'::text)) AND (p.state = ANY (ARRAY['open'::text, 'closed'::text])) AND (p.archived_at IS NULL) AND (p.strategy = 'lock'::text) AND (c.mode = 'active'::text))
UNION ALL
 SELECT 'outage'::text AS kind,
    p.account_id,
    p.course_id,
    p.id AS project_id,
    NULL::bigint AS repository_id,
    'locks'::text AS key,
    jsonb_build_object('since', min(failing.since), 'why', min(failing.why), 'repositories', count(*)) AS detail
   FROM ((((public.projects p
     JOIN public.enrolments e ON (((e.account_id = p.account_id) AND (e.project_id = p.id) AND (e.withdrawn_at IS NULL))))
     JOIN public.repositories r ON (((r.account_id = e.account_id) AND (r.id = e.repository_id))))
     JOIN public.installations i ON (((i.account_id = p.account_id) AND (i.state = 'active'::text))))
     CROSS JOIN LATERAL ( SELECT COALESCE(r.lock_failing_since, i.lock_failing_since) AS since,
            COALESCE(r.lock_failure, i.lock_failure) AS why) failing)
  WHERE ((failing.since <= (public.app_now() - '00:10:00'::interval)) AND (r.wanted_lock <> (r.locked_at IS NOT NULL)) AND (p.archived_at IS NULL) AND (p.state <> 'draft'::text))
  GROUP BY p.account_id, p.course_id, p.id
UNION ALL
 SELECT 'outage'::text AS kind,
    p.account_id,
    p.course_id,
    p.id AS project_id,
    NULL::bigint AS repository_id,
    ('down '::text || t.told_as) AS key,
    public.outage_detail(p.account_id, p.id, t.told_as) AS detail
   FROM (( SELECT DISTINCT outages_told.account_id,
            outages_told.project_id,
            outages_told.told_as
           FROM public.outages_told) t
     JOIN public.projects p ON (((p.account_id = t.account_id) AND (p.id = t.project_id))))
  WHERE (p.archived_at IS NULL);

CREATE TABLE public.tasks (
    account_id bigint NOT NULL,
    id bigint NOT NULL,
    kind text NOT NULL,
    course_id bigint NOT NULL,
    project_id bigint NOT NULL,
    repository_id bigint,
    key text DEFAULT ''::text NOT NULL,
    detail jsonb DEFAULT '{}'::jsonb NOT NULL,
    addressee_kind text DEFAULT 'role'::text NOT NULL,
    addressee text DEFAULT 'staff'::text NOT NULL,
    addressee_id bigint,
    created_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone,
    escalate_at timestamp with time zone,
    reminded_at timestamp with time zone,
    escalated_at timestamp with time zone,
    done_at timestamp with time zone,
    ended text,
    cause_gone_at timestamp with time zone,
    CONSTRAINT tasks_addressee_kind_check CHECK ((addressee_kind = ANY (ARRAY['role'::text, 'team'::text, 'user'::text]))),
    CONSTRAINT tasks_ended_check CHECK ((ended = ANY (ARRAY['done'::text, 'refused'::text, 'gone'::text]))),
    CONSTRAINT tasks_kind_check CHECK ((kind = ANY (ARRAY['not confirmed'::text, 'to verify'::text, 'weak lock'::text, 'drift'::text, 'outage'::text, 'extension request'::text, 'dispute'::text, 'second project'::text, 'approve'::text, 'release'::text, 'pre-flight'::text])))
);

COMMENT ON TABLE public.tasks IS 'What waits for a person. `done_at`: nobody needs to do anything any more, `ended` says why.';

COMMENT ON COLUMN public.tasks.cause_gone_at IS 'What it is about is over. Until then a task that a person has ended is not opened again.';

ALTER TABLE public.tasks ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME public.tasks_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

ALTER TABLE ONLY public.activities
    ADD CONSTRAINT activities_pkey PRIMARY KEY (account_id, repository_id);

ALTER TABLE ONLY public.audit_log
    ADD CONSTRAINT audit_log_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY public.board_news
    ADD CONSTRAINT board_news_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY public.boards
    ADD CONSTRAINT boards_pkey PRIMARY KEY (account_id, project_id);

ALTER TABLE ONLY public.bot_commits
    ADD CONSTRAINT bot_commits_pkey PRIMARY KEY (account_id, repository_id, sha);

ALTER TABLE ONLY public.changes
    ADD CONSTRAINT changes_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY public.checks
    ADD CONSTRAINT checks_account_id_id_key UNIQUE (account_id, id);

ALTER TABLE ONLY public.checks
    ADD CONSTRAINT checks_pkey PRIMARY KEY (account_id, repository_id, project_id, head_sha);

ALTER TABLE ONLY public.clock
    ADD CONSTRAINT clock_pkey PRIMARY KEY (only_row);

ALTER TABLE ONLY public.commands
    ADD CONSTRAINT commands_pkey PRIMARY KEY (account_id, comment_id);

ALTER TABLE ONLY public.confirmations
    ADD CONSTRAINT confirmations_account_id_repository_id_code_key UNIQUE (account_id, repository_id, code);

ALTER TABLE ONLY public.confirmations
    ADD CONSTRAINT confirmations_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY public.courses
    ADD CONSTRAINT courses_account_id_repository_id_key UNIQUE (account_id, repository_id);

ALTER TABLE ONLY public.courses
    ADD CONSTRAINT courses_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY public.deadline_commits
    ADD CONSTRAINT deadline_commits_pkey PRIMARY KEY (account_id, project_id, repository_id, branch, round);

ALTER TABLE ONLY public.deliveries
    ADD CONSTRAINT deliveries_pkey PRIMARY KEY (account_id, guid);

ALTER TABLE ONLY public.delivery_logs
    ADD CONSTRAINT delivery_logs_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY public.dispatches
    ADD CONSTRAINT dispatches_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY public.enrolments
    ADD CONSTRAINT enrolments_pkey PRIMARY KEY (account_id, project_id, repository_id);

ALTER TABLE ONLY public.inner_commits
    ADD CONSTRAINT inner_commits_pkey PRIMARY KEY (account_id, repository_id, sha, ref, head_sha);

ALTER TABLE ONLY public.installations
    ADD CONSTRAINT installations_pkey PRIMARY KEY (account_id, installation_id);

ALTER TABLE ONLY public.missed_deliveries
    ADD CONSTRAINT missed_deliveries_pkey PRIMARY KEY (account_id, guid);

ALTER TABLE ONLY public.outage_repositories
    ADD CONSTRAINT outage_repositories_pkey PRIMARY KEY (account_id, outage_id, project_id, repository_id);

ALTER TABLE ONLY public.outages
    ADD CONSTRAINT outages_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT outbox_account_id_mark_key UNIQUE (account_id, mark);

ALTER TABLE ONLY public.outbox
    ADD CONSTRAINT outbox_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY public.past_verdicts
    ADD CONSTRAINT past_verdicts_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY public.processes
    ADD CONSTRAINT processes_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.projects
    ADD CONSTRAINT projects_account_id_course_id_issue_number_key UNIQUE (account_id, course_id, issue_number);

ALTER TABLE ONLY public.projects
    ADD CONSTRAINT projects_account_id_course_id_slug_key UNIQUE (account_id, course_id, slug);

ALTER TABLE ONLY public.projects
    ADD CONSTRAINT projects_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY public.pulses
    ADD CONSTRAINT pulses_pkey PRIMARY KEY (part);

ALTER TABLE ONLY public.receipts
    ADD CONSTRAINT receipts_pkey PRIMARY KEY (account_id, repository_id, ref, head_sha);

ALTER TABLE ONLY public.reconciliations
    ADD CONSTRAINT reconciliations_pkey PRIMARY KEY (account_id, repository_id);

ALTER TABLE ONLY public.repositories
    ADD CONSTRAINT repositories_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY public.returned_heads
    ADD CONSTRAINT returned_heads_pkey PRIMARY KEY (account_id, id);

ALTER TABLE ONLY public.rulesets
    ADD CONSTRAINT rulesets_pkey PRIMARY KEY (account_id, target);

ALTER TABLE ONLY public.runs
    ADD CONSTRAINT runs_account_id_id_key UNIQUE (account_id, id);

ALTER TABLE ONLY public.runs
    ADD CONSTRAINT runs_pkey PRIMARY KEY (account_id, repository_id, run_id, attempt);

ALTER TABLE ONLY public.scheduled_tasks
    ADD CONSTRAINT scheduled_tasks_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.staff
    ADD CONSTRAINT staff_pkey PRIMARY KEY (account_id, course_id, user_id);

ALTER TABLE ONLY public.students
    ADD CONSTRAINT students_pkey PRIMARY KEY (account_id, repository_id, user_id);

ALTER TABLE ONLY public.tasks
    ADD CONSTRAINT tasks_pkey PRIMARY KEY (account_id, id);

CREATE INDEX activities_due ON public.activities USING btree (due_at) WHERE (due_at IS NOT NULL);

CREATE INDEX board_news_of_project ON public.board_news USING btree (account_id, project_id);

CREATE INDEX changes_of_course ON public.changes USING btree (account_id, course_id, id);

CREATE INDEX changes_of_project ON public.changes USING btree (account_id, project_id, id);

CREATE INDEX checks_due ON public.checks USING btree (due_at) WHERE (due_at IS NOT NULL);

CREATE INDEX commands_due ON public.commands USING btree (due_at) WHERE (done_at IS NULL);

CREATE INDEX confirmations_waiting ON public.confirmations USING btree (account_id, repository_id, issue_number) WHERE (used_at IS NULL);

CREATE INDEX deliveries_by_guid ON public.deliveries USING btree (guid);

CREATE INDEX deliveries_due ON public.deliveries USING btree (due_at) WHERE (handled_at IS NULL);

CREATE INDEX deliveries_to_purge ON public.deliveries USING btree (received_at) WHERE ((body IS NOT NULL) AND (handled_at IS NOT NULL));

CREATE INDEX dispatches_not_confirmed ON public.dispatches USING btree (account_id, project_id) WHERE ((voided_at IS NULL) AND ((outcome IS NULL) OR (outcome = 'not confirmed'::text)));

CREATE UNIQUE INDEX dispatches_once ON public.dispatches USING btree (account_id, project_id, repository_id, trigger, checkpoint_id, round) WHERE (outcome IS DISTINCT FROM 'given back'::text);

CREATE INDEX enrolments_not_applied ON public.enrolments USING btree (effective_at) WHERE ((deadline_applied_at IS NULL) AND (withdrawn_at IS NULL));

CREATE INDEX enrolments_not_committed ON public.enrolments USING btree (account_id, project_id) WHERE ((deadline_applied_at IS NOT NULL) AND (deadline_committed_at IS NULL) AND (withdrawn_at IS NULL));

CREATE INDEX enrolments_not_frozen ON public.enrolments USING btree (effective_at) WHERE ((deadline_applied_at IS NOT NULL) AND (frozen_at IS NULL) AND (withdrawn_at IS NULL));

CREATE INDEX enrolments_of_repository ON public.enrolments USING btree (account_id, repository_id);

CREATE UNIQUE INDEX enrolments_one_open_project ON public.enrolments USING btree (account_id, repository_id) WHERE holding;

CREATE INDEX enrolments_review_due ON public.enrolments USING btree (account_id, project_id) WHERE ((frozen_at IS NOT NULL) AND (review_settled_at IS NULL) AND (withdrawn_at IS NULL));

CREATE UNIQUE INDEX installations_active ON public.installations USING btree (account_id) WHERE (state = 'active'::text);

CREATE INDEX installations_read_due ON public.installations USING btree (read_due_at) WHERE (read_due_at IS NOT NULL);

CREATE INDEX outage_repositories_of_outage ON public.outage_repositories USING btree (outage_id);

CREATE INDEX outages_not_recovered ON public.outages USING btree (began_at) WHERE (recovered_at IS NULL);

CREATE INDEX outbox_due ON public.outbox USING btree (due_at) WHERE ((posted_at IS NULL) AND (given_up IS NULL));

CREATE INDEX past_verdicts_of_repository ON public.past_verdicts USING btree (account_id, project_id, repository_id, id);

CREATE INDEX projects_deadline_due ON public.projects USING btree (deadline_at) WHERE ((state = 'open'::text) AND (deadline_applied_at IS NULL));

CREATE INDEX projects_opening_due ON public.projects USING btree (opens_at) WHERE ((state = 'draft'::text) AND (opens_at IS NOT NULL));

CREATE INDEX projects_to_nudge ON public.projects USING btree (deadline_at) WHERE ((state = 'draft'::text) AND (nudged_at IS NULL));

CREATE INDEX receipts_by_before ON public.receipts USING btree (account_id, repository_id, ref, before_sha);

CREATE INDEX receipts_by_head ON public.receipts USING btree (account_id, repository_id, head_sha);

CREATE INDEX reconciliations_due ON public.reconciliations USING btree (due_at) WHERE (due_at IS NOT NULL);

CREATE INDEX repositories_dormant ON public.repositories USING btree (account_id) WHERE rulesets_dormant;

CREATE INDEX repositories_hand_ends ON public.repositories USING btree (staff_lock_until) WHERE (staff_lock_until IS NOT NULL);

CREATE INDEX repositories_lock_differs ON public.repositories USING btree (account_id) WHERE lock_differs;

CREATE INDEX repositories_lock_unsure ON public.repositories USING btree (account_id) WHERE (lock_tried_at IS NOT NULL);

CREATE INDEX repositories_read_due ON public.repositories USING btree (read_due_at) WHERE (read_due_at IS NOT NULL);

CREATE INDEX repositories_verify_due ON public.repositories USING btree (account_id) WHERE (verify_due_at IS NOT NULL);

CREATE INDEX repositories_weaker ON public.repositories USING btree (account_id) WHERE (lock_kind = ANY (ARRAY['repository'::text, 'archive'::text]));

CREATE INDEX returned_heads_of_branch ON public.returned_heads USING btree (account_id, repository_id, ref, head_sha);

CREATE INDEX rulesets_unsure ON public.rulesets USING btree (account_id) WHERE (tried_at IS NOT NULL);

CREATE INDEX runs_by_head ON public.runs USING btree (account_id, repository_id, head_sha);

CREATE INDEX runs_read_due ON public.runs USING btree (read_due_at) WHERE (read_due_at IS NOT NULL);

CREATE INDEX runs_to_verify ON public.runs USING btree (account_id, repository_id) WHERE (score_status = 'multiple'::text);

CREATE INDEX tasks_due ON public.tasks USING btree (due_at) WHERE ((done_at IS NULL) AND (reminded_at IS NULL));

CREATE UNIQUE INDEX tasks_once ON public.tasks USING btree (account_id, kind, project_id, repository_id, key) NULLS NOT DISTINCT WHERE (cause_gone_at IS NULL);

CREATE INDEX tasks_open ON public.tasks USING btree (account_id, project_id) WHERE (done_at IS NULL);

CREATE INDEX tasks_to_escalate ON public.tasks USING btree (escalate_at) WHERE ((done_at IS NULL) AND (escalated_at IS NULL));

CREATE TRIGGER ask_of_returned AFTER UPDATE OF gone_at ON public.repositories FOR EACH ROW WHEN (((old.gone_at IS NOT NULL) AND (new.gone_at IS NULL))) EXECUTE FUNCTION public.ask_of_returned();

CREATE TRIGGER audit_log_is_append_only BEFORE DELETE OR UPDATE ON public.audit_log FOR EACH ROW EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER audit_log_is_never_emptied BEFORE TRUNCATE ON public.audit_log FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER board_by_course AFTER UPDATE OF timezone, mode ON public.courses FOR EACH ROW EXECUTE FUNCTION public.tell_boards_of_course();

CREATE TRIGGER board_by_dispatch AFTER UPDATE ON public.dispatches REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.tell_boards_of_parts();

CREATE TRIGGER board_by_enrolment AFTER INSERT ON public.enrolments REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.tell_boards_of_parts();

CREATE TRIGGER board_by_enrolments_change AFTER UPDATE ON public.enrolments REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.tell_boards_of_parts();

CREATE TRIGGER board_by_project AFTER UPDATE OF state, deadline_at, deadline_wall, opens_at, grace_seconds, archived_at ON public.projects FOR EACH ROW EXECUTE FUNCTION public.tell_board_of_project();

CREATE TRIGGER board_by_receipt AFTER UPDATE ON public.receipts REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.tell_boards_of_receipts();

CREATE TRIGGER board_by_repository AFTER UPDATE ON public.repositories REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.tell_boards_of_repositories();

CREATE TRIGGER board_by_return AFTER INSERT ON public.returned_heads REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.tell_boards_of_receipts();

CREATE TRIGGER board_by_task AFTER INSERT ON public.tasks REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.tell_boards_of_parts();

CREATE TRIGGER board_by_tasks_change AFTER UPDATE ON public.tasks REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION public.tell_boards_of_parts();

CREATE TRIGGER board_of_project AFTER INSERT ON public.projects FOR EACH ROW EXECUTE FUNCTION public.begin_board();

CREATE TRIGGER failing_since BEFORE UPDATE OF lock_failure ON public.installations FOR EACH ROW EXECUTE FUNCTION public.keep_lock_failing_since();

CREATE TRIGGER failing_since BEFORE UPDATE OF lock_failure ON public.repositories FOR EACH ROW EXECUTE FUNCTION public.keep_lock_failing_since();

CREATE TRIGGER mail_wakes_workers AFTER INSERT ON public.deliveries FOR EACH STATEMENT EXECUTE FUNCTION public.tell_of_mail();

CREATE TRIGGER new_visit BEFORE UPDATE OF state ON public.projects FOR EACH ROW WHEN ((old.state <> new.state)) EXECUTE FUNCTION public.clear_nudge();

CREATE TRIGGER own_deadline BEFORE INSERT OR UPDATE OF deadline_at ON public.enrolments FOR EACH ROW EXECUTE FUNCTION public.keep_own_effective();

CREATE TRIGGER past_verdicts_stay BEFORE DELETE OR UPDATE ON public.past_verdicts FOR EACH ROW EXECUTE FUNCTION public.refuse_change();

CREATE TRIGGER project_deadline AFTER UPDATE OF deadline_at ON public.projects FOR EACH ROW WHEN ((old.deadline_at <> new.deadline_at)) EXECUTE FUNCTION public.keep_effective_of_project();

CREATE TRIGGER wanted_by_course AFTER UPDATE OF mode, locks_lifted ON public.courses FOR EACH ROW WHEN (((old.mode <> new.mode) OR (old.locks_lifted <> new.locks_lifted))) EXECUTE FUNCTION public.keep_wanted_of_course();

CREATE TRIGGER wanted_by_enrolment AFTER INSERT OR UPDATE OF deadline_applied_at, withdrawn_at, holding ON public.enrolments FOR EACH ROW EXECUTE FUNCTION public.keep_wanted_of_enrolment();

CREATE TRIGGER wanted_by_hand AFTER UPDATE OF staff_lock, exempt_from ON public.repositories FOR EACH ROW WHEN (((old.staff_lock IS DISTINCT FROM new.staff_lock) OR (old.exempt_from IS DISTINCT FROM new.exempt_from))) EXECUTE FUNCTION public.keep_wanted_of_repository();

CREATE TRIGGER wanted_by_project AFTER UPDATE OF state, strategy, archived_at ON public.projects FOR EACH ROW EXECUTE FUNCTION public.keep_wanted_of_project();

CREATE TRIGGER wanted_by_reach AFTER UPDATE OF gone_at ON public.repositories FOR EACH ROW EXECUTE FUNCTION public.keep_wanted_of_repository();

CREATE TRIGGER when_a_course_begins AFTER INSERT ON public.courses FOR EACH ROW EXECUTE FUNCTION public.stale_bypasses();

CREATE TRIGGER when_teams_change AFTER UPDATE OF staff_team_id, assistants_team_id ON public.courses FOR EACH ROW WHEN (((old.staff_team_id IS DISTINCT FROM new.staff_team_id) OR (old.assistants_team_id IS DISTINCT FROM new.assistants_team_id))) EXECUTE FUNCTION public.stale_bypasses();

ALTER TABLE ONLY public.boards
    ADD CONSTRAINT boards_account_id_project_id_fkey FOREIGN KEY (account_id, project_id) REFERENCES public.projects(account_id, id);

ALTER TABLE ONLY public.changes
    ADD CONSTRAINT changes_account_id_course_id_fkey FOREIGN KEY (account_id, course_id) REFERENCES public.courses(account_id, id);

ALTER TABLE ONLY public.changes
    ADD CONSTRAINT changes_account_id_project_id_fkey FOREIGN KEY (account_id, project_id) REFERENCES public.projects(account_id, id);

ALTER TABLE ONLY public.deadline_commits
    ADD CONSTRAINT deadline_commits_account_id_project_id_repository_id_fkey FOREIGN KEY (account_id, project_id, repository_id) REFERENCES public.enrolments(account_id, project_id, repository_id);

ALTER TABLE ONLY public.dispatches
    ADD CONSTRAINT dispatches_account_id_project_id_repository_id_fkey FOREIGN KEY (account_id, project_id, repository_id) REFERENCES public.enrolments(account_id, project_id, repository_id);

ALTER TABLE ONLY public.enrolments
    ADD CONSTRAINT enrolments_account_id_project_id_fkey FOREIGN KEY (account_id, project_id) REFERENCES public.projects(account_id, id);

ALTER TABLE ONLY public.enrolments
    ADD CONSTRAINT enrolments_account_id_repository_id_fkey FOREIGN KEY (account_id, repository_id) REFERENCES public.repositories(account_id, id);

ALTER TABLE ONLY public.past_verdicts
    ADD CONSTRAINT past_verdicts_account_id_project_id_repository_id_fkey FOREIGN KEY (account_id, project_id, repository_id) REFERENCES public.enrolments(account_id, project_id, repository_id);

ALTER TABLE ONLY public.projects
    ADD CONSTRAINT projects_account_id_course_id_fkey FOREIGN KEY (account_id, course_id) REFERENCES public.courses(account_id, id);

ALTER TABLE ONLY public.reconciliations
    ADD CONSTRAINT reconciliations_account_id_repository_id_fkey FOREIGN KEY (account_id, repository_id) REFERENCES public.repositories(account_id, id);

ALTER TABLE ONLY public.staff
    ADD CONSTRAINT staff_account_id_course_id_fkey FOREIGN KEY (account_id, course_id) REFERENCES public.courses(account_id, id);

ALTER TABLE ONLY public.students
    ADD CONSTRAINT students_account_id_repository_id_fkey FOREIGN KEY (account_id, repository_id) REFERENCES public.repositories(account_id, id);

ALTER TABLE ONLY public.tasks
    ADD CONSTRAINT tasks_account_id_project_id_fkey FOREIGN KEY (account_id, project_id) REFERENCES public.projects(account_id, id);
