"""The rules that are written twice, for one row in bot/rules and for many in SQL, never disagree.

Hypothesis draws a course; it is written as rows, and each statement that decides is run on them. The pure rules decide
the same beside it. Each example is rolled back.
"""

import asyncio
from contextlib import AsyncExitStack
from datetime import datetime
from typing import Any

from hypothesis import HealthCheck, given, settings

from bot.rules import deadlines, parts, submissions
from bot.rules.deadlines import Consequence
from bot.rules.inverses import OwnDeadline
from bot.rules.parts import Part, StaffHand
from bot.rules.submissions import Attempt, Terms
from bot.rules.when import When
from bot.store import enrolments, hands, projects
from bot.store.pool import open_connection
from bot.store.records import Conn

from .rows import ACCOUNT, WORKFLOW
from .worlds import DrawnPart, Move, World, worlds, write

SETTINGS = settings(
    max_examples=40, derandomize=True, database=None, deadline=None, suppress_health_check=list(HealthCheck)
)


def test_the_rules_and_their_twins_in_sql_decide_the_same(dsn: str) -> None:
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        conn = runner.run(stack.enter_async_context(open_connection(dsn)))

        @SETTINGS
        @given(worlds())
        def agree(world: World) -> None:
            runner.run(_hold_against(conn, world))

        try:
            agree()
        finally:
            runner.run(stack.aclose())


async def _hold_against(conn: Conn, world: World) -> None:
    transaction = conn.transaction()
    await transaction.start()
    try:
        await write(conn, world)
        rules = Rules(world)
        await _agree(conn, rules, "as it is written")
        await enrolments.reselect(conn, ACCOUNT, world.ids, world.earlier)
        rules.reselect(world.ids, world.earlier)
        await _agree(conn, rules, "a score is chosen")
        await _time_comes(conn, rules, world.now)
        chosen = world.ids[::2]
        await hands.set_hand(conn, ACCOUNT, chosen, world.lock, None, world.hand_at)
        rules.lay_hand(chosen, world.lock, world.hand_at)
        await _agree(conn, rules, "the staff's hand is laid")
        await _move(conn, rules, world)
        await _time_comes(conn, rules, world.later)
    finally:
        await transaction.rollback()


async def _time_comes(conn: Conn, rules: "Rules", now: datetime) -> None:
    await enrolments.apply_due(conn, now)
    rules.apply(now)
    await _agree(conn, rules, f"applied at {now}")
    await enrolments.freeze_due(conn, now)
    rules.freeze(now)
    await _agree(conn, rules, f"frozen at {now}")


async def _move(conn: Conn, rules: "Rules", world: World) -> None:
    """As bot/slash/moving.py does it, less the project's own state, the audit and the checks."""
    move, now = world.move, world.now
    project = await projects.hold(conn, ACCOUNT, move.project.id)
    rows = await enrolments.of_project(conn, ACCOUNT, project.id)
    when = When(move.to, "2026-12-01 23:59:00", "Europe/Zurich") if move.to else None
    concerned = [row for row in rows if move.own or row.deadline_at is None]
    ids = [row.repository_id for row in concerned]
    if move.own:
        await enrolments.set_own_deadline(conn, project, ids, OwnDeadline(when))
    else:
        assert when is not None
        await projects.set_deadline(conn, project, when)
    project = await projects.hold(conn, ACCOUNT, project.id)
    reopened = await enrolments.reopen(conn, project, now)
    stood = {row.repository_id: row.effective_at for row in concerned}
    present = await enrolments.of_project(conn, ACCOUNT, project.id)
    moved = {row.repository_id for row in present if stood.get(row.repository_id, row.effective_at) != row.effective_at}
    await hands.drop(conn, project, [*{*moved, *reopened}], reopened)
    anew = await enrolments.settle_anew(conn, project, concerned, now)
    consequences = rules.move(move, now)
    assert set(reopened) == {key for key, it in consequences.items() if it is Consequence.REOPENED}
    assert set(anew) == {key for key, it in consequences.items() if it is Consequence.JUDGED_AGAIN}
    await _agree(conn, rules, "a deadline has moved")
    await enrolments.reselect(conn, ACCOUNT, ids, now)
    rules.reselect(ids, now)
    await _agree(conn, rules, "and the scores were chosen anew")


async def _agree(conn: Conn, rules: "Rules", after: str) -> None:
    found = await conn.fetch(
        "SELECT project_id, repository_id, effective_at, deadline_applied_at IS NOT NULL, frozen_at IS NOT NULL,"
        " current_run, frozen_run, submission_sha, submission_at, round FROM enrolments"
    )
    assert {tuple(row)[:2]: tuple(row)[2:] for row in found} == rules.rows(), after
    locks = await conn.fetch("SELECT id, wanted_lock, staff_lock, exempt_from FROM repositories")
    held = {
        row["id"]: (row["wanted_lock"], StaffHand(row["staff_lock"], frozenset(row["exempt_from"]))) for row in locks
    }
    assert held == rules.locks(), after


class Rules:
    """The same course as the pure rules decide it."""

    def __init__(self, world: World) -> None:
        self.parts = world.parts
        self.deadlines = world.deadlines
        self.hands = {it.id: it.hand for it in world.repositories}
        self._beside({row.repository.id for row in self.parts})

    def _beside(self, ids: set[int]) -> None:
        """Something changed of which their lock follows."""
        for key in ids:
            self.hands[key] = parts.hand_beside(self._of(key), self.hands[key])

    def reselect(self, ids: list[int], now: datetime) -> None:
        for row in self.parts:
            if row.repository.id in ids and not row.withdrawn:
                row.current = self._chosen(row, now)
                if row.applied and not row.frozen:
                    row.slot = row.current

    def apply(self, now: datetime) -> None:
        due = [row for row in self.parts if self._part(row).is_applied_by(self._effective(row), now)]
        for row in due:
            row.applied = True
            row.current = row.slot = self._chosen(row, now)
        self._beside({row.repository.id for row in due})

    def _chosen(self, row: DrawnPart, now: datetime) -> Attempt | None:
        here, ahead = row.repository, not row.applied and not deadlines.has_come(self._effective(row), now)
        return submissions.counting_run(here.attempts, here.receipts, self._terms(row), ahead=ahead)

    def freeze(self, now: datetime) -> None:
        for row in self.parts:
            end = deadlines.settles_at(self._effective(row), row.project.grace_seconds)
            if self._part(row).is_frozen_by(end, now):
                row.frozen = True
                row.submission = submissions.submission(row.slot, row.repository.receipts, self._terms(row))

    def lay_hand(self, ids: list[int], lock: bool, now: datetime) -> None:
        for key in ids:
            by_then = [
                self._part(row).by(now, self._effective(row), self.deadlines[row.project.id])
                for row in self.parts
                if row.repository.id == key
            ]
            self.hands[key] = parts.hand_to_keep(lock, by_then)

    def move(self, move: Move, now: datetime) -> dict[int, Consequence]:
        here = [row for row in self.parts if row.project is move.project and not row.withdrawn]
        concerned = [row for row in here if move.own or row.own is None]
        before = {row.repository.id: self._effective(row) for row in here}
        for row in concerned if move.own else []:
            row.own = move.to
        if not move.own and move.to:
            self.deadlines[move.project.id] = move.to
        found = {
            key: deadlines.of_move(row.applied, before[key], self._effective(row), now)
            for key, row in ((row.repository.id, row) for row in here)
        }
        for row in here:
            self._settle(row, found[row.repository.id])
        self._beside({key for key, it in found.items() if it is Consequence.REOPENED})
        for row in here:
            key = row.repository.id
            reopened = found[key] is Consequence.REOPENED
            moved = before[key] != self._effective(row)
            self.hands[key] = parts.hand_after_move(self.hands[key], row.project.id, moved=moved, reopened=reopened)
        return found

    def _settle(self, row: DrawnPart, consequence: Consequence) -> None:
        if consequence is Consequence.NOTHING:
            return
        row.frozen, row.submission, row.slot = False, (None, None), row.current
        if consequence is Consequence.REOPENED:
            row.applied, row.slot, row.round = False, None, row.round + 1

    def rows(self) -> dict[Any, Any]:
        """By project and repository what the enrolment should say."""
        return {(row.project.id, row.repository.id): self._row(row) for row in self.parts}

    def _row(self, row: DrawnPart) -> tuple[Any, ...]:
        runs = (row.current.id if row.current else None, row.slot.id if row.slot else None)
        return (self._effective(row), row.applied, row.frozen, *runs, *row.submission, row.round)

    def locks(self) -> dict[int, tuple[bool | None, StaffHand]]:
        """By repository the lock it should have, and the hand that is stored."""
        return {key: (parts.wanted_lock(self._of(key), hand), hand) for key, hand in self.hands.items()}

    def _effective(self, row: DrawnPart) -> datetime:
        return deadlines.effective(row.own, self.deadlines[row.project.id])

    def _terms(self, row: DrawnPart) -> Terms:
        branches = submissions.tracked(row.project.branches, row.repository.default_branch)
        return Terms(branches, WORKFLOW, self._effective(row))

    def _of(self, repository_id: int) -> list[Part]:
        return [self._part(row) for row in self.parts if row.repository.id == repository_id]

    def _part(self, row: DrawnPart) -> Part:
        return Part(
            project=row.project.id,
            withdrawn=row.withdrawn,
            gone=row.repository.gone,
            draft=row.project.state == "draft",
            archived=row.project.archived,
            locks=row.project.locks,
            shadow=row.project.course.shadow,
            lifted=row.project.course.lifted,
            holding=row.holding,
            applied=row.applied,
            frozen=row.frozen,
        )
