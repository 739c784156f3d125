-- name: heard_of
-- An event or a list named an installation: what it is now is to be read from GitHub.
INSERT INTO installations (account_id, installation_id, login, read_due_at) VALUES ($1, $2, $3, now())
ON CONFLICT (account_id, installation_id) DO UPDATE SET read_due_at = now();

-- name: look_again
-- GitHub's answer to a call said that the installation is another than we know.
UPDATE installations SET read_due_at = now() WHERE account_id = $1 AND state = 'active';

-- name: all_due
-- At the start every installation is read again: events may have been missed.
UPDATE installations SET read_due_at = now() WHERE state <> 'gone';

-- name: claim_reads
-- Take installations to be read, oldest first.
UPDATE installations SET leased_at = clock_timestamp(), leased_by = $1
WHERE (account_id, installation_id) IN (
    SELECT account_id, installation_id FROM installations
    WHERE read_due_at <= now() AND lease_free(leased_at, leased_by, $2)
    ORDER BY read_due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
RETURNING account_id, installation_id AS key, leased_at AS token;

-- name: by_id
-- One installation, in whatever state.
SELECT account_id, installation_id, login, state FROM installations WHERE account_id = $1 AND installation_id = $2;

-- name: active
-- The installation through which this account is reached now.
SELECT account_id, installation_id, login, state FROM installations WHERE account_id = $1 AND state = 'active';

-- name: replaced
-- A newer installation of the account is active: the older one is no longer the way to it.
UPDATE installations SET state = 'gone' WHERE account_id = $1 AND installation_id <> $2 AND state = 'active';

-- name: set_state
-- What GitHub says of an installation; what was asked for meanwhile stays due. A plan's refusal is put to the test
-- again: the plan may be another one now; whether it is.
WITH was AS (SELECT account_id, installation_id, plan FROM installations
    WHERE account_id = $1 AND installation_id = $2 FOR NO KEY UPDATE)
UPDATE installations i SET state = $3, login = coalesce($4, i.login), permissions = coalesce($5, i.permissions),
    plan = coalesce($6, i.plan), lock_refused = NULL, read_at = now(), attempts = 0,
    read_due_at = CASE WHEN i.read_due_at > i.leased_at THEN i.read_due_at END
FROM was WHERE (i.account_id, i.installation_id) = (was.account_id, was.installation_id)
RETURNING was.plan IS DISTINCT FROM i.plan AS other_plan;

-- name: set_lock_refused
-- Why there can be no organisation rulesets, and whether that is another reason than the last time it was tried.
WITH was AS (SELECT account_id, installation_id, lock_refused_last FROM installations WHERE account_id = $1 AND state = 'active' FOR NO KEY UPDATE)
UPDATE installations i SET lock_refused = $2, lock_refused_last = $2 FROM was
WHERE (i.account_id, i.installation_id) = (was.account_id, was.installation_id)
RETURNING was.lock_refused_last IS DISTINCT FROM $2 AS news;

-- name: lock_taken
-- GitHub took the rulesets.
UPDATE installations SET lock_failure = NULL, lock_refused_last = NULL
WHERE account_id = $1 AND state = 'active' AND (lock_failure IS NOT NULL OR lock_refused_last IS NOT NULL);

-- name: set_lock_failure
-- Why the rulesets could not be changed, or null once they could; a row only where that is news.
UPDATE installations SET lock_failure = $2
WHERE account_id = $1 AND state = 'active' AND lock_failure IS DISTINCT FROM $2 RETURNING installation_id;

-- name: lock_trouble
-- Why nothing is closed: the plan has no organisation rulesets, or the last change failed.
SELECT lock_refused, lock_failure FROM installations WHERE account_id = $1 AND state = 'active';

-- name: standing
-- How the App stands in an organisation, for its staff: permissions, locks, pause and what it spent in the last minute.
SELECT installation_id, state, plan, permissions, lock_refused, lock_failure,
    CASE WHEN paused_until > now() THEN extract(epoch FROM paused_until - now())::float END AS paused_seconds,
    (SELECT sum(points) FROM unnest(
        spent_since(points_by_second, budget_at, floor(extract(epoch FROM clock_timestamp()))::bigint)) AS points) AS points
FROM installations WHERE account_id = $1 AND state <> 'gone' ORDER BY installation_id;
