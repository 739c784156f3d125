-- Of a command's tries only those count that failed by a fault of ours: a pause, a spent budget or GitHub's own trouble
-- may put it off as often as it takes.

ALTER TABLE commands ADD COLUMN faults integer NOT NULL DEFAULT 0;
COMMENT ON COLUMN commands.faults IS 'How often a fault of ours kept it from being answered; waits for GitHub are counted in attempts alone.';
