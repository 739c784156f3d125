-- A review that GitHub refuses is asked for again later each time: a refusal for good is no reason to ask twice a minute.

ALTER TABLE enrolments ADD COLUMN review_due_at timestamptz;
COMMENT ON COLUMN enrolments.review_due_at IS 'Real time before which a refused review is not asked for again.';
