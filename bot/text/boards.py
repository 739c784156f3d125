"""What stands in a control issue: only what stays true until something changes, so no `in two hours`."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.model import Enrolment, Project, State
from bot.rules import deadlines
from bot.rules.tasks import Task
from bot.text import deadline_commits, standings, tasks, when
from bot.text.markdown import fit, folded, plain

BAR = 20


@dataclass(frozen=True, slots=True)
class Board:
    """A project at one moment; `received` repositories have a commit that counts or would count."""

    project: Project
    zone: str
    mode: str
    enrolments: Sequence[Enrolment]
    received: int
    tasks: Sequence[Task]


def words(board: Board, limit: int) -> str:
    """The bot's part of the issue, without its markers, in `limit` characters at most."""
    here = [row for row in board.enrolments if not row.gone_at]
    parts = [
        f"### {plain(board.project.slug)}: {board.project.state}",
        *_mode(board),
        _dates(board),
        _progress(board, here),
        *deadline_commits.standing(here),
        *_waiting(board),
        "Kept by the bot, up to 30 s behind; `/status` is exact, `/help` lists the commands. What is written outside "
        "of this part stays.",
    ]
    if board.enrolments:
        parts.append(folded("The repositories", standings.status_of(board.enrolments, board.zone)))
    return fit("\n\n".join(parts), limit)


def _mode(board: Board) -> list[str]:
    if board.mode != "shadow":
        return []
    return ["**Shadow mode**: everything is recorded and computed, nothing is written outside this repository."]


def _dates(board: Board) -> str:
    project = board.project
    lines = [f"* Deadline: {when.at(project.deadline_at, board.zone)}"]
    if project.grace_seconds:
        end = deadlines.settles_at(project.deadline_at, project.grace_seconds)
        lines.append(f"* Settled after a grace of {when.lasting(project.grace_seconds)}: {when.at(end, board.zone)}")
    if project.state == State.DRAFT:
        opening = f"by itself {when.at(project.opens_at, board.zone)}" if project.opens_at else "by `/publish`"
        opening += "" if board.enrolments else ", once a repository is enrolled"
        lines.append(f"* It opens {opening}; until then students see nothing of it")
    lines += [f"* {line}" for line in deadline_commits.strategy(project)]
    return "\n".join(lines)


def _progress(board: Board, here: Sequence[Enrolment]) -> str:
    counts = {
        "received in time": board.received,
        "own deadline": sum(row.deadline_at is not None for row in here),
        "deadline applied": sum(row.deadline_applied_at is not None for row in here),
        "locked": sum(row.locked_at is not None for row in here),
        "with a deadline commit": sum(row.deadline_committed_at is not None for row in here),
        "frozen": sum(row.frozen_at is not None for row in here),
        "review asked": sum(row.review == "accepted" for row in here),
        "review skipped": sum(row.review == "skipped" for row in here),
        "review not confirmed": sum(row.review == "not confirmed" for row in here),
        "cannot be reached": len(board.enrolments) - len(here),
    }
    shown = [f"{name}: {count}" for name, count in counts.items() if count]
    return f"{_bar(board, here)}\n" + " · ".join([f"enrolled: {len(here)}", *shown])


def _bar(board: Board, here: Sequence[Enrolment]) -> str:
    """Before the deadline, who has handed something in; from then on, what is settled."""
    closing = board.project.state not in {State.DRAFT, State.OPEN}
    done = sum(row.frozen_at is not None for row in here) if closing else board.received
    what = "settled" if closing else "with a commit received in time"
    filled = round(BAR * done / len(here)) if here else 0
    return f"`{'█' * filled}{'░' * (BAR - filled)}` {done} of {len(here)} repositories {what}"


def _waiting(board: Board) -> list[str]:
    if not board.tasks:
        return []
    return [f"**Waiting for a person**\n\n{tasks.bullets(board.tasks, board.zone)}"]
