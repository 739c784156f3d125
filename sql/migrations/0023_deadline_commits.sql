-- The strategy `commit`: at the deadline one empty commit of the App on each tracked branch (docs/design.md section 4).

CREATE TABLE bot_commits (
    account_id bigint NOT NULL,
    repository_id bigint NOT NULL,
    sha text NOT NULL,
    made_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, repository_id, sha)
);
COMMENT ON TABLE bot_commits IS 'Commits that we made, written before a ref moves to them: whoever pushes such a head, it is nobody''s submission.';

CREATE TABLE deadline_commits (
    account_id bigint NOT NULL,
    project_id bigint NOT NULL,
    repository_id bigint NOT NULL,
    branch text NOT NULL,
    round integer NOT NULL,
    sha text,
    parent_sha text,
    refused text,
    refusals integer NOT NULL DEFAULT 0,
    outcome text CHECK (outcome IN ('pushed', 'missing')),
    settled_at timestamptz,
    PRIMARY KEY (account_id, project_id, repository_id, branch, round),
    FOREIGN KEY (account_id, project_id, repository_id) REFERENCES enrolments (account_id, project_id, repository_id)
);
COMMENT ON TABLE deadline_commits IS 'The mark of a deadline on one branch, one for each round: recorded before the branch moves, so that a crash leads to no second one.';
COMMENT ON COLUMN deadline_commits.sha IS 'The commit that was made last, on `parent_sha`; replaced only while it is certainly not on the branch.';
COMMENT ON COLUMN deadline_commits.refused IS 'GitHub''s words when it would not let the branch move; null once it did.';

ALTER TABLE enrolments ADD COLUMN deadline_committed_at timestamptz, ADD COLUMN deadline_commit_due_at timestamptz;
COMMENT ON COLUMN enrolments.deadline_committed_at IS 'Since when each tracked branch carries the mark of this deadline, or is known to be missing; a reopen clears it.';
COMMENT ON COLUMN enrolments.deadline_commit_due_at IS 'Real time before which a branch that refused its mark is not tried again.';

CREATE INDEX enrolments_not_committed ON enrolments (account_id, project_id)
    WHERE deadline_applied_at IS NOT NULL AND deadline_committed_at IS NULL AND withdrawn_at IS NULL;

-- Desired against fact, as with the locks: nothing needs to be queued when a deadline is applied.
CREATE VIEW deadline_commits_due AS
SELECT e.account_id, e.project_id, e.repository_id, e.deadline_commit_due_at
FROM enrolments e
JOIN projects p ON (p.account_id, p.id) = (e.account_id, e.project_id)
JOIN courses c ON (c.account_id, c.id) = (p.account_id, p.course_id)
JOIN repositories r ON (r.account_id, r.id) = (e.account_id, e.repository_id)
WHERE p.strategy = 'commit' AND p.state <> 'draft' AND p.archived_at IS NULL AND c.mode = 'active'
    AND e.deadline_applied_at IS NOT NULL AND e.deadline_committed_at IS NULL AND e.withdrawn_at IS NULL
    -- An archived repository takes no push: its mark is due when it is brought back.
    AND r.gone_at IS NULL AND r.lock_kind IS DISTINCT FROM 'archive';

-- A repository of several projects is looked after under the newest of them. Beside those whose lock differs, those that
-- the organisation's pair holds too: the weaker lock is taken off.
CREATE VIEW repository_locks_due AS
SELECT e.account_id, e.project_id, e.repository_id
FROM enrolments e
JOIN (
    SELECT r.account_id, r.id FROM repositories r
    JOIN installations i ON i.account_id = r.account_id AND i.state = 'active'
    WHERE r.lock_differs AND r.gone_at IS NULL
        AND (r.lock_kind IN ('repository', 'archive') OR (r.lock_kind IS NULL AND i.lock_refused IS NOT NULL))
    UNION ALL SELECT r.account_id, r.id FROM repositories r
    JOIN installations i ON i.account_id = r.account_id AND i.state = 'active' AND i.lock_refused IS NULL
    WHERE NOT r.lock_differs AND r.wanted_lock AND r.gone_at IS NULL AND r.lock_kind IN ('repository', 'archive')
        AND named_by_pair(r.account_id, r.id) = 2
) AS due ON (due.account_id, due.id) = (e.account_id, e.repository_id)
WHERE NOT EXISTS (SELECT FROM enrolments newer WHERE newer.account_id = e.account_id
    AND newer.repository_id = e.repository_id AND newer.project_id > e.project_id);
