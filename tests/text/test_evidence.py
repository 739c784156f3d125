"""What `/evidence` says: every time, the one that decides, and why; and nothing that people wrote gets out of hand."""

import re
from datetime import timedelta
from typing import Any

import pytest
from markdown_it import MarkdownIt

from bot.rules.pushes import PartFacts, PushFacts
from bot.text.evidence import BUDGET, HANDFUL, Reader, Record, evidence
from bot.text.markdown import BODY_LIMIT
from tests.rules.pushed import DAY, DEADLINE, MINUTE, SHA, part, push, replaced

from .voice import HOSTILE, check_voice

NOW = DEADLINE + DAY
STAFF, STUDENT = Reader(NOW, staff=True), Reader(NOW, staff=False)
SECOND = timedelta(seconds=1)
FENCE = re.compile(r"```mermaid\n.*?\n```\n?", re.DOTALL)


def said(*pushes: PushFacts, reader: Reader = STAFF, mine: PartFacts | None = None, **more: Any) -> str:
    """What is said of Amy's pushes."""
    return evidence([Record(mine or part(), pushes, more.get("replaced", []))], reader)


def rows(text: str) -> list[list[str]]:
    """The cells of the first table in an answer, without its head, as a Markdown parser reads them."""
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    inside = tokens[[token.type for token in tokens].index("tbody_open") :]
    cells = [
        token.content for token in inside[: [token.type for token in inside].index("tbody_close")] if token.content
    ]
    return [cells[start : start + 5] for start in range(0, len(cells), 5)]


def test_a_late_webhook_shows_both_times_and_which_decides() -> None:
    pushed = DEADLINE - 10 * SECOND
    late = push(pushed, arrived_at=DEADLINE + 2 * MINUTE, claimed_at=pushed, pushed_at=pushed, evidence="pushed_at")

    ((number, commit, times, by, verdict),) = rows(said(late))

    assert (number, commit, by) == ("1", "`3f2c1a9`<br>`main`", "`amy` (student)")
    assert times.split("<br>") == [
        "arrived here Wed 2 Dec 2026, 00:01:00 (Tue 1 Dec 2026, 23:01:00 UTC)",
        "**GitHub's `pushed_at` Tue 1 Dec 2026, 23:58:50 (22:58:50 UTC), decides**",
    ]
    assert verdict == "on time, 10 s before the deadline"


def test_a_claim_that_is_not_believed_is_shown_as_one() -> None:
    doubted = push(DEADLINE + MINUTE, claimed_at=DEADLINE - DAY)

    times = rows(said(doubted))[0][2].split("<br>")

    assert times == [
        "**arrived here Wed 2 Dec 2026, 00:00:00 (Tue 1 Dec 2026, 23:00:00 UTC), decides**",
        "GitHub's `pushed_at` Mon 30 Nov 2026, 23:59:00 (22:59:00 UTC), claimed and not believed",
    ]


@pytest.mark.parametrize(
    ("one", "words"),
    [
        (push(DEADLINE), "on time, at the deadline itself"),
        (push(DEADLINE + MINUTE), "late by 1 min: does not count"),
        (
            push(DEADLINE + MINUTE, settled=False),
            "not settled: late by 1 min as far as is known, and GitHub is still",
        ),
        (push(pusher="staff"), "does not count: pushed by staff"),
        (push(pusher="app"), "does not count: pushed by this service"),
        (push(pusher="actions"), "does not count: pushed by GitHub Actions"),
        (push(pusher="unknown"), "not judged yet: whose push it was is still being read"),
        (push(tracked=False), "does not count: this branch does not count for the project"),
        (push(None), "late, since nothing dates it: does not count"),
        (push(None, settled=False), "not settled: nothing dates it yet, and GitHub is still asked"),
    ],
)
def test_each_verdict_has_its_reason(one: PushFacts, words: str) -> None:
    text = said(one)

    assert rows(text)[0][4].startswith(words)
    check_voice(FENCE.sub("", text))


def test_a_head_that_nothing_dates_is_said_to_have_no_receipt() -> None:
    assert rows(said(push(None)))[0][2:4] == ["no receipt: no push of it was heard of", "not known"]


def test_a_head_that_was_forced_and_came_back_says_so_and_when_it_was_first_received() -> None:
    back = push(DEADLINE + MINUTE, forced=True, returned=True, first_at=DEADLINE - MINUTE)

    (row,) = rows(said(back))

    assert row[1] == "`3f2c1a9`<br>`main`<br>forced<br>came back"
    assert row[4] == "on time: its commit was first received Tue 1 Dec 2026, 23:58:00 (22:58:00 UTC)"


@pytest.mark.parametrize(("frozen_at", "words"), [(None, "**would count now**: "), (NOW, "**submission**: ")])
def test_what_counts_is_marked_and_named_at_the_top(frozen_at: Any, words: str) -> None:
    text = said(push(), mine=part(frozen_at=frozen_at, counts_sha=SHA, counts_at=DEADLINE))

    assert rows(text)[0][4] == f"{words}on time, at the deadline itself"
    named = "the submission is `3f2c1a9`, received" if frozen_at else "`3f2c1a9`, received"
    assert named in text.split("```mermaid")[0]


def test_it_says_once_what_a_receipt_is_and_that_dates_inside_commits_play_no_role() -> None:
    text = evidence([Record(part(), [push()], [])] * 3, STAFF)

    assert text.count("A receipt is") == text.count("dates inside commits play no role") == 1


def test_deadline_grace_and_freeze_are_drawn() -> None:
    text = said(push(), mine=part(frozen_at=DEADLINE + 31 * MINUTE))

    assert "Tue 1 Dec 23.59.00 : the deadline" in text
    assert "Wed 2 Dec 00.29.00 : the grace ends" in text
    assert "Wed 2 Dec 00.30.00 : settled" in text


@pytest.mark.parametrize("name", ["`x`|y", "@org/team", "a'b\"c", "emoji😀", "<!--x-->", HOSTILE, "b;c#d"])
def test_no_name_of_people_breaks_the_table_or_pings_or_forges(name: str) -> None:
    one = push(ref=f"refs/heads/{name}", login=name)
    mine = part(repository=name, slug=name)
    text = said(one, mine=mine, replaced=[replaced(reason=f"/extend {name}", replaced_by_login=name)])

    check_voice(FENCE.sub("", text))
    assert "<!--" not in text
    (row,) = rows(text)
    assert row[0] == "1"
    assert row[4] == "on time, at the deadline itself"


def test_more_than_a_handful_is_folded_and_a_handful_is_not() -> None:
    pushes = [push(DEADLINE - place * MINUTE) for place in range(HANDFUL + 1)]

    assert "<details>" not in said(*pushes[1:])
    assert f"<details><summary>The pushes of lab1-amy: {HANDFUL + 1}</summary>" in said(*pushes)


def test_of_very_many_the_newest_and_those_around_the_deadline_are_kept_and_the_rest_is_counted() -> None:
    pushes = [push(DEADLINE + (place - 800) * MINUTE, sha=f"{place:040}") for place in range(1000)]

    text = said(*pushes)
    shown = [int(row[0]) for row in rows(text)]

    assert len(text) <= BUDGET
    assert shown == sorted(shown)
    assert {1, 400}.isdisjoint(shown)
    assert {799, 801, 1000} <= set(shown)
    assert f"{1000 - len(shown)} of 1000 pushes are left out here" in text
    check_voice(FENCE.sub("", text))


def test_many_repositories_with_long_names_share_the_room() -> None:
    pushes = [push(ref=f"refs/heads/{'|' * 200}", login="|" * 39, sha=f"{place:040}") for place in range(300)]
    verdicts = [replaced(reason="`" * 199)] * 100

    text = evidence([Record(part(), pushes, verdicts)] * 10, STAFF)

    assert len(text) < BODY_LIMIT
    assert text.count("pushes are left out here") == 10
    assert text.count("older ones are left out here") == 10
    assert text.count("<details>") == text.count("</details>") == 10


def test_a_verdict_that_was_replaced_is_told_with_its_reason() -> None:
    text = said(
        push(),
        replaced=[
            replaced(),
            replaced(late=False, submission=True, replaced_by_login=None, reason="evidence: activity"),
        ],
    )

    assert (
        "* `3f2c1a9` was late by 1 min by the deadline Tue 1 Dec 2026, 23:59:00 (22:59:00 UTC), until Wed 2 "
        "Dec 2026, 23:59:00 (22:59:00 UTC): `/extend @amy @bo +1d --reason ill` by `tim`."
    ) in text
    assert "was on time and the submission by" in text
    assert text.rstrip().endswith("(22:59:00 UTC): evidence: activity.")


def test_students_do_not_read_what_was_typed_which_may_name_others() -> None:
    text = said(push(), reader=STUDENT, replaced=[replaced()])

    assert "changed by your teachers" in text
    assert not re.search(r"@bo|ill\b|tim", text.split("Verdicts that were replaced")[1])


def test_where_there_is_nothing_it_says_so() -> None:
    assert evidence([], STUDENT).startswith("This repository takes part in no assignment")
    assert "No push of it was heard of." in said()
