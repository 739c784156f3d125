-- The gate of writes, shared by all processes: shadow mode, the pause and the budget in one statement (sections 2 and 5).

CREATE FUNCTION spent_since(slots integer[], last_written bigint, current_slot bigint) RETURNS integer[]
LANGUAGE sql IMMUTABLE AS $$
    -- A ring of 61 slots, so that any 60 s are covered whole. Slots passed over since the last write belong to an
    -- earlier round: they count nothing.
    SELECT array_agg(CASE WHEN written > current_slot - 61 THEN slots[slot + 1] ELSE 0 END ORDER BY slot)
    FROM (
        SELECT slot, last_written - ((last_written - slot) % 61 + 61) % 61 AS written
        FROM generate_series(0, 60) AS slot
    ) AS ring
$$;

CREATE FUNCTION gate_admit(
    the_account bigint, the_installation bigint, targets bigint[], points integer, content integer, ceiling integer
) RETURNS TABLE (verdict text, after_seconds double precision) LANGUAGE plpgsql AS $$
DECLARE
    row_held installations;
    this_second bigint;
    this_minute bigint;
    seconds_spent integer[];
    content_seconds integer[];
    content_minutes integer[];
BEGIN
    IF EXISTS (
        SELECT FROM enrolments e
        JOIN projects p ON (p.account_id, p.id) = (e.account_id, e.project_id)
        JOIN courses c ON (c.account_id, c.id) = (p.account_id, p.course_id)
        WHERE e.account_id = the_account AND e.repository_id = ANY (targets)
        GROUP BY e.repository_id HAVING bool_and(c.mode = 'shadow')
    ) THEN
        RETURN QUERY SELECT 'shadow', 0.0::double precision;
        RETURN;
    END IF;
    SELECT * INTO row_held FROM installations
    WHERE account_id = the_account AND installation_id = the_installation FOR UPDATE;
    IF row_held.paused_until > clock_timestamp() THEN
        RETURN QUERY SELECT 'paused', extract(epoch FROM row_held.paused_until - clock_timestamp())::double precision;
        RETURN;
    END IF;
    -- Read once the row is held: a time from before the wait would wind the ring back over what others spent meanwhile.
    this_second := floor(extract(epoch FROM clock_timestamp()));
    this_minute := this_second / 60;
    seconds_spent := spent_since(row_held.points_by_second, row_held.budget_at, this_second);
    content_seconds := spent_since(row_held.content_by_second, row_held.budget_at, this_second);
    content_minutes := spent_since(row_held.content_by_minute, row_held.budget_at / 60, this_minute);
    IF (SELECT sum(n) FROM unnest(seconds_spent) AS n) + points > ceiling
        OR (content > 0 AND (SELECT sum(n) FROM unnest(content_seconds) AS n) + content > 80)
        OR (content > 0 AND (SELECT sum(n) FROM unnest(content_minutes) AS n) + content > 500)
    THEN
        RETURN QUERY SELECT 'wait', 1.0::double precision;
        RETURN;
    END IF;
    seconds_spent[this_second % 61 + 1] := seconds_spent[this_second % 61 + 1] + points;
    content_seconds[this_second % 61 + 1] := content_seconds[this_second % 61 + 1] + content;
    content_minutes[this_minute % 61 + 1] := content_minutes[this_minute % 61 + 1] + content;
    UPDATE installations SET budget_at = this_second, points_by_second = seconds_spent,
        content_by_second = content_seconds, content_by_minute = content_minutes
    WHERE account_id = the_account AND installation_id = the_installation;
    RETURN QUERY SELECT 'go', 0.0::double precision;
END $$;
