-- Evidence from every trusted clock (docs/design.md section 3): what the payload claimed apart from what is believed of
-- it, heads that come back, commits inside a push, what GitHub's activity and the log of deliveries have been asked.

-- How many times the activity was asked in vain: what was received before this version is settled as it is.
ALTER TABLE receipts ADD COLUMN asked integer NOT NULL DEFAULT 3;
ALTER TABLE receipts ALTER COLUMN asked SET DEFAULT 0;
ALTER TABLE receipts ALTER COLUMN guid DROP NOT NULL;
ALTER TABLE receipts ADD COLUMN claimed_at timestamptz;
ALTER TABLE receipts ADD COLUMN activity_id bigint;
ALTER TABLE receipts ADD COLUMN commits_listed boolean NOT NULL DEFAULT false;
UPDATE receipts SET claimed_at = pushed_at WHERE pushed_at IS NOT NULL;
COMMENT ON COLUMN receipts.arrived_at IS 'When this service heard of the push: by its webhook, or by asking.';
COMMENT ON COLUMN receipts.claimed_at IS 'repository.pushed_at of the payload, as it was told.';
COMMENT ON COLUMN receipts.pushed_at IS 'The same where it is believed (the function believed_claim).';
COMMENT ON COLUMN receipts.asked IS 'How many times the activity was asked and did not list this push.';
COMMENT ON COLUMN receipts.commits_listed IS 'Every commit that came with it is known: in inner_commits, but for the head.';

CREATE TABLE returned_heads (
    account_id bigint NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    repository_id bigint NOT NULL,
    ref text NOT NULL,
    head_sha text NOT NULL,
    before_sha text NOT NULL,
    forced boolean NOT NULL,
    arrived_at timestamptz NOT NULL,
    claimed_at timestamptz,
    pushed_at timestamptz,
    logged_at timestamptz,
    activity_at timestamptz,
    received_at timestamptz NOT NULL GENERATED ALWAYS AS (LEAST(arrived_at, pushed_at, logged_at, activity_at)) STORED,
    evidence text NOT NULL GENERATED ALWAYS AS (
        CASE LEAST(arrived_at, pushed_at, logged_at, activity_at)
            WHEN arrived_at THEN 'arrival' WHEN pushed_at THEN 'pushed_at' WHEN logged_at THEN 'delivery log' ELSE 'activity' END) STORED,
    sender_id bigint,
    sender_login text,
    sender_type text,
    pusher text NOT NULL DEFAULT 'unknown'
        CHECK (pusher IN ('unknown', 'student', 'staff', 'person', 'app', 'actions', 'bot')),
    guid uuid,
    activity_id bigint,
    PRIMARY KEY (account_id, id)
);
CREATE INDEX returned_heads_of_branch ON returned_heads (account_id, repository_id, ref, head_sha);
COMMENT ON TABLE returned_heads IS
    'A head that a branch already had came back to it after others. Its receipt says how early it was there, this that it was the head again.';

CREATE TABLE inner_commits (
    account_id bigint NOT NULL,
    repository_id bigint NOT NULL,
    sha text NOT NULL,
    ref text NOT NULL,
    head_sha text NOT NULL,
    PRIMARY KEY (account_id, repository_id, sha, ref, head_sha)
);
COMMENT ON TABLE inner_commits IS 'Commits that came with a head and were received with it (docs/design.md section 3).';

CREATE TABLE activities (
    account_id bigint NOT NULL,
    repository_id bigint NOT NULL,
    due_at timestamptz,
    attempts integer NOT NULL DEFAULT 0,
    read_at timestamptz,
    refused text,
    leased_at timestamptz,
    leased_by uuid,
    PRIMARY KEY (account_id, repository_id)
);
CREATE INDEX activities_due ON activities (due_at) WHERE due_at IS NOT NULL;
COMMENT ON TABLE activities IS 'How far GitHub''s activity of a repository has been read: `read_at` is course time when the last reading began.';
COMMENT ON COLUMN activities.refused IS 'Why GitHub does not give it (an older server has none), in its words; it counts as read.';

CREATE TABLE delivery_logs (
    account_id bigint NOT NULL DEFAULT 0,
    id bigint NOT NULL DEFAULT 0,
    due_at timestamptz,
    attempts integer NOT NULL DEFAULT 0,
    read_at timestamptz,
    read_up_to timestamptz,
    outcome text,
    leased_at timestamptz,
    leased_by uuid,
    PRIMARY KEY (account_id, id)
);
INSERT INTO delivery_logs DEFAULT VALUES;
COMMENT ON TABLE delivery_logs IS
    'How far the App''s log of deliveries has been read: one row, of account 0, which is the App itself. `read_at` is course time when the last reading began, `read_up_to` GitHub''s time of the newest attempt that it saw.';

CREATE TABLE missed_deliveries (
    account_id bigint NOT NULL DEFAULT 0,
    guid uuid NOT NULL,
    logged_at timestamptz NOT NULL,
    asked_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, guid)
);
COMMENT ON TABLE missed_deliveries IS
    'Deliveries whose payload the log did not give: when each was first attempted, and when its redelivery was asked for, once.';

ALTER TABLE deliveries ADD COLUMN logged_at timestamptz;
COMMENT ON COLUMN deliveries.logged_at IS 'Its first attempt, by GitHub''s log; null where it came by itself.';

ALTER TABLE past_verdicts ALTER COLUMN comment_id DROP NOT NULL;
ALTER TABLE past_verdicts ALTER COLUMN replaced_by DROP NOT NULL;
ALTER TABLE past_verdicts ALTER COLUMN replaced_by_login DROP NOT NULL;
COMMENT ON TABLE past_verdicts IS
    'Verdicts that a moved deadline or recovered evidence replaced (docs/design.md section 4): rows are only added.';
COMMENT ON COLUMN past_verdicts.reason IS 'The command as it was typed, or `evidence: …`, which no person gave.';

CREATE FUNCTION believed_claim(
    the_account bigint, the_repository bigint, the_ref text, the_before text, claimed timestamptz, heard timestamptz
) RETURNS timestamptz LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN claimed >= heard - interval '10 minutes' AND claimed >= coalesce((
        SELECT min(received_at) FROM receipts
        WHERE account_id = the_account AND repository_id = the_repository AND ref = the_ref AND head_sha = the_before
    ), '-infinity') THEN claimed END
$$;
COMMENT ON FUNCTION believed_claim(bigint, bigint, text, text, timestamptz, timestamptz) IS
    'GitHub''s pushed_at where it can be true: not before the receipt of what was there before, nor long before it was heard of. Twin: believed_claim in bot/rules/evidence.py.';

CREATE FUNCTION is_settled(heard receipts) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT heard.activity_at IS NOT NULL OR heard.asked >= 3
$$;
COMMENT ON FUNCTION is_settled(receipts) IS 'The activity has said when it was, or has been asked often enough.';

CREATE FUNCTION is_unsettled(heard receipts, deadline timestamptz) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT heard.activity_at IS NULL AND heard.asked < 3 AND heard.received_at > deadline
        AND (heard.received_at < deadline + interval '10 minutes' OR coalesce(heard.claimed_at <= deadline, false))
$$;
COMMENT ON FUNCTION is_unsettled(receipts, timestamptz) IS
    'Late by less than ten minutes, or only because a claim is not believed: not late before the activity was asked. Twin: is_unsettled in bot/rules/evidence.py.';

CREATE FUNCTION pusher_of(
    the_account bigint, the_repository bigint, the_head text, the_sender bigint, the_login text, the_type text, app_login text
) RETURNS text LANGUAGE sql STABLE AS $$
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
COMMENT ON FUNCTION pusher_of IS 'What kind of account pushed a head, by what is known of students and staff now (docs/design.md section 3).';

CREATE VIEW heads_heard AS
SELECT heard.account_id, heard.repository_id, heard.ref, heard.head_sha, heard.received_at, heard.arrived_at, heard.evidence,
    heard.pusher, followed(heard) AS followed
FROM receipts heard
UNION ALL
SELECT account_id, repository_id, ref, head_sha, received_at, arrived_at, evidence, pusher, false FROM returned_heads;
COMMENT ON VIEW heads_heard IS 'Each time that a commit became the head of a branch.';

CREATE VIEW commits_heard AS
SELECT account_id, repository_id, ref, head_sha AS sha, received_at, pusher FROM heads_heard
UNION ALL
SELECT i.account_id, i.repository_id, i.ref, i.sha, heard.received_at, heard.pusher
FROM inner_commits i
JOIN receipts heard ON (heard.account_id, heard.repository_id, heard.ref, heard.head_sha) = (i.account_id, i.repository_id, i.ref, i.head_sha);
COMMENT ON VIEW commits_heard IS 'Each time that a commit reached a branch, as its head or with it.';

CREATE OR REPLACE VIEW eligible_commits AS
SELECT e.account_id, e.project_id, e.repository_id, heard.head_sha, heard.received_at, heard.arrived_at, heard.evidence,
    heard.followed
FROM enrolments e
JOIN projects p ON (p.account_id, p.id) = (e.account_id, e.project_id)
JOIN repositories r ON (r.account_id, r.id) = (e.account_id, e.repository_id)
JOIN heads_heard heard ON heard.account_id = e.account_id AND heard.repository_id = e.repository_id
WHERE heard.pusher IN ('student', 'person')
    AND heard.ref IN (SELECT 'refs/heads/' || branch FROM unnest(tracked_branches(p.branches, r.default_branch)) AS branch);

CREATE OR REPLACE FUNCTION in_time(the_account bigint, the_repository bigint, branch text, sha text, deadline timestamptz)
RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT coalesce((SELECT min(received_at) <= deadline FROM commits_heard
        WHERE account_id = the_account AND repository_id = the_repository AND ref = 'refs/heads/' || branch AND commits_heard.sha = in_time.sha), true)
$$;

CREATE FUNCTION hear_push(
    the_account bigint, the_repository bigint, the_ref text, the_head text, the_before text, is_forced boolean,
    arrived timestamptz, claimed timestamptz, logged timestamptz, active timestamptz,
    the_sender bigint, the_login text, the_type text, the_guid uuid, the_activity bigint
) RETURNS TABLE (news text, was timestamptz, becomes timestamptz) LANGUAGE plpgsql AS $$
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
COMMENT ON FUNCTION hear_push IS
    'A push by one more witness (webhook, log of deliveries, activity): a new receipt, times added to the one that stands, or a head that came back. The one way in which receipts change after their arrival.';

CREATE FUNCTION is_same_push(before_of_one text, times_of_one timestamptz[], before_of_other text, moment timestamptz)
RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    -- A claim may be stale and an arrival late: the push was some time between them. Another move between the same two
    -- heads has a number of its own by each of the two witnesses.
    SELECT before_of_one = before_of_other AND moment BETWEEN min(one) - interval '1 minute' AND max(one) + interval '1 minute'
    FROM unnest(times_of_one) AS one
$$;

CREATE TRIGGER board_by_return AFTER INSERT ON returned_heads REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION tell_boards_of_receipts();

-- A repository that comes back was not told of meanwhile: whoever finds that it is there, its activity is to be read.
CREATE FUNCTION ask_of_returned() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO activities (account_id, repository_id, due_at)
    SELECT NEW.account_id, NEW.id, clock_timestamp()
    WHERE EXISTS (SELECT FROM enrolments e WHERE (e.account_id, e.repository_id) = (NEW.account_id, NEW.id))
    ON CONFLICT (account_id, repository_id) DO UPDATE SET due_at = clock_timestamp(), attempts = 0;
    RETURN NULL;
END $$;
CREATE TRIGGER ask_of_returned AFTER UPDATE OF gone_at ON repositories
    FOR EACH ROW WHEN (OLD.gone_at IS NOT NULL AND NEW.gone_at IS NULL) EXECUTE FUNCTION ask_of_returned();

-- What GitHub's activity is to be asked about: a push whose verdict hangs on it, and a branch of whose past something is
-- missing. The head of a run that was never heard of is the third; each is asked about once it is known, and not for ever.
CREATE VIEW open_questions AS
SELECT heard.account_id, heard.repository_id, heard.head_sha AS sha, 'unsettled' AS why
FROM receipts heard
JOIN enrolments e ON e.account_id = heard.account_id AND e.repository_id = heard.repository_id AND e.withdrawn_at IS NULL
JOIN projects p ON (p.account_id, p.id) = (e.account_id, e.project_id) AND p.archived_at IS NULL AND p.state <> 'draft'
JOIN repositories r ON (r.account_id, r.id) = (e.account_id, e.repository_id)
WHERE is_unsettled(heard, e.effective_at) AND heard.pusher IN ('student', 'person')
    AND heard.ref IN (SELECT 'refs/heads/' || branch FROM unnest(tracked_branches(p.branches, r.default_branch)) AS branch)
UNION ALL
SELECT heard.account_id, heard.repository_id, heard.head_sha, 'gap'
FROM receipts heard
WHERE heard.activity_id IS NULL AND heard.asked = 0 AND heard.before_sha <> repeat('0', 40)
    AND EXISTS (SELECT FROM enrolments e WHERE e.account_id = heard.account_id AND e.repository_id = heard.repository_id)
    AND NOT EXISTS (SELECT FROM receipts b WHERE b.account_id = heard.account_id AND b.repository_id = heard.repository_id
        AND b.ref = heard.ref AND b.head_sha = heard.before_sha)
UNION ALL
SELECT run.account_id, run.repository_id, run.head_sha, 'no receipt'
FROM runs run
JOIN enrolments e ON e.account_id = run.account_id AND e.repository_id = run.repository_id AND e.withdrawn_at IS NULL
JOIN projects p ON (p.account_id, p.id) = (e.account_id, e.project_id) AND p.archived_at IS NULL AND p.state <> 'draft'
JOIN repositories r ON (r.account_id, r.id) = (e.account_id, e.repository_id)
LEFT JOIN activities a ON (a.account_id, a.repository_id) = (run.account_id, run.repository_id)
WHERE run.workflow = p.workflow AND run.event <> 'repository_dispatch'
    AND run.head_branch = ANY (tracked_branches(p.branches, r.default_branch))
    AND (a.read_at IS NULL OR a.read_at < run.created_at)
    AND NOT EXISTS (SELECT FROM commits_heard c WHERE c.account_id = run.account_id AND c.repository_id = run.repository_id
        AND c.ref = 'refs/heads/' || run.head_branch AND c.sha = run.head_sha)
    AND NOT EXISTS (SELECT FROM bot_commits ours
        WHERE (ours.account_id, ours.repository_id, ours.sha) = (run.account_id, run.repository_id, run.head_sha));
COMMENT ON VIEW open_questions IS 'What the activity of a repository is to be asked about, and why (docs/design.md section 3).';
