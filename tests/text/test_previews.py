"""What a preview says (docs/design.md section 10)."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from bot.rules.effects import Effects, Flip, Move, Recount
from bot.text import previews

ZONE = "Europe/Zurich"
AT = datetime(2026, 12, 1, 22, 59, tzinfo=UTC)
DAY = timedelta(days=1)
NOTHING = Effects(None, None, (), (), (), (), (), (), False)
SHA = "3f2c1a9" + "0" * 33


def flip(number: int, late: bool = True) -> Flip:
    return Flip(f"lab1-{number}", SHA, AT, late, timedelta(minutes=12, seconds=20), False)


def would(**effects: Any) -> str:
    return previews.would("lab1", replace(NOTHING, **effects), ZONE, AT)


def test_nothing_to_be_noticed_leaves_nothing_to_say() -> None:
    assert would() == ""


def test_a_deadline_says_from_when_to_when_in_the_zone_and_utc_and_whether_that_has_passed() -> None:
    assert would(project=Move("", AT, AT - DAY)) == (
        "This would move the deadline of **lab1** from Tue 1 Dec 23:59:00 to "
        "**Mon 30 Nov 2026, 23:59:00 Europe/Zurich** (22:59:00 UTC), which has passed."
    )
    assert would(project=Move("", AT, AT + DAY)).endswith("(22:59:00 UTC).")


def test_the_moves_of_repositories_are_not_repeated_under_the_projects() -> None:
    moved = (Move("lab1-1", AT, AT + DAY),)

    assert "`lab1-1`" not in would(project=Move("", AT, AT + DAY), moved=moved)
    assert would(moved=moved).startswith("This would move the deadline of `lab1-1` from Tue 1 Dec 23:59:00 to")


def test_few_repositories_are_named_and_many_counted() -> None:
    assert would(closing=("lab1-1", "lab1-2")) == "2 repositories (`lab1-1`, `lab1-2`) would close now."
    assert would(opening=("lab1-1",)) == "1 repository (`lab1-1`) would open again."
    assert would(closing=tuple(f"lab1-{number}" for number in range(41))) == "41 repositories would close now."


def test_a_deadline_that_locks_nothing_would_have_come_or_lie_ahead_again() -> None:
    assert would(passing=("lab1-1",)) == "The deadline of 1 repository (`lab1-1`) would have come."
    assert would(ahead=("lab1-1", "lab1-2")) == (
        "The deadline of 2 repositories (`lab1-1`, `lab1-2`) would lie ahead again."
    )


def test_verdicts_name_the_commit_and_by_how_much() -> None:
    assert would(flips=(flip(1),)) == "1 commit would become late: `lab1-1` 3f2c1a9 (by 12 min 20 s)."
    assert would(flips=(flip(1, late=False),)) == (
        "1 commit would be on time: `lab1-1` 3f2c1a9 (was late by 12 min 20 s)."
    )
    assert would(flips=tuple(flip(number) for number in range(8))).endswith(
        "`lab1-4` 3f2c1a9 (by 12 min 20 s) and 3 more."
    )


def test_what_would_count_and_whose_review_was_of_another_commit_is_said() -> None:
    said = would(recounts=(Recount("lab1-1", SHA, None),), reviewed=("lab1-1",))

    assert said.splitlines() == [
        "Another commit would count: `lab1-1` nothing instead of 3f2c1a9.",
        "The review of `lab1-1` was asked for another commit than the one that would count, "
        "and is not asked for again.",
    ]


def test_after_the_change_each_verdict_has_its_line_up_to_five() -> None:
    effects = replace(NOTHING, flips=(replace(flip(1, late=False), counts=True), flip(2)))

    assert previews.judged(effects, ZONE).splitlines() == [
        "`lab1-1` 3f2c1a9, received Tue 1 Dec 23:59:00, was 12 min 20 s late and is now on time; it counts.",
        "`lab1-2` 3f2c1a9, received Tue 1 Dec 23:59:00, is now late by 12 min 20 s.",
    ]
    many = replace(NOTHING, flips=tuple(flip(number) for number in range(8)))
    assert previews.judged(many, ZONE).splitlines()[-1] == "3 more commits were judged otherwise."
    assert previews.judged(NOTHING, ZONE) == ""
