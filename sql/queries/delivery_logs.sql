-- name: due
-- The App's log of deliveries is to be read, again if it is being read now. What was put off stays put off: it is due
-- all the same, and GitHub may have asked for silence.
UPDATE delivery_logs SET due_at = clock_timestamp() WHERE due_at IS NULL OR due_at <= clock_timestamp()
RETURNING id;

-- name: claim
-- Take the log where it is due.
UPDATE delivery_logs SET leased_at = clock_timestamp(), leased_by = $1
WHERE (account_id, id) IN (
    SELECT account_id, id FROM delivery_logs
    WHERE due_at <= now() AND lease_free(leased_at, leased_by, $2)
    ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED)
RETURNING account_id, id AS key, leased_at AS token;

-- name: begin
-- Where a reading begins: course time now, the mark that it answers to, and how far back it lists. Ten minutes twice:
-- GitHub lists an attempt once it has ended, and not strictly in order. Null: all that there is.
SELECT app_now() AS began_at, due_at, read_up_to - interval '10 minutes' AS back_to
FROM delivery_logs WHERE account_id = $1 AND id = $2;

-- name: news
-- Which of these GUIDs were never stored, and are not waited for either.
SELECT it FROM unnest($1::text[]) AS it
WHERE NOT EXISTS (SELECT FROM deliveries d WHERE d.guid = it::uuid)
    AND NOT EXISTS (SELECT FROM missed_deliveries m WHERE m.guid = it::uuid AND m.asked_at IS NOT NULL);

-- name: note
-- A delivery whose payload is not to be had was first attempted then: known before its redelivery is asked for.
INSERT INTO missed_deliveries (guid, logged_at) VALUES ($1, $2)
ON CONFLICT (account_id, guid) DO UPDATE SET logged_at = least(missed_deliveries.logged_at, excluded.logged_at);

-- name: asked
-- GitHub has been asked to deliver it again: once.
UPDATE missed_deliveries SET asked_at = app_now() WHERE guid = $1 AND asked_at IS NULL;

-- name: earlier
-- Pushes that are known, of which the log tells an earlier time than what stands. Where there is no receipt yet, the
-- delivery that waits to be understood takes the time along.
SELECT d.account_id, d.repository_id, d.guid, it.first_at
FROM unnest($1::uuid[], $2::timestamptz[]) AS it (guid, first_at)
JOIN deliveries d ON d.guid = it.guid AND d.event = 'push' AND d.repository_id IS NOT NULL
LEFT JOIN LATERAL (
    SELECT max(heard.received_at) AS received_at FROM (
        SELECT received_at FROM receipts WHERE (account_id, repository_id, guid) = (d.account_id, d.repository_id, d.guid)
        UNION ALL
        SELECT received_at FROM returned_heads WHERE (account_id, repository_id, guid) = (d.account_id, d.repository_id, d.guid)
    ) AS heard
) AS stands ON true
WHERE it.first_at < coalesce(stands.received_at, CASE WHEN d.handled_at IS NULL THEN least(d.received_at, d.logged_at) END)
ORDER BY it.first_at;

-- name: date
-- A delivery that nobody has understood yet takes its first attempt along. Its row is held against who understands it,
-- or waited for: what that wrote is found afterwards.
UPDATE deliveries SET logged_at = $3
WHERE account_id = $1 AND guid = $2 AND handled_at IS NULL AND least(received_at, logged_at) > $3;

-- name: heard_by
-- What is known of a push by its delivery: its receipt, or that the head came back.
SELECT ref, head_sha, before_sha, forced, arrived_at, claimed_at, activity_at, activity_id, sender_id, sender_login, sender_type
FROM receipts WHERE account_id = $1 AND repository_id = $2 AND guid = $3
UNION ALL
SELECT ref, head_sha, before_sha, forced, arrived_at, claimed_at, activity_at, activity_id, sender_id, sender_login, sender_type
FROM returned_heads WHERE account_id = $1 AND repository_id = $2 AND guid = $3;

-- name: progress
-- What a reading under way has found, for whoever asks why a freeze waits.
UPDATE delivery_logs SET outcome = $3 WHERE account_id = $1 AND id = $2;

-- name: finish
-- It was read as of $3, up to the newest attempt ($4, null: there was none); due no more, unless that was asked for
-- after the mark $6 that this reading answers to.
UPDATE delivery_logs SET read_at = $3, read_up_to = greatest(read_up_to, $4), outcome = $5, attempts = 0,
    due_at = CASE WHEN due_at IS DISTINCT FROM $6 THEN due_at END
WHERE account_id = $1 AND id = $2;
