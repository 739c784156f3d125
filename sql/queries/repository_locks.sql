-- name: standing
-- What is wanted of a repository at this instant, and what GitHub holds.
SELECT r.id, r.default_branch, r.wanted_lock, r.rulesets, r.lock_kind, r.branch_ruleset_id, r.tag_ruleset_id, r.bypass_stale,
    named_by_pair(r.account_id, r.id) AS named, i.lock_refused, r.lock_tried_at, r.lock_tried_kind, r.rulesets_dormant
FROM repositories r JOIN installations i ON i.account_id = r.account_id AND i.state = 'active'
WHERE r.account_id = $1 AND r.id = $2 AND r.gone_at IS NULL;

-- name: hold
-- The repository before what the organisation's pair names is read: whoever sent that a moment ago held it too.
SELECT FROM repositories WHERE account_id = $1 AND id = $2 FOR NO KEY UPDATE;

-- name: trying
-- Written before each call that could close or open it: until the outcome is known, GitHub may hold either.
UPDATE repositories SET lock_tried_at = clock_timestamp(), lock_tried_kind = $3
WHERE account_id = $1 AND id = $2 RETURNING lock_tried_at;

-- name: holds
-- The fact after a call ($9), or after asking: the rulesets of its own that the repository has now, sent for these teams
-- ($7), and whether it was locked before. Without any, the organisation's pair holds it if that names it. Where another
-- call overlapped with this one (a lease had run out), it stays unknown.
WITH was AS (
    SELECT account_id, id, locked_at, num_nonnulls($3::bigint, $4::bigint) AS own, named_by_pair(account_id, id) AS named
    FROM repositories WHERE account_id = $1 AND id = $2
), fact AS (SELECT *, CASE own WHEN 0 THEN named ELSE own END AS holding FROM was)
UPDATE repositories r SET branch_ruleset_id = $3, tag_ruleset_id = $4, rulesets = fact.holding,
    -- What was sent for one of a pair says nothing of the other: only once both were sent is it as fresh as they are.
    -- And what is found where less was recorded may be for other teams.
    bypass_stale = fact.own > 0 AND ($7::bigint[] <> staff_teams($1)
        OR (NOT $8 AND (r.bypass_stale OR num_nonnulls(r.branch_ruleset_id, r.tag_ruleset_id) < fact.own))),
    lock_kind = CASE WHEN fact.own > 0 THEN 'repository' WHEN fact.named > 0 THEN 'organisation' END,
    lock_reason = CASE WHEN fact.own > 0 THEN $5 END,
    locked_at = CASE fact.holding WHEN 2 THEN coalesce(r.locked_at, $6) WHEN 0 THEN NULL ELSE r.locked_at END,
    lock_verified_at = CASE fact.holding WHEN 2 THEN r.lock_verified_at END, lock_failure = NULL,
    verify_due_at = CASE WHEN fact.own = 0 AND fact.named = 2 THEN $6::timestamptz ELSE r.verify_due_at END,
    lock_absent_at = CASE fact.holding WHEN 2 THEN r.lock_absent_at END, rulesets_dormant = $10,
    lock_tried_at = CASE WHEN r.lock_tried_at IS DISTINCT FROM $9 THEN r.lock_tried_at END
FROM fact WHERE (r.account_id, r.id) = (fact.account_id, fact.id)
RETURNING fact.locked_at IS NOT NULL AS was_locked, r.locked_at IS NOT NULL AS is_locked;

-- name: archived
-- The fact after a call ($5), or after asking: the repository is archived in the place of a lock, with the reason, and
-- whether it was locked before.
WITH was AS (SELECT account_id, id, locked_at FROM repositories WHERE account_id = $1 AND id = $2 FOR NO KEY UPDATE)
UPDATE repositories r SET lock_kind = 'archive', lock_reason = coalesce($3, r.lock_reason), rulesets = 2,
    locked_at = coalesce(r.locked_at, $4), lock_verified_at = $4,
    rulesets_dormant = r.rulesets_dormant OR num_nonnulls(r.branch_ruleset_id, r.tag_ruleset_id) > 0,
    branch_ruleset_id = NULL, tag_ruleset_id = NULL, lock_failure = NULL, lock_absent_at = NULL, bypass_stale = false,
    lock_tried_at = CASE WHEN r.lock_tried_at IS DISTINCT FROM $5 THEN r.lock_tried_at END
FROM was WHERE (r.account_id, r.id) = (was.account_id, was.id)
RETURNING was.locked_at IS NOT NULL AS was_locked;

-- name: look_for_dormant
-- It is archived no more: rulesets of its own that a plan did not apply may hold it now.
UPDATE repositories SET lock_tried_at = clock_timestamp(), lock_tried_kind = 'repository'
WHERE account_id = $1 AND id = $2 AND rulesets_dormant;

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
