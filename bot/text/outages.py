"""What the staff is told of our own outages: when, whom it affected, what was found, and how to give the time back."""

from datetime import datetime
from typing import Any

from bot.rules import durations, zones
from bot.rules.durations import Duration
from bot.text import when
from bot.text.markdown import code, plain

_PARTS = {
    "intake": "The part of this service that hears of pushes was down",
    "work": "The part of this service that works on GitHub was down",
}


def sentence(detail: dict[str, Any], slug: str, zone: str) -> str:
    """An outage that touched deadlines of a project, by the detail of its task (the SQL function `outage_detail`)."""
    first = f"{_subject(detail['part'])} {_span(_time(detail['since']), _time(detail['until']), zone)}; "
    return " ".join([first + _affected(detail, plain(slug)), _found(detail), _offer(detail, zone)])


def latest(part: str, began_at: datetime, ended_at: datetime, *, recovered: bool, zone: str) -> str:
    """The latest outage, in a line of `/course status`."""
    so_far = "what was missed has been fetched" if recovered else "what was missed is being fetched"
    return f"{_subject(part)} {_span(began_at, ended_at, zone)}; {so_far} from GitHub's records."


def _subject(part: str) -> str:
    return _PARTS.get(part, "This service was down")


def _span(began_at: datetime, ended_at: datetime, zone: str) -> str:
    return f"from {when.at(began_at, zone)} to {when.at(ended_at, zone)}"


def _affected(detail: dict[str, Any], slug: str) -> str:
    count = detail["repositories"]
    who = f"{count} {'repository' if count == 1 else 'repositories'} of {slug} had"
    if detail["inside"]:
        return f"{who} {_their(count)} deadline in that time."
    return f"{who} {_their(count)} deadline or grace in that time, or within the hour after it."


def _found(detail: dict[str, Any]) -> str:
    if detail["part"] == "work":
        return "Pushes were heard of all the while; locks, checks and reviews came late."
    if not detail["recovered"]:
        return "What was pushed meanwhile is being fetched from GitHub's records, and nothing is settled before."
    found = detail["found"]
    if not found:
        return "GitHub's records show no push of that time that was missed."
    pushes = "1 push was" if found == 1 else f"{found} pushes were"
    each = "" if found == 1 else " each"
    return (
        f"{pushes} found afterwards in GitHub's records,{each} with GitHub's own time, {detail['in_time']} of "
        f"{'it' if found == 1 else 'them'} in time."
    )


def _offer(detail: dict[str, Any], zone: str) -> str:
    """The command that gives the time back, to be typed or left: never more than an offer."""
    if not detail["waiting"]:
        return "Nobody has the deadline of then any more."
    line = code(f"/extend {' '.join(detail['to'])} {_until(detail, zone)}")
    more = detail["waiting"] - len(detail["to"]) if detail["to"] != ["all"] else 0
    rest = f" (and {more} more, which stand here once these are done)" if more else ""
    over = " That much time from the deadline is over too, so this is a later one:" if detail["at"] else ""
    return f"If you want to give the time back:{over} {line}{rest}"


def _until(detail: dict[str, Any], zone: str) -> str:
    if not detail["at"]:
        return f"+{durations.text(Duration(0, detail['seconds']))}"
    at = _time(detail["at"])
    local = zones.wall(at, zone)
    first, second = zones.readings(local, zone)
    # A wall time that comes twice would be asked about.
    return f"{local:%Y-%m-%d %H:%M:%S}" if first == second else f"{zones.wall(at, 'UTC'):%Y-%m-%dT%H:%M:%SZ}"


def _their(count: int) -> str:
    return "its" if count == 1 else "their"


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text)
