"""What is said where repositories come into a project or leave it."""

from collections.abc import Sequence
from datetime import datetime

from bot.model import Enrolment, Project
from bot.text.markdown import code, folded, plain
from bot.text.projects import Matched, left_out, repositories


def enrolled(project: Project, matched: Matched, now: datetime) -> str:
    """Repositories take part from now on."""
    count = len(matched.enrolled)
    lines = [f"{repositories(count)} {'takes' if count == 1 else 'take'} part in **{plain(project.slug)}** now."]
    if project.state != "draft" and project.deadline_at <= now:
        lines.append("Its deadline has passed: they close now, and what was received in time counts.")
    lines += left_out(matched)
    return "\n".join([*lines, _names([fact.name for fact in matched.enrolled])])


def withdrawn(project: Project, rows: Sequence[Enrolment]) -> str:
    """Repositories take no part any more."""
    count = len(rows)
    verb, their = ("takes", "Its lock") if count == 1 else ("take", "Their locks")
    lines = [f"{repositories(count)} {verb} no part in **{plain(project.slug)}** any more; `/enrol` is the way back."]
    if any(row.locked_at for row in rows):
        lines.append(f"{their} because of it {'is' if count == 1 else 'are'} being lifted.")
    if asked := [row.name for row in rows if row.review in {"accepted", "not confirmed"}]:
        lines.append(f"A review that was asked for goes on: {', '.join(code(name) for name in asked)}.")
    return "\n".join([*lines, _names([row.name for row in rows])])


def members_as_before(names: Sequence[str]) -> str:
    """A change of who takes part was taken back."""
    return f"Who takes part is as before. {_names(names)}"


def _names(names: Sequence[str]) -> str:
    return folded("the repositories", ", ".join(code(name) for name in names))
