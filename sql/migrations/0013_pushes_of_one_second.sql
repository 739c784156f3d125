-- GitHub's clock has whole seconds, and deliveries may arrive in any order: of two pushes of one second, the one that
-- started from the other came after it.

CREATE FUNCTION followed(heard receipts) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
        SELECT FROM receipts next
        WHERE next.account_id = heard.account_id AND next.repository_id = heard.repository_id AND next.ref = heard.ref
            AND next.before_sha = heard.head_sha AND next.received_at = heard.received_at)
$$;
COMMENT ON FUNCTION followed(receipts) IS 'Whether another push of the same second came after this one on its branch.';

CREATE OR REPLACE VIEW eligible_commits AS
SELECT e.account_id, e.project_id, e.repository_id, heard.head_sha, heard.received_at, heard.arrived_at, heard.evidence,
    followed(heard) AS followed
FROM enrolments e
JOIN projects p ON (p.account_id, p.id) = (e.account_id, e.project_id)
JOIN repositories r ON (r.account_id, r.id) = (e.account_id, e.repository_id)
JOIN receipts heard ON heard.account_id = e.account_id AND heard.repository_id = e.repository_id
WHERE heard.pusher IN ('student', 'person')
    AND heard.ref IN (SELECT 'refs/heads/' || branch FROM unnest(tracked_branches(p.branches, r.default_branch)) AS branch);
