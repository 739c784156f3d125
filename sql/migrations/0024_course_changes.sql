-- What is changed of a course can be taken back too (docs/design.md section 10): such a change has no project. An undo is
-- about the last change of its issue's project, or of the course where there is none, and about what was written there.

ALTER TABLE changes
    ALTER COLUMN project_id DROP NOT NULL,
    ADD COLUMN course_id bigint,
    ADD COLUMN issue_number integer,
    ADD FOREIGN KEY (account_id, course_id) REFERENCES courses,
    ADD CHECK (project_id IS NOT NULL OR course_id IS NOT NULL);
-- Until now a change was of the project whose control issue it was written in.
UPDATE changes c SET course_id = p.course_id, issue_number = p.issue_number
FROM projects p WHERE (p.account_id, p.id) = (c.account_id, c.project_id);
COMMENT ON TABLE changes IS 'What commands changed in a course or one of its projects, each with what takes it back as data; /undo reverts the last.';
COMMENT ON COLUMN changes.project_id IS 'Null: the course itself was changed.';
COMMENT ON COLUMN changes.issue_number IS 'Where it was written; it can be taken back there, whatever it is about.';
CREATE INDEX changes_of_course ON changes (account_id, course_id, id);
