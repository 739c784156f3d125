"""What is said about a course (docs/design.md section 10)."""

from dataclasses import replace

import pytest

from bot.text import courses as text

from .facts import COURSE, NOW, PROJECT
from .voice import HOSTILE, check_voice


def test_a_course_that_begins_names_its_zone_its_teams_its_locks_and_what_to_do_next() -> None:
    said = text.begun(COURSE, "prog1", True)

    assert "Times are in Europe/Zurich." in said
    assert "`@prog1/teachers` may do everything, `@prog1/tas` may extend, lock, unlock and look." in said
    assert "Locks: organisation rulesets (strongest). Missing: nothing." in said
    assert "`/project create`" in said
    check_voice(said)


def test_a_course_without_assistants_names_none() -> None:
    assert "may extend" not in text.begun(replace(COURSE, assistants_team=None), "prog1", True)


def test_shadow_mode_is_said_plainly() -> None:
    assert "**shadow mode**" in text.begun(replace(COURSE, mode="shadow"), "prog1", True)
    assert "shadow" not in text.begun(COURSE, "prog1", True)


@pytest.mark.parametrize("rulesets", [True, False, None])
def test_what_can_be_used_to_close_repositories_is_said_for_every_plan(rulesets: bool | None) -> None:
    said = text.locks(rulesets)

    assert said.startswith("Locks: ")
    assert (rulesets is True) == ("(strongest)" in said)
    check_voice(said)


def test_a_course_without_projects_says_so_in_its_zone() -> None:
    assert text.overview(COURSE, [], NOW) == "This course has no project yet. Times are in Europe/Zurich."


def test_the_overview_has_a_line_for_each_project_with_its_state_and_how_far_its_deadline_is() -> None:
    said = text.overview(COURSE, [PROJECT, replace(PROJECT, issue_number=4, slug=HOSTILE)], NOW)

    assert "Deadline (Europe/Zurich)" in said
    assert "| #3 | lab1 | open | Tue 1 Dec 23:59:00 | in 8 days 2 h |" in said
    assert len(said.splitlines()) == 4
    check_voice(said)
