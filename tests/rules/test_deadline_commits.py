"""The next step towards the mark of a deadline on one branch (docs/design.md section 4)."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from bot.rules.deadline_commits import Mark, Step, next_step

UNMADE = Mark(
    account_id=5,
    project_id=1,
    repository_id=9,
    branch="main",
    round=1,
    course_id=1,
    slug="lab1",
    timezone="Europe/Zurich",
    effective_at=datetime(2026, 12, 1, 22, 59, tzinfo=UTC),
    by_default=True,
)
MADE = replace(UNMADE, sha="m", parent_sha="a")


@pytest.mark.parametrize(
    ("mark", "head", "step"),
    [
        pytest.param(UNMADE, None, Step.MISSING, id="no branch"),
        pytest.param(MADE, None, Step.MISSING, id="no branch any more"),
        pytest.param(UNMADE, "a", Step.MAKE, id="nothing was made"),
        pytest.param(MADE, "a", Step.MOVE, id="what was made fits the head: nothing is made again"),
        pytest.param(MADE, "m", Step.THERE, id="the branch moved, and nobody wrote it down"),
        pytest.param(
            MADE, "b", Step.ASK, id="the branch went on, past the mark or not: nothing is made before that is known"
        ),
    ],
)
def test_what_is_recorded_and_where_the_branch_is_decide_together(mark: Mark, head: str | None, step: Step) -> None:
    assert next_step(mark, head) is step
