-- name: claim
-- Take the right to change an organisation's pair of rulesets, where what GitHub holds differs from what the rows say
-- or is not known, or a lock is still to be read back. Repositories under a weaker lock are taken over: the pair names
-- them too before that lock is taken off.
UPDATE installations i SET lock_job_at = clock_timestamp(), lock_job_by = $1
WHERE i.state = 'active' AND i.lock_refused IS NULL AND lease_free(i.lock_job_at, i.lock_job_by, $2)
    AND (i.paused_until IS NULL OR i.paused_until <= now())
    AND (EXISTS (
            SELECT FROM repositories r WHERE r.account_id = i.account_id AND r.lock_differs
                AND coalesce(r.lock_kind, 'organisation') = 'organisation')
        OR EXISTS (SELECT FROM repositories r WHERE r.account_id = i.account_id AND r.lock_kind IN ('repository', 'archive')
                AND pair_differs(r))
        OR EXISTS (SELECT FROM rulesets s WHERE s.account_id = i.account_id AND (s.tried_at IS NOT NULL OR s.bypass_stale))
        OR EXISTS (SELECT FROM repositories r WHERE r.account_id = i.account_id AND r.verify_due_at IS NOT NULL))
RETURNING i.account_id, i.installation_id AS key, i.lock_job_at AS token;

-- name: wanted
-- The set as the rows want it now: what is wanted closed, and what the pair holds where no rule speaks. A deleted
-- repository is left out: its id could have GitHub refuse the whole set.
SELECT id FROM repositories
WHERE account_id = $1 AND gone_as IS DISTINCT FROM 'deleted' AND coalesce(wanted_lock, locked_at IS NOT NULL
    AND (coalesce(lock_kind, 'organisation') = 'organisation' OR named_by_pair(account_id, id) > 0))
ORDER BY id;

-- name: known
-- Of these repositories, those that a row of ours explains.
SELECT id FROM repositories WHERE account_id = $1 AND id = ANY ($2::bigint[]);

-- name: differs
-- Whether GitHub still holds something else than the rows say, or may do so.
SELECT EXISTS (SELECT FROM repositories WHERE account_id = $1 AND lock_differs
    AND coalesce(lock_kind, 'organisation') = 'organisation')
    OR EXISTS (SELECT FROM repositories r WHERE r.account_id = $1 AND r.lock_kind IN ('repository', 'archive') AND pair_differs(r))
    OR EXISTS (SELECT FROM rulesets WHERE account_id = $1 AND (tried_at IS NOT NULL OR bypass_stale));

-- name: rulesets
-- The pair as last sent, since when the outcome of a later call is not known, and whether it names former teams.
SELECT target, ruleset_id, repository_ids, tried_at, bypass_stale FROM rulesets WHERE account_id = $1;

-- name: trying
-- Written before the call: until its outcome is known, GitHub may hold either set.
INSERT INTO rulesets (account_id, target, repository_ids, tried_at) VALUES ($1, $2, '{}', clock_timestamp())
ON CONFLICT (account_id, target) DO UPDATE SET tried_at = excluded.tried_at
RETURNING tried_at;

-- name: sent
-- The ids sent are the fact recorded. Where another call overlapped with this one (a lease had run out), which of them
-- came last is not known: the ruleset is sent once more.
INSERT INTO rulesets (account_id, target, ruleset_id, repository_ids, sent_at, bypass_stale)
VALUES ($1, $2, $3, $4, $5, cardinality($4::bigint[]) > 0 AND $7::bigint[] <> staff_teams($1))
ON CONFLICT (account_id, target) DO UPDATE
SET ruleset_id = excluded.ruleset_id, repository_ids = excluded.repository_ids, sent_at = excluded.sent_at,
    bypass_stale = excluded.bypass_stale,
    tried_at = CASE WHEN rulesets.tried_at IS DISTINCT FROM $6 THEN clock_timestamp() END;

-- name: lapse
-- The plan has no organisation rulesets (any more): GitHub enforces none of the pair, but keeps it, and enforces what it
-- holds as soon as the plan has them again. So it stays unsure, and is sent again once it is not refused.
UPDATE rulesets SET repository_ids = '{}', tried_at = clock_timestamp(), bypass_stale = false WHERE account_id = $1;

-- name: doubt_pair
-- GitHub may not hold what was sent, or not enforce it: it is sent again.
UPDATE rulesets SET tried_at = clock_timestamp() WHERE account_id = $1;

-- name: doubt
-- The installation was read. Where its plan is another one ($3), no lock is certain: each is read back. So are those that
-- were not found the last time, and rulesets that a plan did not apply are looked for.
UPDATE repositories SET
    verify_due_at = CASE WHEN lock_kind = 'organisation' AND locked_at IS NOT NULL THEN $2 ELSE verify_due_at END,
    lock_tried_at = CASE WHEN lock_kind = 'repository' OR rulesets_dormant THEN clock_timestamp() ELSE lock_tried_at END,
    lock_tried_kind = CASE WHEN lock_tried_at IS NULL AND (lock_kind = 'repository' OR rulesets_dormant) THEN 'repository'
        ELSE lock_tried_kind END
WHERE account_id = $1 AND gone_at IS NULL
    AND (rulesets_dormant OR (lock_kind IN ('organisation', 'repository') AND ($3 OR lock_absent_at IS NOT NULL)));

-- name: lapse_one
-- The pair does not close this repository, and it cannot be sent.
UPDATE rulesets SET repository_ids = array_remove(repository_ids, $2::bigint), tried_at = clock_timestamp()
WHERE account_id = $1;

-- name: hold
-- The repositories about to be settled, in the order in which the sweeper takes them.
SELECT id FROM repositories WHERE account_id = $1 ORDER BY id FOR NO KEY UPDATE;

-- name: settle
-- How many of the pair name each repository now: it is locked from the second on, and open again when none does.
-- `locked` is null where it is neither news: one of the pair went and came back.
WITH held AS (
    SELECT r.id, count(s.target) AS rulesets, r.locked_at AS was FROM repositories r
    LEFT JOIN rulesets s ON s.account_id = r.account_id AND r.id = ANY (s.repository_ids)
    WHERE r.account_id = $1 GROUP BY r.id, r.locked_at
)
UPDATE repositories r SET rulesets = held.rulesets, lock_kind = CASE WHEN held.rulesets > 0 THEN 'organisation' END,
    locked_at = CASE held.rulesets WHEN 2 THEN coalesce(r.locked_at, $2) WHEN 0 THEN NULL ELSE r.locked_at END,
    lock_verified_at = CASE held.rulesets WHEN 2 THEN r.lock_verified_at END,
    verify_due_at = CASE held.rulesets WHEN 2 THEN $2::timestamptz END, lock_absent_at = NULL, lock_reason = NULL, lock_failure = NULL
FROM held
WHERE r.account_id = $1 AND r.id = held.id AND r.rulesets <> held.rulesets
    AND coalesce(r.lock_kind, 'organisation') = 'organisation'
RETURNING r.id, CASE WHEN held.rulesets = 2 AND held.was IS NULL THEN true WHEN held.rulesets = 0 AND held.was IS NOT NULL THEN false END
    AS locked;

-- name: to_verify
-- Locked repositories whose rules have not been read back.
SELECT id, default_branch FROM repositories
WHERE account_id = $1 AND verify_due_at IS NOT NULL AND locked_at IS NOT NULL ORDER BY id;

-- name: verified
-- GitHub itself said that students cannot push there.
UPDATE repositories SET lock_verified_at = $3, verify_due_at = NULL, lock_absent_at = NULL
WHERE account_id = $1 AND id = $2 AND locked_at IS NOT NULL RETURNING id;

-- name: absent
-- Reading back did not show the lock that was sent. The first time it is sent again, and read back again; what is not
-- there then waits for the next reading of the installation.
WITH was AS (SELECT account_id, id, lock_absent_at FROM repositories WHERE account_id = $1 AND id = $2 FOR NO KEY UPDATE)
UPDATE repositories r SET lock_verified_at = NULL, lock_absent_at = coalesce(r.lock_absent_at, $3::timestamptz),
    verify_due_at = CASE WHEN r.lock_absent_at IS NULL AND r.lock_kind = 'organisation' THEN $3 END,
    bypass_stale = r.bypass_stale OR (r.lock_absent_at IS NULL AND r.lock_kind = 'repository')
FROM was WHERE (r.account_id, r.id) = (was.account_id, was.id) AND r.locked_at IS NOT NULL
RETURNING was.lock_absent_at IS NULL AS news, r.lock_kind;

-- name: verify_off
-- Reading back could not be done: not asked for ever.
UPDATE repositories SET verify_due_at = NULL WHERE account_id = $1 AND id = $2;

-- name: due_since
-- The deadlines for which these repositories have just been closed, for the metric of how long it took.
SELECT DISTINCT ON (repository_id) effective_at FROM enrolments
WHERE account_id = $1 AND repository_id = ANY ($2::bigint[]) AND deadline_applied_at IS NOT NULL AND withdrawn_at IS NULL
ORDER BY repository_id, effective_at DESC;
