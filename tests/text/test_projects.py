"""What is said about a project (docs/design.md section 10)."""

import re
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.model import LockTrouble, Person, Project, RepositoryFact
from bot.text import enrolments, standings
from bot.text import projects as text
from bot.text.projects import Extension, Matched
from bot.text.standings import Standing
from tests.rules.enrolled import enrolment

from .facts import DEADLINE, FULL, NOW, PROJECT, ZONE
from .voice import HOSTILE, check_voice

QUIET = LockTrouble(None, None)
AMY = enrolment(1, "lab1-amy", "amy")


def repository(name: str, *students: str) -> RepositoryFact:
    """A repository as GitHub lists it."""
    people = tuple(Person(number, login) for number, login in enumerate(students))
    return RepositoryFact(1, name, "main", True, False, False, people)


def test_a_draft_says_what_it_took_what_it_left_who_is_missing_and_when_it_closes() -> None:
    matched = Matched([repository("lab1-amy", "amy"), repository("lab1-x")], [("lab1-template", "a template")])

    said = text.drafted(PROJECT, ZONE, NOW, matched)

    assert "**lab1** is drafted in this issue: 2 repositories match `lab1-*` and are enrolled." in said
    assert f"Closes {FULL}, in 8 days 2 h." in said
    assert "Runs on commits received in time may finish until Wed 2 Dec 00:29:00." in said
    assert "Nobody sees it before `/publish`." in said
    assert "Nobody works in `lab1-x` yet" in said
    assert "Left out: `lab1-template` (a template)." in said


def test_one_repository_is_spoken_of_as_one() -> None:
    said = text.drafted(PROJECT, ZONE, NOW, Matched([repository("lab1-amy", "amy")], []))

    assert "1 repository matches `lab1-*` and is enrolled." in said


@pytest.mark.parametrize(
    "said",
    [
        text.drafted(replace(PROJECT, opens_at=DEADLINE), ZONE, NOW, Matched([], [])),
        text.published(PROJECT, ZONE, NOW, [AMY, replace(AMY, staff_lock=True)]),
        text.scheduled(PROJECT, ZONE, DEADLINE, NOW),
        text.moved(PROJECT, ZONE, NOW, 2, 1),
        text.extended([Extension(AMY, DEADLINE)], ZONE, NOW),
        text.extended([Extension(AMY, DEADLINE, moved=False)], ZONE, NOW),
        text.stands(PROJECT, ZONE, NOW),
        standings.status(PROJECT, ZONE, NOW, Standing([AMY], QUIET)),
    ],
    ids=["drafted", "published", "scheduled", "moved", "extended", "not extended", "stands", "status"],
)
def test_every_answer_that_names_the_deadline_names_the_zone_and_utc(said: str) -> None:
    assert FULL in said
    check_voice(said)


def test_without_grace_nothing_is_said_of_it() -> None:
    assert text.closing(replace(PROJECT, grace_seconds=0), ZONE, NOW) == f"Closes {FULL}, in 8 days 2 h."


def test_a_move_says_what_opened_again_and_what_keeps_its_own() -> None:
    assert "Closed until now and open again: 2 repositories." in text.moved(PROJECT, ZONE, NOW, 2, 0)
    assert "1 repositories" not in text.moved(PROJECT, ZONE, NOW, 0, 0)
    assert "Deadlines of their own stay as they are: 3 repositories" in text.moved(PROJECT, ZONE, NOW, 0, 3)


def test_an_extension_after_the_fact_says_since_when_it_was_closed() -> None:
    closed = enrolment(1, "lab1-amy", deadline_applied_at=DEADLINE)

    said = text.extended([Extension(closed, DEADLINE + timedelta(days=2), reopened=True)], ZONE, NOW)

    assert "`lab1-amy` now closes **Thu 3 Dec 2026, 23:59:00 Europe/Zurich** (22:59:00 UTC)." in said
    assert "It was closed since Tue 1 Dec 23:59:00; it opens again now." in said
    assert "closed since" not in text.extended([Extension(closed, DEADLINE)], ZONE, NOW)


@pytest.mark.parametrize(
    ("applied", "moved", "says"),
    [
        (False, timedelta(hours=-1), "That has passed: it closes now."),
        (True, timedelta(hours=-1), "It stays closed and is judged again."),
        (True, timedelta(), "It stays closed."),
    ],
)
def test_a_deadline_in_the_past_says_what_it_does_and_judges_again_only_where_it_is_another(
    applied: bool, moved: timedelta, says: str
) -> None:
    row = enrolment(1, "lab1-amy", deadline_applied_at=DEADLINE if applied else None)

    said = text.extended([Extension(row, DEADLINE + moved)], ZONE, DEADLINE + timedelta(hours=1))

    assert "was to close" in said
    assert said.endswith(says)


def test_the_status_begins_with_the_state_and_counts_only_what_there_is() -> None:
    rows = [AMY, enrolment(2, "lab1-bo", deadline_at=DEADLINE, frozen_at=DEADLINE, submission_sha="a" * 40)]

    said = standings.status(PROJECT, ZONE, NOW, Standing(rows, QUIET))

    assert said.startswith("state: open\n")
    assert "2 enrolled, 1 with an own deadline, 1 frozen, 1 with a submission." in said


def test_the_status_names_what_needs_a_person() -> None:
    rows = [
        enrolment(1, "lab1-amy", wanted_lock=True),
        enrolment(2, "lab1-bo", review="not confirmed"),
        enrolment(3, "lab1-cy", gone_at=DEADLINE, gone_as="deleted"),
    ]

    said = standings.status(PROJECT, ZONE, NOW, Standing(rows, QUIET))

    assert "Not as wanted on GitHub yet: `lab1-amy`." in said
    assert "Not confirmed: the review of `lab1-bo`" in said
    assert "Cannot be reached any more: `lab1-cy` (" in said
    check_voice(said)


def test_one_line_of_a_repository_says_what_counts_and_since_when_it_is_locked() -> None:
    row = enrolment(
        1,
        "lab1-amy",
        "amy",
        locked_at=DEADLINE,
        frozen_at=DEADLINE,
        submission_sha="3f2c1a9" + "0" * 33,
        submission_at=DEADLINE,
        points=4.5,
        max_points=6.0,
    )

    said = standings.status_of([row, AMY], ZONE)

    assert "locked Tue 1 Dec 23:59:00" in said
    assert "3f2c1a9, received Tue 1 Dec 23:59:00" in said
    assert "| 4.5/6 |" in said
    assert "| not frozen yet |" in said
    check_voice(said)


def test_names_and_words_of_others_can_neither_ping_nor_forge() -> None:
    odd = replace(PROJECT, slug=HOSTILE, repository_glob=HOSTILE)
    row = enrolment(1, HOSTILE, wanted_lock=True)
    matched = Matched([repository(HOSTILE)], [(HOSTILE, "a template")])

    check_voice(text.drafted(odd, ZONE, NOW, matched))
    check_voice(standings.status(odd, ZONE, NOW, Standing([row], LockTrouble(HOSTILE, HOSTILE))))
    check_voice(standings.status_of([row], ZONE))
    check_voice(text.extended([Extension(row, DEADLINE, reopened=True)], ZONE, NOW))
    check_voice(text.extended([Extension(row, DEADLINE, moved=False)], ZONE, NOW))
    check_voice(text.stands(odd, ZONE, NOW))


MARKED = replace(PROJECT, strategy="commit")
CLOSING = re.compile(r"\b(clos|open)", re.IGNORECASE)
"""Where a deadline is marked by a commit, no repository is closed by it and none is opened."""


def test_a_strategy_that_locks_nothing_speaks_of_a_deadline_that_closes_nothing() -> None:
    after = DEADLINE + timedelta(hours=1)

    assert text.closing(MARKED, ZONE, NOW).startswith(f"Due {FULL}, in 8 days 2 h. Runs on")
    assert text.closing(MARKED, ZONE, after) == f"Was due {FULL}, 1 h ago."
    assert text.moved(MARKED, ZONE, after, 0, 0) == (
        f"**lab1**: Was due {FULL}, 1 h ago.\nEverything was judged again by when it was received."
    )
    assert "The deadline had come and lies ahead again: 2 repositories. What was" in text.moved(MARKED, ZONE, NOW, 2, 0)
    for said in (text.moved(MARKED, ZONE, after, 0, 1), text.moved(MARKED, ZONE, NOW, 2, 1)):
        assert not CLOSING.search(said)
        check_voice(said)
    status = standings.status(MARKED, ZONE, after, Standing([AMY], QUIET))
    assert f"**lab1** was due {FULL}, 1 h ago; grace" in status
    assert f"**lab1** is due {FULL}, in 8 days 2 h; grace" in standings.status(
        MARKED, ZONE, NOW, Standing([AMY], QUIET)
    )


@pytest.mark.parametrize("hand", [None, True, False])
@pytest.mark.parametrize(
    ("applied", "moved", "says"),
    [
        (False, timedelta(), "That has passed: what was received by then counts."),
        (False, timedelta(hours=-1), "That has passed: what was received by then counts."),
        (True, timedelta(hours=-1), "It is judged again."),
        (True, timedelta(), f"The deadline of `lab1-amy` was {FULL}."),
        (True, timedelta(days=2), "It had come at Tue 1 Dec 23:59:00 and lies ahead again."),
        (False, timedelta(days=2), "(22:59:00 UTC)."),
    ],
)
def test_an_extension_under_a_strategy_that_locks_nothing_says_nothing_of_closing(
    applied: bool, moved: timedelta, says: str, hand: bool | None
) -> None:
    row = enrolment(1, "lab1-amy", deadline_applied_at=DEADLINE if applied else None, staff_lock=hand)
    extension = Extension(row, DEADLINE + moved, reopened=applied and moved > timedelta())

    said = text.extended([extension], ZONE, DEADLINE + timedelta(hours=1), locks=False)

    assert said.startswith("The deadline of `lab1-amy` ")
    by_hand = " It is closed by hand until `/unlock`."
    assert said.endswith(by_hand) is (hand is True and not applied and moved > timedelta())
    assert said.removesuffix(by_hand).endswith(says)
    assert not CLOSING.search(said.removesuffix(by_hand))
    check_voice(said)


@pytest.mark.parametrize(
    ("project", "says"),
    [
        (PROJECT, "The deadline has passed: `lab1-amy` closes now, and what was received in time counts."),
        (MARKED, "The deadline of `lab1-amy` has passed: what was received in time counts."),
    ],
    ids=["lock", "commit"],
)
def test_who_comes_after_the_deadline_hears_what_that_means_by_the_strategy(project: Project, says: str) -> None:
    assert says in enrolments.enrolled(project, [AMY], [], DEADLINE + timedelta(hours=1))
