-- A call about the lock of a single repository whose outcome is unknown may have closed or opened it: it is written down
-- before the call, as with the organisation's pair (0012), and while it stands GitHub is asked what it holds there, also
-- where the rows want nothing else than what was last recorded (docs/design.md section 2).

ALTER TABLE repositories
    ADD COLUMN lock_tried_at timestamptz,
    ADD COLUMN lock_tried_kind text CHECK (lock_tried_kind IN ('repository', 'archive'));
COMMENT ON COLUMN repositories.lock_tried_at IS 'Since when it is not known whether GitHub holds the weaker lock that is recorded; null once it was read, or a call was confirmed.';
COMMENT ON COLUMN repositories.lock_tried_kind IS 'What that is about, or was the last time: rulesets of its own, or the archive.';
CREATE INDEX repositories_lock_unsure ON repositories (account_id) WHERE lock_tried_at IS NOT NULL;

-- Each repository once: it is not worked on twice at a time. What is not known comes before what differs.
CREATE OR REPLACE VIEW repository_locks_due AS
SELECT e.account_id, e.project_id, e.repository_id
FROM enrolments e
JOIN (
    SELECT r.account_id, r.id FROM repositories r
    JOIN installations i ON i.account_id = r.account_id AND i.state = 'active'
    WHERE r.lock_differs AND r.lock_tried_at IS NULL AND r.gone_at IS NULL
        AND (r.lock_kind IN ('repository', 'archive') OR (r.lock_kind IS NULL AND i.lock_refused IS NOT NULL))
    UNION ALL SELECT r.account_id, r.id FROM repositories r
    JOIN installations i ON i.account_id = r.account_id AND i.state = 'active' AND i.lock_refused IS NULL
    WHERE NOT r.lock_differs AND r.lock_tried_at IS NULL AND r.wanted_lock AND r.gone_at IS NULL
        AND r.lock_kind IN ('repository', 'archive') AND named_by_pair(r.account_id, r.id) = 2
    UNION ALL SELECT r.account_id, r.id FROM repositories r
    JOIN installations i ON i.account_id = r.account_id AND i.state = 'active'
    WHERE r.lock_tried_at IS NOT NULL AND r.gone_at IS NULL
) AS due ON (due.account_id, due.id) = (e.account_id, e.repository_id)
WHERE NOT EXISTS (SELECT FROM enrolments newer WHERE newer.account_id = e.account_id
    AND newer.repository_id = e.repository_id AND newer.project_id > e.project_id);
