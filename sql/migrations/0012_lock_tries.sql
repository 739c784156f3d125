-- A try whose outcome is unknown may have changed a ruleset: it is written down before the call, and while it stands the
-- ruleset is sent again, also where the rows want nothing else than what was last confirmed (docs/design.md section 2).

ALTER TABLE rulesets ADD COLUMN tried_at timestamptz;
ALTER TABLE rulesets ALTER COLUMN ruleset_id DROP NOT NULL;
ALTER TABLE rulesets ALTER COLUMN sent_at DROP NOT NULL;
COMMENT ON COLUMN rulesets.tried_at IS 'Since when a call is on its way whose outcome is not known; null once one was confirmed.';
CREATE INDEX rulesets_unsure ON rulesets (account_id) WHERE tried_at IS NOT NULL;
