"""A project and a course to speak of."""

from datetime import UTC, datetime, timedelta

from bot.model import Course, Project

ZONE = "Europe/Zurich"
DEADLINE = datetime(2026, 12, 1, 22, 59, tzinfo=UTC)
NOW = DEADLINE - timedelta(days=8, hours=2)
FULL = "**Tue 1 Dec 2026, 23:59:00 Europe/Zurich** (22:59:00 UTC)"
"""The deadline as every answer names it."""

PROJECT = Project(
    account_id=5,
    id=1,
    course_id=1,
    issue_number=3,
    slug="lab1",
    state="open",
    deadline_at=DEADLINE,
    deadline_wall="2026-12-01T23:59:00",
    deadline_zone=ZONE,
    opens_at=None,
    grace_seconds=1800,
    strategy="lock",
    branches=[],
    repository_glob="lab1-*",
    grading="auto",
    workflow=".github/workflows/grading.yml",
    deadline_applied_at=None,
)
COURSE = Course(
    account_id=5,
    id=1,
    repository_id=1,
    timezone=ZONE,
    mode="active",
    staff_team_id=1,
    staff_team="teachers",
    assistants_team_id=2,
    assistants_team="tas",
)
