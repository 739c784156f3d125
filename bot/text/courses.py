"""What is said about a course."""

from collections.abc import Sequence
from datetime import datetime

from bot.model import Course, Project
from bot.text import when
from bot.text.markdown import plain, table


def begun(course: Course, organisation: str, rulesets: bool | None) -> str:
    """A course was registered."""
    staff = f"{organisation}/{course.staff_team}"
    assistants = (
        f", {code_team(organisation, course.assistants_team)} may extend, lock, unlock and look"
        if course.assistants_team
        else ""
    )
    shadow = (
        "\nThe course runs in **shadow mode**: everything is recorded and computed, and nothing is written outside "
        "this repository."
        if course.mode == "shadow"
        else ""
    )
    return (
        f"This repository now runs a course. Times are in {course.timezone}. "
        f"`@{staff}` may do everything{assistants}.\n{locks(rulesets)}{shadow}\n"
        "Next: open an issue for the first assignment and write `/project create` in it (`/help project create`)."
    )


def code_team(organisation: str, team: str | None) -> str:
    """A team's name that pings nobody."""
    return f"`@{organisation}/{team}`"


def locks(rulesets: bool | None) -> str:
    """What can be used to close repositories here."""
    if rulesets:
        return "Locks: organisation rulesets (strongest). Missing: nothing."
    if rulesets is False:
        return (
            "Locks: each repository by rulesets of its own, or where the plan has none, archived (nobody can comment "
            "there then, the bot neither). GitHub offers organisation rulesets, the strongest, from the Team plan on."
        )
    return (
        "Locks: GitHub does not show the organisation's rulesets to the App. Grant it the organisation permission "
        "*Administration: write*; until then nothing can be closed."
    )


def overview(course: Course, projects: Sequence[Project], now: datetime) -> str:
    """The projects of a course at a glance."""
    if not projects:
        return f"This course has no project yet. Times are in {course.timezone}."
    rows = [
        [
            f"#{project.issue_number}",
            plain(project.slug),
            project.state,
            when.short(project.deadline_at, course.timezone),
            when.until(project.deadline_at, now),
        ]
        for project in projects
    ]
    heads = ["Issue", "Project", "State", f"Deadline ({course.timezone})", ""]
    return table(heads, rows)
