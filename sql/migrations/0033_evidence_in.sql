-- When the evidence of a repository's part is in was a condition of the one statement that settled what counts. That
-- statement read what counts before it held the part: a deadline that moved meanwhile stayed judged by the old one. Two
-- statements ask for it now, the first to hold the part and the second to judge by what was committed until then.

CREATE VIEW evidence_is_in AS
SELECT e.account_id, e.project_id, e.repository_id, e.effective_at + make_interval(secs => p.grace_seconds) AS settles_at
FROM enrolments e
JOIN projects p ON (p.account_id, p.id) = (e.account_id, e.project_id)
JOIN repositories r ON (r.account_id, r.id) = (e.account_id, e.repository_id)
WHERE e.deadline_applied_at IS NOT NULL AND e.frozen_at IS NULL AND e.withdrawn_at IS NULL
    AND p.archived_at IS NULL AND r.gone_at IS NULL
    AND NOT EXISTS (
        SELECT FROM deliveries d WHERE d.account_id = e.account_id AND d.handled_at IS NULL
            AND least(d.received_at, d.logged_at) <= e.effective_at + make_interval(secs => p.grace_seconds))
    -- What GitHub would not show for hours of trying must not hold the freeze for ever: 240 times of asking.
    AND NOT EXISTS (SELECT FROM delivery_logs l WHERE l.due_at IS NOT NULL AND l.attempts < 240)
    AND EXISTS (
        SELECT FROM activities a WHERE (a.account_id, a.repository_id) = (e.account_id, e.repository_id)
            AND (a.attempts >= 240 OR (a.due_at IS NULL
                AND a.read_at >= e.effective_at + make_interval(secs => least(p.grace_seconds, 120)))))
    AND NOT EXISTS (
        SELECT FROM runs unread WHERE unread.account_id = e.account_id AND unread.repository_id = e.repository_id
            AND unread.read_due_at IS NOT NULL AND unread.attempts < 240);

COMMENT ON VIEW evidence_is_in IS 'Parts that wait for the end of their grace alone: nothing of the time up to there is unread, neither in the inbox nor in GitHub''s log of deliveries, and GitHub''s activity was read at least once since (two minutes after the deadline, or at the end of a shorter grace) and is to be asked nothing more.';
