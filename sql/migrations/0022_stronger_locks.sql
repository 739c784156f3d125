-- The strongest lock available is used, also where it became available after a repository was locked.

ALTER TABLE installations ADD COLUMN lock_refused_last text;
COMMENT ON COLUMN installations.lock_refused_last IS 'The last refusal of organisation rulesets, kept while it is asked again now and then: the same one is audited once.';

CREATE INDEX repositories_weaker ON repositories (account_id) WHERE lock_kind IN ('repository', 'archive');

CREATE FUNCTION named_by_pair(the_account bigint, the_repository bigint) RETURNS integer LANGUAGE sql STABLE AS $$
    SELECT count(*)::integer FROM rulesets WHERE account_id = the_account AND the_repository = ANY (repository_ids)
$$;
COMMENT ON FUNCTION named_by_pair(bigint, bigint) IS 'How many of the organisation''s pair, as last sent, name a repository: 0 to 2.';

CREATE FUNCTION pair_differs(r repositories) RETURNS boolean LANGUAGE sql STABLE AS $$
    -- A repository under a weaker lock: the pair is to name it too before that lock is taken off, and then no more. One of
    -- which no rule speaks keeps the lock it has.
    SELECT CASE WHEN r.wanted_lock AND r.gone_as IS DISTINCT FROM 'deleted' THEN named_by_pair(r.account_id, r.id) < 2
        ELSE r.wanted_lock IS NOT NULL AND named_by_pair(r.account_id, r.id) > 0 END
$$;
COMMENT ON FUNCTION pair_differs(repositories) IS 'Whether the organisation''s pair is to be sent again because of a repository under a weaker lock.';
