-- name: record
-- The receipt of a push whose installation was looked up only after it arrived; a receipt that stands is left as it is.
INSERT INTO receipts (account_id, repository_id, ref, head_sha, before_sha, forced, arrived_at, pushed_at,
    sender_id, sender_login, sender_type, guid)
SELECT $1, $2, $3, $4, $5, $6, $7,
    CASE WHEN $8::timestamptz >= coalesce((
        SELECT min(b.received_at) FROM receipts b
        WHERE b.account_id = $1 AND b.repository_id = $2 AND b.ref = $3 AND b.head_sha = $5), '-infinity') THEN $8 END,
    $9, $10, $11, $12
ON CONFLICT DO NOTHING;

-- name: classify
-- What kind of account pushed, by what is known of students and staff now; asked again when that changes.
UPDATE receipts heard SET pusher = kind.pusher
FROM (
    SELECT h.account_id, h.repository_id, h.ref, h.head_sha, CASE
        -- By what was pushed, before by whom: our own commit stays ours, whatever evidence of its push is found.
        WHEN EXISTS (SELECT FROM bot_commits ours WHERE ours.account_id = h.account_id
            AND ours.repository_id = h.repository_id AND ours.sha = h.head_sha) THEN 'app'
        WHEN h.sender_id IS NULL THEN 'person'
        WHEN EXISTS (SELECT FROM students s WHERE s.account_id = h.account_id AND s.repository_id = h.repository_id
            AND s.user_id = h.sender_id) THEN 'student'
        WHEN h.sender_login = $3 THEN 'app'
        WHEN h.sender_login = 'github-actions[bot]' THEN 'actions'
        WHEN h.sender_type = 'Bot' THEN 'bot'
        WHEN EXISTS (SELECT FROM staff t WHERE t.account_id = h.account_id AND t.user_id = h.sender_id) THEN 'staff'
        ELSE 'person' END AS pusher
    FROM receipts h WHERE h.account_id = $1 AND h.repository_id = ANY ($2::bigint[])
) AS kind
WHERE (heard.account_id, heard.repository_id, heard.ref, heard.head_sha) = (kind.account_id, kind.repository_id, kind.ref, kind.head_sha)
    AND heard.pusher <> kind.pusher;

-- name: latest
-- The newest eligible commit of each repository of a project: what would count if the deadline were now.
SELECT DISTINCT ON (repository_id) repository_id, head_sha, received_at
FROM eligible_commits WHERE account_id = $1 AND project_id = $2
ORDER BY repository_id, received_at DESC, followed, arrived_at DESC, head_sha;
