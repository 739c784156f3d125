-- name: claim
-- Take control issues of which there is news and which were not edited a moment ago.
UPDATE boards SET leased_at = clock_timestamp(), leased_by = $1
WHERE (account_id, project_id) IN (
    SELECT b.account_id, b.project_id FROM boards b
    JOIN installations i ON i.account_id = b.account_id AND i.state = 'active'
    WHERE b.due_at <= now() AND b.given_up IS NULL AND lease_free(b.leased_at, b.leased_by, $2)
        AND (i.paused_until IS NULL OR i.paused_until <= now())
        AND EXISTS (SELECT FROM board_news n WHERE n.account_id = b.account_id AND n.project_id = b.project_id)
    ORDER BY b.due_at LIMIT $3 FOR UPDATE OF b SKIP LOCKED)
RETURNING account_id, project_id AS key, leased_at AS token;

-- name: news
-- What has become known of a project, read before the project itself: whatever comes later stays news.
SELECT id FROM board_news WHERE account_id = $1 AND project_id = $2;

-- name: forget
-- These news have been read.
DELETE FROM board_news WHERE account_id = $1 AND id = ANY ($2::bigint[]);

-- name: facts
-- Where the control issue is, and what it shows as far as we know.
SELECT c.repository_id, c.timezone, c.mode, p.issue_number, b.said
FROM boards b
JOIN projects p ON (p.account_id, p.id) = (b.account_id, b.project_id)
JOIN courses c ON (c.account_id, c.id) = (p.account_id, p.course_id)
WHERE b.account_id = $1 AND b.project_id = $2;

-- name: received
-- How many repositories of a project have a commit that counts or would count: pushed by a student in time.
SELECT count(*) FROM enrolments e
WHERE e.account_id = $1 AND e.project_id = $2 AND e.withdrawn_at IS NULL AND EXISTS (
    SELECT FROM eligible_commits m
    WHERE (m.account_id, m.project_id, m.repository_id) = (e.account_id, e.project_id, e.repository_id)
        AND m.received_at <= e.effective_at);

-- name: shown
-- GitHub shows it; after an edit ($4) the next one waits $5 seconds.
UPDATE boards SET said = $3, attempts = 0,
    edited_at = CASE WHEN $4 THEN app_now() ELSE edited_at END,
    due_at = CASE WHEN $4 THEN clock_timestamp() + make_interval(secs => $5::float) ELSE due_at END
WHERE account_id = $1 AND project_id = $2;

-- name: give_up
-- The issue cannot be written; the reason is shown by `/course status`.
UPDATE boards SET given_up = $3 WHERE account_id = $1 AND project_id = $2;

-- name: touched
-- Somebody changed the control issue itself: what it shows is to be compared again, also where it was given up.
UPDATE boards b SET said = NULL, given_up = NULL FROM projects p
JOIN courses c ON (c.account_id, c.id) = (p.account_id, p.course_id)
WHERE (p.account_id, p.id) = (b.account_id, b.project_id)
    AND c.account_id = $1 AND c.repository_id = $2 AND p.issue_number = $3
RETURNING b.project_id;

-- name: tell
-- There is news of this project.
INSERT INTO board_news (account_id, project_id) VALUES ($1, $2);

-- name: troubles
-- The control issues of a course that cannot be written.
SELECT p.issue_number, p.slug, b.given_up FROM boards b
JOIN projects p ON (p.account_id, p.id) = (b.account_id, b.project_id)
WHERE b.account_id = $1 AND p.course_id = $2 AND b.given_up IS NOT NULL ORDER BY p.id;
