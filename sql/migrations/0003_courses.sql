-- A course is one staff repository; its projects are bound to issues of it.

CREATE TABLE courses (
    account_id bigint NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    repository_id bigint NOT NULL,
    timezone text NOT NULL,
    mode text NOT NULL CHECK (mode IN ('active', 'shadow')),
    staff_team_id bigint NOT NULL,
    staff_team text NOT NULL,
    assistants_team_id bigint,
    assistants_team text,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (account_id, id),
    UNIQUE (account_id, repository_id)
);

CREATE TABLE staff (
    account_id bigint NOT NULL,
    course_id bigint NOT NULL,
    user_id bigint NOT NULL,
    login text NOT NULL,
    PRIMARY KEY (account_id, course_id, user_id),
    FOREIGN KEY (account_id, course_id) REFERENCES courses
);
COMMENT ON TABLE staff IS
    'Who taught when it was last read: tells a teacher''s push from a student''s. Never an authority for a command.';

CREATE TABLE projects (
    account_id bigint NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY,
    course_id bigint NOT NULL,
    issue_number integer NOT NULL,
    slug text NOT NULL,
    state text NOT NULL DEFAULT 'draft'
        CHECK (state IN ('draft', 'open', 'closed', 'graded', 'approved', 'released')),
    deadline_at timestamptz NOT NULL,
    deadline_wall text NOT NULL,
    deadline_zone text NOT NULL,
    opens_at timestamptz,
    grace_seconds integer NOT NULL CHECK (grace_seconds >= 0),
    strategy text NOT NULL DEFAULT 'lock' CHECK (strategy IN ('lock', 'commit')),
    branches text[] NOT NULL DEFAULT '{}',
    repository_glob text NOT NULL,
    grading text NOT NULL DEFAULT 'auto' CHECK (grading IN ('auto', 'none')),
    workflow text NOT NULL,
    deadline_applied_at timestamptz,
    published_at timestamptz,
    created_at timestamptz NOT NULL,
    archived_at timestamptz,
    deadline_job_at timestamptz,
    deadline_job_by uuid,
    dispatch_job_at timestamptz,
    dispatch_job_by uuid,
    dispatch_failure text,
    acting_at timestamptz,
    acting_by uuid,
    acting_kind text,
    PRIMARY KEY (account_id, id),
    FOREIGN KEY (account_id, course_id) REFERENCES courses,
    UNIQUE (account_id, course_id, slug),
    UNIQUE (account_id, course_id, issue_number)
);
COMMENT ON COLUMN projects.branches IS 'Tracked branches; empty means the default branch of each repository.';
CREATE INDEX projects_deadline_due ON projects (deadline_at) WHERE state = 'open' AND deadline_applied_at IS NULL;
CREATE INDEX projects_opening_due ON projects (opens_at) WHERE state = 'draft' AND opens_at IS NOT NULL;
