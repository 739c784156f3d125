-- GitHub counts a call when it arrives, the gate when it lets it go: between the two lies its way there. The rings are
-- longer than what GitHub counts over by some slots, so that a slow call cannot meet those of the next round: 65 seconds
-- for a minute, 62 minutes for an hour (docs/adr/0022-calls-on-their-way.md). Who has to wait is told until when. What was
-- spent in the last minute before this migration is forgotten.

ALTER TABLE installations
    ALTER COLUMN points_by_second SET DEFAULT array_fill(0, ARRAY[65]),
    ALTER COLUMN content_by_second SET DEFAULT array_fill(0, ARRAY[65]),
    ALTER COLUMN content_by_minute SET DEFAULT array_fill(0, ARRAY[62]);
UPDATE installations SET points_by_second = DEFAULT, content_by_second = DEFAULT, content_by_minute = DEFAULT;

CREATE OR REPLACE FUNCTION spent_since(slots integer[], last_written bigint, current_slot bigint) RETURNS integer[]
LANGUAGE sql IMMUTABLE AS $$
    -- Slots passed over since the last write belong to an earlier round of the ring: they count nothing.
    SELECT array_agg(CASE WHEN written > current_slot - size THEN slots[slot + 1] ELSE 0 END ORDER BY slot)
    FROM (
        SELECT size, slot, last_written - ((last_written - slot) % size + size) % size AS written
        FROM cardinality(slots) AS size, generate_series(0, size - 1) AS slot
    ) AS ring
$$;

CREATE FUNCTION slots_until_room(slots integer[], current_slot bigint, room integer) RETURNS integer
LANGUAGE sql IMMUTABLE AS $$
    -- After how many slots no more than `room` is left in the ring, if nothing is added: 0 where that is so now.
    SELECT coalesce(max(size - age), 0)
    FROM (
        SELECT size, age, sum(slots[(current_slot - age) % size + 1]) OVER (ORDER BY age) AS spent
        FROM cardinality(slots) AS size, generate_series(0, size - 1) AS age
    ) AS aged
    WHERE spent > room
$$;

-- `lifts`: the call takes a lock off, which a course that went into shadow mode may have asked for. A process of before
-- leaves it out.
DROP FUNCTION gate_admit;
CREATE FUNCTION gate_admit(
    the_account bigint, the_installation bigint, targets bigint[], points integer, content integer, ceiling integer,
    lifts boolean DEFAULT false
) RETURNS TABLE (verdict text, after_seconds double precision) LANGUAGE plpgsql AS $$
DECLARE
    row_held installations;
    this_second bigint;
    this_minute bigint;
    second_slot integer;
    minute_slot integer;
    seconds_spent integer[];
    content_seconds integer[];
    content_minutes integer[];
    seconds_to_wait integer;
BEGIN
    IF EXISTS (
        SELECT FROM enrolments e
        JOIN projects p ON (p.account_id, p.id) = (e.account_id, e.project_id)
        JOIN courses c ON (c.account_id, c.id) = (p.account_id, p.course_id)
        WHERE e.account_id = the_account AND e.repository_id = ANY (targets)
        GROUP BY e.repository_id HAVING bool_and(c.mode = 'shadow' AND NOT (lifts AND c.locks_lifted))
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
    seconds_to_wait := slots_until_room(seconds_spent, this_second, ceiling - points);
    IF content > 0 THEN
        seconds_to_wait := greatest(seconds_to_wait, slots_until_room(content_seconds, this_second, 80 - content),
            60 * slots_until_room(content_minutes, this_minute, 500 - content));
    END IF;
    IF seconds_to_wait > 0 THEN
        RETURN QUERY SELECT 'wait', seconds_to_wait::double precision;
        RETURN;
    END IF;
    second_slot := this_second % cardinality(seconds_spent) + 1;
    minute_slot := this_minute % cardinality(content_minutes) + 1;
    seconds_spent[second_slot] := seconds_spent[second_slot] + points;
    content_seconds[second_slot] := content_seconds[second_slot] + content;
    content_minutes[minute_slot] := content_minutes[minute_slot] + content;
    UPDATE installations SET budget_at = this_second, points_by_second = seconds_spent,
        content_by_second = content_seconds, content_by_minute = content_minutes
    WHERE account_id = the_account AND installation_id = the_installation;
    RETURN QUERY SELECT 'go', 0.0::double precision;
END $$;
