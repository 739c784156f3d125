-- A delivery that one process stored wakes the workers of the others; their tick remains the net (section 5).

CREATE FUNCTION tell_of_mail() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('pencils_down_mail', '');
    RETURN NULL;
END $$;
CREATE TRIGGER mail_wakes_workers AFTER INSERT ON deliveries
    FOR EACH STATEMENT EXECUTE FUNCTION tell_of_mail();
