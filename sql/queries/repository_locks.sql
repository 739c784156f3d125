-- name: standing
-- What is wanted of a repository at this instant, and what GitHub holds.
SELECT r.id, r.default_branch, r.wanted_lock, r.rulesets, r.lock_kind, r.branch_ruleset_id, r.tag_ruleset_id, i.lock_refused
FROM repositories r JOIN installations i ON i.account_id = r.account_id AND i.state = 'active'
WHERE r.account_id = $1 AND r.id = $2 AND r.gone_at IS NULL;

-- name: holds
-- The fact after a call: the rulesets of its own that the repository has now.
UPDATE repositories SET branch_ruleset_id = $3, tag_ruleset_id = $4,
    rulesets = num_nonnulls($3::bigint, $4::bigint),
    lock_kind = CASE WHEN num_nonnulls($3::bigint, $4::bigint) > 0 THEN 'repository' END,
    lock_reason = CASE WHEN num_nonnulls($3::bigint, $4::bigint) > 0 THEN $5 END,
    locked_at = CASE num_nonnulls($3::bigint, $4::bigint) WHEN 2 THEN coalesce(locked_at, $6) WHEN 0 THEN NULL ELSE locked_at END,
    lock_verified_at = CASE num_nonnulls($3::bigint, $4::bigint) WHEN 2 THEN lock_verified_at END, lock_failure = NULL
WHERE account_id = $1 AND id = $2;

-- name: archived
-- The fact after a call: the repository is archived in the place of a lock, with the reason, or it no longer is.
UPDATE repositories SET lock_kind = CASE WHEN $3 THEN 'archive' END, lock_reason = CASE WHEN $3 THEN $4 END,
    rulesets = CASE WHEN $3 THEN 2 ELSE 0 END, locked_at = CASE WHEN $3 THEN $5::timestamptz END,
    lock_verified_at = CASE WHEN $3 THEN $5::timestamptz END, branch_ruleset_id = NULL, tag_ruleset_id = NULL, lock_failure = NULL
WHERE account_id = $1 AND id = $2;

-- name: skip_reviews
-- An archived repository takes no dispatch: what was due is skipped with the reason.
UPDATE enrolments SET review_skipped = 'archived', review_settled_at = $3
WHERE account_id = $1 AND repository_id = $2 AND frozen_at IS NOT NULL AND review_settled_at IS NULL
RETURNING project_id;

-- name: due_reviews
-- The archive was lifted, and with it the reason for skipping.
UPDATE enrolments SET review_skipped = NULL, review_settled_at = NULL
WHERE account_id = $1 AND repository_id = $2 AND review_skipped = 'archived' AND submission_sha IS NOT NULL;

-- name: speak_again
-- Checks that an archived repository refused can be shown again.
UPDATE checks SET given_up = NULL, due_at = now() WHERE account_id = $1 AND repository_id = $2 AND given_up IS NOT NULL;

-- name: failed
-- Why this repository could not be locked or opened; a row only where that is news.
UPDATE repositories SET lock_failure = $3 WHERE account_id = $1 AND id = $2 AND lock_failure IS DISTINCT FROM $3 RETURNING id;
