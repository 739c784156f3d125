-- name: claim
-- Outages that nobody has looked at, for one process: it has GitHub's records read, in the same transaction.
UPDATE outages SET looked_at = $1
WHERE id IN (SELECT id FROM outages WHERE looked_at IS NULL ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)
RETURNING id, part, began_at, ended_at;

-- name: affect
-- Whose deadline these outages touched: the time from an hour before it, which students count on, to the end of the grace.
INSERT INTO outage_repositories (account_id, outage_id, project_id, repository_id, effective_at)
SELECT e.account_id, o.id, e.project_id, e.repository_id, e.effective_at
FROM outages o
CROSS JOIN enrolments e
JOIN projects p ON (p.account_id, p.id) = (e.account_id, e.project_id)
JOIN repositories r ON (r.account_id, r.id) = (e.account_id, e.repository_id)
WHERE o.id = ANY ($1::bigint[])
    AND e.effective_at - interval '1 hour' <= o.ended_at AND e.effective_at + make_interval(secs => p.grace_seconds) >= o.began_at
    AND e.withdrawn_at IS NULL AND p.state <> 'draft' AND p.archived_at IS NULL AND r.gone_at IS NULL
ON CONFLICT DO NOTHING;

-- name: to_ask
-- Repositories that work and were not settled when one of these outages began: their activity may know more.
SELECT e.account_id, array_agg(DISTINCT e.repository_id) AS repository_ids
FROM outages o
JOIN enrolments e ON e.withdrawn_at IS NULL AND (e.frozen_at IS NULL OR e.frozen_at >= o.began_at)
JOIN projects p ON (p.account_id, p.id) = (e.account_id, e.project_id) AND p.state <> 'draft' AND p.archived_at IS NULL
JOIN repositories r ON (r.account_id, r.id) = (e.account_id, e.repository_id) AND r.gone_at IS NULL
WHERE o.id = ANY ($1::bigint[])
GROUP BY e.account_id ORDER BY e.account_id;

-- name: recover
-- The log was read since, all of it is understood, and so is the activity of each of those repositories, as far as GitHub
-- can be asked: not where the App is suspended, and not for ever.
UPDATE outages o SET recovered_at = $1
WHERE o.recovered_at IS NULL AND o.looked_at IS NOT NULL AND log_read_since(o.ended_at)
    AND NOT EXISTS (SELECT FROM deliveries d WHERE d.handled_at IS NULL AND d.logged_at <= o.ended_at)
    AND NOT EXISTS (
        SELECT FROM activities a
        JOIN installations i ON i.account_id = a.account_id AND i.state = 'active'
        JOIN enrolments e ON (e.account_id, e.repository_id) = (a.account_id, a.repository_id) AND e.withdrawn_at IS NULL
            AND (e.frozen_at IS NULL OR e.frozen_at >= o.began_at)
        JOIN projects p ON (p.account_id, p.id) = (e.account_id, e.project_id) AND p.state <> 'draft' AND p.archived_at IS NULL
        JOIN repositories r ON (r.account_id, r.id) = (e.account_id, e.repository_id) AND r.gone_at IS NULL
        WHERE a.due_at IS NOT NULL AND a.attempts < 240 AND (a.read_at IS NULL OR a.read_at < o.ended_at))
RETURNING o.id;

-- name: count_found
-- What the recovery of these outages found, repository by repository: pushes of that time of which we heard afterwards.
UPDATE outage_repositories a SET found = found.pushes, in_time = found.in_time
FROM outage_repositories mine
JOIN outages o ON o.id = mine.outage_id
CROSS JOIN LATERAL (
    SELECT count(*) AS pushes, count(*) FILTER (WHERE c.received_at <= mine.effective_at) AS in_time
    FROM eligible_commits c
    WHERE (c.account_id, c.project_id, c.repository_id) = (mine.account_id, mine.project_id, mine.repository_id)
        AND c.received_at BETWEEN o.began_at AND o.ended_at AND c.arrived_at >= o.ended_at
) AS found
WHERE mine.outage_id = ANY ($1::bigint[])
    AND (a.account_id, a.outage_id, a.project_id, a.repository_id) = (mine.account_id, mine.outage_id, mine.project_id, mine.repository_id);

-- name: latest
-- The latest outage that ended since $1; of two that ended together the intake's.
SELECT part, began_at, ended_at, recovered_at FROM outages WHERE ended_at >= $1 ORDER BY ended_at DESC, part LIMIT 1;

-- name: working
-- The repositories of an organisation that work in a project.
SELECT DISTINCT e.repository_id
FROM enrolments e
JOIN projects p ON (p.account_id, p.id) = (e.account_id, e.project_id) AND p.state <> 'draft' AND p.archived_at IS NULL
JOIN repositories r ON (r.account_id, r.id) = (e.account_id, e.repository_id) AND r.gone_at IS NULL
WHERE e.account_id = $1 AND e.withdrawn_at IS NULL ORDER BY e.repository_id;
