-- Reading GitHub's log of deliveries: the log knows a delivery by its GUID alone, whatever account it is of.

CREATE INDEX deliveries_by_guid ON deliveries (guid);

-- The redelivery of one may arrive before the call that asked for it is answered: its first attempt is noted before.
ALTER TABLE missed_deliveries ALTER COLUMN asked_at DROP NOT NULL;
COMMENT ON COLUMN missed_deliveries.asked_at IS
    'Course time when GitHub had been asked to deliver it again, or had refused to; it is never asked a second time. Null until then.';

INSERT INTO scheduled_tasks (name, period) VALUES ('read deliveries', '5 minutes');
