"""One push in words: its commit, every time that is held of it, who pushed, and what becomes of it."""

from collections.abc import Iterator
from datetime import datetime

from bot.model import Pusher
from bot.rules.pushes import Kind, PushFacts, Verdict
from bot.text import when
from bot.text.markdown import code

_WHO = {
    Pusher.STUDENT: "student",
    Pusher.STAFF: "staff",
    Pusher.PERSON: "another person",
    Pusher.APP: "this service",
    Pusher.ACTIONS: "GitHub Actions",
    Pusher.BOT: "a bot",
    Pusher.UNKNOWN: "not known yet",
}
_BRANCH = "refs/heads/"


def branch(push: PushFacts) -> str:
    """The branch as people name it."""
    return push.ref.removeprefix(_BRANCH)


def cells(push: PushFacts, verdict: Verdict, zone: str, *, frozen: bool) -> list[str]:
    """Commit, times, pusher and verdict as Markdown; `frozen`: what counts is settled."""
    marks = [word for word, holds in (("forced", push.forced), ("came back", push.returned)) if holds]
    return [
        "<br>".join([f"`{push.sha[:7]}`", code(branch(push)), *marks]),
        "<br>".join(_times(push, zone)) or "no receipt: no push of it was heard of",
        _pusher(push),
        verdict_words(push, verdict, zone, frozen=frozen),
    ]


def verdict_words(push: PushFacts, verdict: Verdict, zone: str, *, frozen: bool) -> str:
    """Whether it is on time, late or does not count, and why."""
    words = _why(push, verdict, zone)
    if verdict.counts:
        return f"**{'submission' if frozen else 'would count now'}**: {words}"
    return f"{words}: does not count" if verdict.kind == Kind.LATE else words


def briefly(verdict: Verdict) -> str:
    """The verdict in a word or two."""
    if verdict.kind == Kind.LATE and verdict.by is not None:
        return f"late by {when.lasting(verdict.by.total_seconds())}"
    return {
        Kind.ON_TIME: "on time",
        Kind.LATE: "late",
        Kind.UNSETTLED: "not settled",
        Kind.UNREAD: "not judged yet",
        Kind.NO_STUDENT: "does not count",
        Kind.UNTRACKED: "does not count",
    }[verdict.kind]


def _why(push: PushFacts, verdict: Verdict, zone: str) -> str:
    by = None if verdict.by is None else when.lasting(verdict.by.total_seconds())
    match verdict.kind:
        case Kind.ON_TIME:
            return _on_time(push, by, zone)
        case Kind.LATE:
            return f"late by {by}" if by else "late, since nothing dates it"
        case Kind.UNSETTLED:
            known = f"late by {by} as far as is known" if by else "nothing dates it yet"
            return f"not settled: {known}, and GitHub is still asked when it was pushed"
        case Kind.UNREAD:
            return "not judged yet: whose push it was is still being read"
        case Kind.NO_STUDENT:
            return f"does not count: pushed by {_WHO[Pusher(push.pusher)]}"
    return "does not count: this branch does not count for the project"


def _on_time(push: PushFacts, by: str | None, zone: str) -> str:
    if by is None or push.first_at is None:
        return "on time, since the deadline lies ahead"
    if push.first_at != push.received_at:
        return f"on time: its commit was first received {when.paired(push.first_at, zone)}"
    return "on time, at the deadline itself" if by == "0 s" else f"on time, {by} before the deadline"


def _times(push: PushFacts, zone: str) -> Iterator[str]:
    """Each time that is held, on its own line; the one that decides is bold."""
    arrival = "arrived here" if push.told else "heard of by asking"
    times: list[tuple[str, str, datetime | None]] = [
        ("arrival", arrival, push.arrived_at),
        ("pushed_at", "GitHub's `pushed_at`", push.pushed_at),
        ("delivery log", "GitHub's delivery log", push.logged_at),
        ("activity", "GitHub's activity", push.activity_at),
    ]
    for name, label, instant in times:
        if instant is not None:
            shown = f"{label} {when.paired(instant, zone)}"
            yield f"**{shown}, decides**" if name == push.evidence else shown
    if push.claimed_at is not None and push.claimed_at != push.pushed_at:
        yield f"GitHub's `pushed_at` {when.paired(push.claimed_at, zone)}, claimed and not believed"


def _pusher(push: PushFacts) -> str:
    if push.received_at is None:
        return "not known"
    kind = _WHO[Pusher(push.pusher)]
    return f"{code(push.login)} ({kind})" if push.login else kind
