"""Which commands students have, and what is read of GitHub for them."""

import pytest

from bot.model import Course, Needs
from bot.slash import answering
from bot.slash.command import Place
from bot.slash.registry import COMMANDS, readme_table
from bot.text import refusals
from tests.text.facts import COURSE


def needs(body: str, course: Course | None, *, student_repository: bool) -> Needs:
    """What a comment needs in a repository."""
    return answering.needs(Place("prog1", course, None, student_repository), answering.addressed(body))


def test_what_students_are_told_they_can_use_is_what_they_can_use() -> None:
    named = refusals.not_allowed("student", "").instead
    mine = [name for name, command in COMMANDS.items() if command.of_students]

    assert sorted(mine) == ["evidence", "status"]
    assert all(f"`/{name}`" in named for name in mine)
    assert readme_table().count("; students in their own repository |") == len(mine)


@pytest.mark.parametrize("body", ["/evidence", "/status @amy", "/evidence --nonsense", "/lock @bo\n/status"])
def test_who_studies_in_a_repository_is_read_there_for_what_students_may_give(body: str) -> None:
    assert needs(body, COURSE, student_repository=True).students
    assert not needs(body, COURSE, student_repository=False).students


def test_for_other_commands_and_other_places_nobody_is_read() -> None:
    assert needs("/lock @bo\n/help", COURSE, student_repository=True) == Needs()
