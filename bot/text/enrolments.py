"""What is said where repositories come into a project or leave it."""

from collections.abc import Collection, Sequence
from datetime import datetime

from bot.model import Enrolment, Project
from bot.rules import deadlines
from bot.text.markdown import code, folded, plain
from bot.text.projects import left_out, locks, repositories, some


def enrolled(project: Project, rows: Sequence[Enrolment], missed: Sequence[tuple[str, str]], now: datetime) -> str:
    """Repositories take part from now on; `missed` are those that matched and do not, with the reasons."""
    one = len(rows) == 1
    lines = [f"{repositories(len(rows))} {'takes' if one else 'take'} part in **{plain(project.slug)}** now."]
    if closing := [row.name for row in rows if project.state != "draft" and deadlines.has_come(row.effective_at, now)]:
        if locks(project):
            lines.append(f"The deadline has passed: {some(closing)} closes now, and what was received in time counts.")
        else:
            lines.append(f"The deadline of {some(closing)} has passed: what was received in time counts.")
    return "\n".join([*lines, *left_out(missed), _names([row.name for row in rows])])


def withdrawn(project: Project, rows: Sequence[Enrolment], opening: Collection[int]) -> str:
    """Repositories take no part any more; `opening` are those that nothing else keeps closed."""
    verb = "takes" if len(rows) == 1 else "take"
    lines = [
        f"{repositories(len(rows))} {verb} no part in **{plain(project.slug)}** any more; `/enrol` is the way back."
    ]
    if lifted := [row.name for row in rows if row.repository_id in opening]:
        lines.append(f"The lock is being lifted: {some(lifted)}.")
    if kept := [row.name for row in rows if row.locked_at and row.repository_id not in opening]:
        lines.append(f"Something else keeps closed: {some(kept)}.")
    if asked := [row.name for row in rows if row.review in {"accepted", "not confirmed"}]:
        lines.append(f"A review that was asked for goes on: {some(asked)}.")
    return "\n".join([*lines, _names([row.name for row in rows])])


def members_as_before(names: Sequence[str]) -> str:
    """A change of who takes part was taken back."""
    return f"Who takes part is as before. {_names(names)}"


def _names(names: Sequence[str]) -> str:
    return folded("the repositories", ", ".join(code(name) for name in names))
