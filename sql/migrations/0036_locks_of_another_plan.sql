-- A plan that changes applies other rulesets than before: what it stops applying is no lock any more, and what it applies
-- again may close somebody whose deadline has moved since.

ALTER TABLE repositories
    ADD COLUMN lock_absent_at timestamptz,
    ADD COLUMN rulesets_dormant boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN repositories.lock_absent_at IS 'Since when reading back has not shown the lock that was sent; null once it does, or once it is not recorded as locked.';
COMMENT ON COLUMN repositories.rulesets_dormant IS 'It may have rulesets of its own that the plan does not apply; looked for whenever the installation is read.';
CREATE INDEX repositories_dormant ON repositories (account_id) WHERE rulesets_dormant;
