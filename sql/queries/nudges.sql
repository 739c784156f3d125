-- name: claim_drafts
-- Drafts that nobody will open before their deadline, which is less than a day ahead, or that could not open at their
-- time because nobody would see them: once per visit of the state, and late where that day was missed. One that was
-- created a moment ago is still in somebody's hands, and one that is due with its repositories opens as soon as those
-- are let go.
UPDATE projects p SET nudged_at = $1 FROM courses c
WHERE (c.account_id, c.id) = (p.account_id, p.course_id)
    AND p.state = 'draft' AND p.nudged_at IS NULL AND p.archived_at IS NULL
    AND (p.opens_at IS NULL OR (p.opens_at <= $1 AND NOT EXISTS (SELECT FROM enrolments e
        WHERE (e.account_id, e.project_id) = (p.account_id, p.id) AND e.withdrawn_at IS NULL)))
    AND p.deadline_at <= $1 + interval '24 hours' AND p.created_at <= $1 - interval '1 hour'
RETURNING p.account_id, p.id, c.repository_id;
