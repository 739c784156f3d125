-- name: upsert
-- Repositories as GitHub lists them now; a known one keeps its lock and its history.
INSERT INTO repositories (account_id, id, name, default_branch, private)
SELECT $1, r.id, r.name, r.branch, r.private
FROM unnest($2::bigint[], $3::text[], $4::text[], $5::boolean[]) AS r (id, name, branch, private)
ORDER BY r.id
ON CONFLICT (account_id, id) DO UPDATE
SET name = excluded.name, default_branch = excluded.default_branch, private = excluded.private, gone_at = NULL, gone_as = NULL,
    heard_as = NULL;

-- name: set_students
-- The people who work in a repository, as GitHub lists them now.
INSERT INTO students (account_id, repository_id, user_id, login, role)
SELECT $1, s.repository_id, s.user_id, s.login, s.role
FROM unnest($2::bigint[], $3::bigint[], $4::text[], $5::text[]) AS s (repository_id, user_id, login, role)
ON CONFLICT (account_id, repository_id, user_id) DO UPDATE SET login = excluded.login, role = excluded.role;

-- name: drop_students
-- Whoever is no longer a collaborator of these repositories ($2); those who are, as pairs, stay.
DELETE FROM students s WHERE s.account_id = $1 AND s.repository_id = ANY ($2::bigint[]) AND NOT EXISTS (
    SELECT FROM unnest($3::bigint[], $4::bigint[]) AS present (repository_id, user_id)
    WHERE (present.repository_id, present.user_id) = (s.repository_id, s.user_id));

-- name: heard_of
-- An event spoke of this repository: if it is one of ours, what it is now is to be read from GitHub.
UPDATE repositories SET read_due_at = now(), heard_as = coalesce($3, heard_as)
WHERE account_id = $1 AND id = ANY ($2::bigint[]) RETURNING id;

-- name: expect
-- A repository that a project may take, not read yet.
INSERT INTO repositories (account_id, id, name, default_branch, private, read_due_at)
VALUES ($1, $2, $3, 'main', true, now())
ON CONFLICT (account_id, id) DO UPDATE SET read_due_at = now();

-- name: claim_reads
-- Take repositories to be read, oldest first.
UPDATE repositories SET leased_at = clock_timestamp(), leased_by = $1
WHERE (account_id, id) IN (
    SELECT account_id, id FROM repositories
    WHERE read_due_at <= now() AND lease_free(leased_at, leased_by, $2)
    ORDER BY read_due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
RETURNING account_id, id AS key, leased_at AS token;

-- name: read_done
-- It was read; what was asked for meanwhile stays due.
UPDATE repositories SET attempts = 0, read_due_at = CASE WHEN read_due_at > leased_at THEN read_due_at END
WHERE account_id = $1 AND id = $2;

-- name: gone
-- It can no longer be reached: the fact, and in which way, which an event may tell only later.
UPDATE repositories SET gone_at = coalesce(gone_at, $3), gone_as = coalesce(heard_as, 'removed')
WHERE account_id = $1 AND id = $2 AND (gone_at IS NULL OR gone_as <> heard_as) RETURNING gone_as;

-- name: opening
-- Those that are locked and that nothing wants locked any more.
SELECT id FROM repositories
WHERE account_id = $1 AND id = ANY ($2::bigint[]) AND locked_at IS NOT NULL AND wanted_lock IS FALSE;
