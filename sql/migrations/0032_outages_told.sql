-- As in 0027_outages.sql, asked of each project by the key instead of walking through every repository that an outage
-- touched: every tick looks, and twenty outages over a thousand repositories cost seconds.

CREATE FUNCTION is_touched(the_account bigint, the_outage bigint, the_project bigint) RETURNS boolean
LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT FROM outage_repositories a
        WHERE (a.account_id, a.outage_id, a.project_id) = (the_account, the_outage, the_project))
$$;
COMMENT ON FUNCTION is_touched(bigint, bigint, bigint) IS 'Whether an outage touched a deadline of that project.';

CREATE OR REPLACE VIEW outages_told AS
SELECT t.account_id, t.project_id, t.outage_id, coalesce(intake.id, t.outage_id) AS told_as
FROM (
    SELECT p.account_id, p.id AS project_id, o.id AS outage_id, o.part, o.began_at, o.ended_at
    FROM projects p CROSS JOIN outages o
    WHERE o.ended_at > app_now() - interval '14 days' AND is_touched(p.account_id, o.id, p.id)
) AS t
LEFT JOIN LATERAL (
    SELECT min(i.id) AS id FROM outages i
    WHERE t.part = 'work' AND i.part = 'intake' AND i.began_at <= t.ended_at AND i.ended_at >= t.began_at
        AND is_touched(t.account_id, i.id, t.project_id)
) AS intake ON true;
