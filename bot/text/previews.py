"""What is said before a wide command, after one that judged again, and when something is taken back."""

from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from bot.errors import Told
from bot.model import Command
from bot.rules import deadlines
from bot.rules.effects import Effects, Flip, Move, Recount
from bot.text import when
from bot.text.markdown import code, plain

NAMED_AT_MOST = 5
UNDO = "`/undo` takes this back."
_SHOWS = "`/status` shows what holds now."
_STATES = {"open": "open", "draft": "a draft that nobody sees", "closed": "closed"}


def would(slug: str, effects: Effects, zone: str, now: datetime) -> str:
    """What a command would change; nothing where students and repositories would not notice."""
    lines = [
        _project(slug, effects.project, zone, now) if effects.project else _repositories(effects.moved, zone, now),
        f"This would make **{plain(slug)}** {_STATES[effects.states[1]]}." if effects.states else "",
        f"{_named(effects.closing)} would close now." if effects.closing else "",
        f"{_named(effects.kept)} would stay open by hand." if effects.kept else "",
        f"{_named(effects.opening)} would open again." if effects.opening else "",
        f"The deadline of {_named(effects.passing)} would have come." if effects.passing else "",
        f"The deadline of {_named(effects.ahead)} would lie ahead again." if effects.ahead else "",
        _flipped([flip for flip in effects.flips if flip.late], "would become late", "by"),
        _flipped([flip for flip in effects.flips if not flip.late], "would be on time", "was late by"),
        _recounted(effects.recounts),
        _reviewed(effects.reviewed, "would count"),
    ]
    return "\n".join(filter(None, lines))


def would_answer(said: str) -> str:
    """What a command would answer, where nothing else is to be told of it."""
    return "Done now, it would answer:\n\n" + "\n".join(f"> {line}" for line in said.splitlines()) + "\n"


def heard_late(command: Command, zone: str) -> str:
    """Why even a small command is asked first."""
    late = when.lasting((command.heard_at - command.commented_at).total_seconds())
    return (
        f"This was written on {when.at(command.commented_at, zone)} and reached this service {late} later, so it is "
        "not done by itself."
    )


def changed_since() -> str:
    """A confirmation came when the preview no longer held."""
    return "Not done: since the preview something has changed. This is what it would do now."


def confirm_with(code: str) -> str:
    """How to have it done."""
    return f"Nothing has changed. `/confirm {code}` within ten minutes does it."


def judged(effects: Effects, zone: str) -> str:
    """The commits that a change made late or on time."""
    lines = [_judged(flip, zone) for flip in effects.flips[:NAMED_AT_MOST]]
    if more := len(effects.flips) - NAMED_AT_MOST:
        lines += [f"{more} more commits were judged otherwise."] if more > 0 else []
    return "\n".join([*lines, *filter(None, [_reviewed(effects.reviewed, "counts")])])


def _project(slug: str, move: Move, zone: str, now: datetime) -> str:
    return (
        f"This would move the deadline of **{plain(slug)}** from {when.short(move.before, zone)} to "
        f"{when.at(move.after, zone)}{_passed(move, now)}."
    )


def _repositories(moved: Sequence[Move], zone: str, now: datetime) -> str:
    lines = [
        f"This would move the deadline of {code(move.name)} from {when.short(move.before, zone)} to "
        f"{when.at(move.after, zone)}{_passed(move, now)}."
        for move in moved[:NAMED_AT_MOST]
    ]
    if len(moved) > NAMED_AT_MOST:
        lines.append(f"It would move those of {len(moved) - NAMED_AT_MOST} more repositories in the same way.")
    return "\n".join(lines)


def _passed(move: Move, now: datetime) -> str:
    return ", which has passed" if deadlines.has_come(move.after, now) else ""


def _flipped(flips: Sequence[Flip], becomes: str, by: str) -> str:
    if not flips:
        return ""
    counted = "1 commit" if len(flips) == 1 else f"{len(flips)} commits"
    named = [
        f"{code(flip.name)} {flip.sha[:7]} ({by} {when.lasting(flip.by.total_seconds())})"
        for flip in flips[:NAMED_AT_MOST]
    ]
    return f"{counted} {becomes}: {_listed(named, len(flips))}."


def _recounted(recounts: Sequence[Recount]) -> str:
    if not recounts:
        return ""
    named = [f"{code(it.name)} {_commit(it.after)} instead of {_commit(it.before)}" for it in recounts[:NAMED_AT_MOST]]
    return f"Another commit would count: {_listed(named, len(recounts))}."


def _reviewed(names: Sequence[str], counts: str) -> str:
    """A review is not asked for twice in one round (docs/design.md section 7)."""
    if not names:
        return ""
    named = _listed([code(name) for name in names[:NAMED_AT_MOST]], len(names))
    return f"The review of {named} was asked for another commit than the one that {counts}, and is not asked for again."


def _judged(flip: Flip, zone: str) -> str:
    commit = f"{code(flip.name)} {flip.sha[:7]}, received {when.short(flip.received_at, zone)},"
    late = when.lasting(flip.by.total_seconds())
    counts = "; it counts" if flip.counts else ""
    verdict = f"is now late by {late}" if flip.late else f"was {late} late and is now on time"
    return f"{commit} {verdict}{counts}."


def _commit(sha: str | None) -> str:
    return sha[:7] if sha else "nothing"


def _named(names: Sequence[str]) -> str:
    """`12 repositories`, by name where they are few."""
    if len(names) > NAMED_AT_MOST:
        return f"{len(names)} repositories"
    repositories = "repository" if len(names) == 1 else "repositories"
    return f"{len(names)} {repositories} ({', '.join(code(name) for name in names)})"


def _listed(named: Sequence[str], count: int) -> str:
    return ", ".join(named) + (f" and {count - len(named)} more" if count > len(named) else "")


def code_refused(code_given: str, fate: Literal["unknown", "used", "expired"] | int) -> Told:
    """A code that does nothing; a number is the issue that it belongs to."""
    if isinstance(fate, int):
        return Told("E-CODE-ISSUE", f"{code(code_given)} belongs to another issue.", f"Write it in #{fate}.")
    if fate == "used":
        return Told("E-CODE-USED", f"{code(code_given)} was used already.", _SHOWS)
    if fate == "expired":
        return Told("E-CODE-EXPIRED", f"{code(code_given)} was good for ten minutes.", "Write the command again.")
    return Told("E-CODE", f"No preview here has the code {code(code_given)}.", "Copy it from the answer that shows it.")


def taken_back(line: str, login: str) -> str:
    """A change was undone."""
    return f"Taken back: {code(line)} of {code(login)}."


def opens(opens_at: datetime | None, zone: str) -> str:
    """A draft opens at another time, or no longer by itself."""
    if opens_at is None:
        return "The draft no longer opens by itself."
    return f"The draft opens {when.at(opens_at, zone)} by itself."


def hands_as_before(names: Sequence[str]) -> str:
    """Locks or unlocks by hand were taken back."""
    return f"By hand it is as it was before on {_named(names)}."


def draft_again(slug: str) -> str:
    """A publication was taken back."""
    return f"**{plain(slug)}** is a draft again; nobody had seen it."


def no_undo_of_the_course() -> Told:
    """Outside a control issue, where the course is as it was registered."""
    return Told(
        "E-UNDO-NONE",
        "The course was not changed since `/course init`, which has no undo: students' work may rest on it.",
        "In a project's issue `/undo` takes the last change of that project back.",
    )


def nothing_to_undo() -> Told:
    """The project is as it was created."""
    return Told(
        "E-UNDO-NONE",
        "Nothing was changed here since `/project create`, which has no undo.",
        "A draft closes nothing and nobody sees it: leave it, or move its deadline with `/deadline`.",
    )


def no_inverse(line: str) -> Told:
    """The last change has no inverse."""
    return Told("E-UNDO-NONE", f"The last command here was {code(line)}, which has no undo.", "Write its opposite.")


def changed_nothing(line: str) -> Told:
    """The last command found everything as it wanted it."""
    return Told("E-UNDO-NONE", f"{code(line)} changed nothing, so there is nothing to take back.", _SHOWS)


def changed_by_now() -> Told:
    """What the change left behind is no longer there."""
    return Told("E-UNDO-CHANGED", "What that command set has changed again since.", _SHOWS)


def opening_has_passed() -> Told:
    """The opening time from before lies in the past by now."""
    return Told("E-UNDO-CHANGED", "The opening time from before has passed by now.", "`/publish` opens it now.")


def published_for_good(pushes: int, applied: int, shown: int) -> Told:
    """A publication that something rests on."""
    facts = {"pushes received": pushes, "repositories past their deadline": applied, "commits with a check": shown}
    said = ", ".join(f"{what}: {count}" for what, count in facts.items() if count)
    return Told(
        "E-UNDO-HAPPENED",
        f"Students have met the project since it was published ({said}).",
        "`/deadline WHEN` gives them more time.",
    )
