-- Refusals are counted by themselves: a pause or a spent budget gives a claim back too, and puts nothing off.

ALTER TABLE enrolments ADD COLUMN review_refusals integer NOT NULL DEFAULT 0;
COMMENT ON COLUMN enrolments.review_refusals IS 'How often GitHub refused the review of this round; a pause or a spent budget is none.';
