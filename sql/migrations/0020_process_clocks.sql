-- How far clocks lie apart is measured by each process and shown to the staff of every course.

ALTER TABLE processes ADD COLUMN clock_skew interval, ADD COLUMN github_skew interval;
COMMENT ON COLUMN processes.clock_skew IS 'By how much the clock of its machine was ahead of the database''s at the last heartbeat.';
COMMENT ON COLUMN processes.github_skew IS 'The same of GitHub''s clock, as its answers told it; null before the first.';

-- Codes are good for ten minutes.
INSERT INTO scheduled_tasks (name, period) VALUES ('forget confirmations', '1 day');
