-- name: hear
-- A push by one more witness: what that is to what is known already, and when the commit was received until now and is.
SELECT news, was, becomes FROM hear_push($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15);

-- name: list_commits
-- Commits that came with a head; $6 says whether these are all of them, null leaves that.
WITH listed AS (
    UPDATE receipts SET commits_listed = $6
    WHERE (account_id, repository_id, ref, head_sha) = ($1, $2, $3, $4) AND commits_listed <> $6
)
INSERT INTO inner_commits (account_id, repository_id, ref, head_sha, sha)
SELECT $1, $2, $3, $4, inner_sha FROM unnest($5::text[]) AS inner_sha WHERE inner_sha <> $4
ON CONFLICT DO NOTHING;

-- name: classify
-- What kind of account pushed, by what is known of students and staff now; $4 are some heads, or null for all.
-- Asked again when that changes.
UPDATE receipts heard SET pusher = kind.pusher
FROM (
    SELECT h.account_id, h.repository_id, h.ref, h.head_sha, pusher_of(h.account_id, h.repository_id, h.head_sha, h.sender_id, h.sender_login, h.sender_type, $3) AS pusher
    FROM receipts h
    WHERE h.account_id = $1 AND h.repository_id = ANY ($2::bigint[]) AND ($4::text[] IS NULL OR h.head_sha = ANY ($4))
) AS kind
WHERE (heard.account_id, heard.repository_id, heard.ref, heard.head_sha) = (kind.account_id, kind.repository_id, kind.ref, kind.head_sha)
    AND heard.pusher <> kind.pusher;

-- name: classify_returned
-- The same for heads that came back.
UPDATE returned_heads heard SET pusher = kind.pusher
FROM (
    SELECT h.account_id, h.id, pusher_of(h.account_id, h.repository_id, h.head_sha, h.sender_id, h.sender_login, h.sender_type, $3) AS pusher
    FROM returned_heads h
    WHERE h.account_id = $1 AND h.repository_id = ANY ($2::bigint[]) AND ($4::text[] IS NULL OR h.head_sha = ANY ($4))
) AS kind
WHERE (heard.account_id, heard.id) = (kind.account_id, kind.id)
    AND heard.pusher <> kind.pusher;

-- name: latest
-- The newest eligible commit of each repository of a project: what would count if the deadline were now.
SELECT DISTINCT ON (repository_id) repository_id, head_sha, received_at
FROM eligible_commits WHERE account_id = $1 AND project_id = $2
ORDER BY repository_id, received_at DESC, followed, arrived_at DESC, head_sha;
