-- The repositories of a project that changes are taken in the order in which the lock job holds them: the two wait for
-- each other in turn, never crosswise.

CREATE OR REPLACE FUNCTION keep_wanted_of_project() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM repositories WHERE account_id = NEW.account_id AND id IN (
        SELECT repository_id FROM enrolments WHERE account_id = NEW.account_id AND project_id = NEW.id)
    ORDER BY id FOR NO KEY UPDATE;
    UPDATE repositories SET wanted_lock = wanted_lock(account_id, id)
    WHERE account_id = NEW.account_id AND id IN (
        SELECT repository_id FROM enrolments WHERE account_id = NEW.account_id AND project_id = NEW.id);
    RETURN NULL;
END $$;
