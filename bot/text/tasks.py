"""What is said of what waits for a person."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from bot.errors import Told
from bot.model import Project
from bot.rules import deadlines
from bot.rules.tasks import Task
from bot.text import outages, when
from bot.text.markdown import code, plain, table

LISTED_AT_MOST = 20


@dataclass(frozen=True, slots=True)
class Called:
    """Whom a comment calls, in words that GitHub notifies: `@org/team` or `@login`, never in code."""

    mentions: Sequence[str]
    zone: str
    now: datetime

    @property
    def greeting(self) -> str:
        return " ".join(self.mentions)


def sentence(task: Task, zone: str) -> str:
    """What is the matter, and what one can do."""
    repository = code(task.repository or "")
    detail = task.detail
    if "until" in detail:
        return outages.sentence(detail, task.slug, zone)
    sentences = {
        "not confirmed": (
            f"The review of {repository} ({_sha(detail)}) was asked for {_since(detail, zone)} and GitHub did not "
            "answer. It may or may not have started, so it is not asked again; look at the repository's Actions page."
        ),
        "to verify": (
            f"The run on {_sha(detail)} in {repository} has several `GRADE` notices, so it gives no score. A workflow "
            "must write exactly one; a newer run takes its place."
        ),
        "weak lock": (
            f"GitHub offers no organisation rulesets here{_why(detail)}: repositories are closed by a weaker lock, or "
            "not at all. `/status` says which lock is in force."
        ),
        "outage": (
            f"Since {_since(detail, zone)} GitHub does not take a change of locks{_why(detail)}; it is tried again by "
            f"itself. Repositories concerned: {detail.get('repositories', 0)}."
        ),
    }
    return sentences.get(task.kind, f"{plain(task.kind)} {repository}")


def bullets(tasks: Sequence[Task], zone: str) -> str:
    """One line a task, with its number."""
    lines = [f"* **{task.id}** {sentence(task, zone)}" for task in tasks[:LISTED_AT_MOST]]
    if len(tasks) > LISTED_AT_MOST:
        lines.append(f"* … and {len(tasks) - LISTED_AT_MOST} more (`/tasks`)")
    return "\n".join(lines)


def listed(tasks: Sequence[Task], zone: str) -> str:
    """The answer to `/tasks`."""
    if not tasks:
        return "Nothing waits for a person."
    heads = ["Task", "Project", "What", "For", f"Due ({zone})"]
    rows = [
        [str(task.id), f"{plain(task.slug)} (#{task.issue_number})", sentence(task, zone), _for(task), _due(task, zone)]
        for task in tasks
    ]
    return table(heads, rows) + "\n\n`/task N done` ends one, `/task N assign @login` gives it to somebody."


def reminder(mark: str, called: Called, tasks: Sequence[Task]) -> str:
    """To those who hold the tasks, once."""
    return "\n\n".join(
        [f"{mark}\n{called.greeting}: this has waited for you since {_oldest(tasks, called)}.", *_rest(tasks, called)]
    )


def escalation(mark: str, called: Called, tasks: Sequence[Task]) -> str:
    """To the owners, once."""
    first = f"{mark}\n{called.greeting}: nobody has seen to this since {_oldest(tasks, called)}, although reminded."
    return "\n\n".join([first, *_rest(tasks, called)])


def nudge(mark: str, called: Called, project: Project, reason: str = "") -> str:
    """A draft is about to be overtaken by its deadline, or was; or it did not open by itself, with the reason."""
    deadline = f"{when.at(project.deadline_at, called.zone)}, {when.until(project.deadline_at, called.now)}"
    if deadlines.has_come(project.deadline_at, called.now):
        stands = (
            f"Its deadline was {deadline}. Students saw nothing of it, and nothing was closed. `/deadline` gives it "
            "another date, then `/publish` opens it."
        )
    else:
        stands = (
            f"Its deadline is {deadline}. Students see nothing of it, and nothing will be closed. `/publish` opens it, "
            "`/deadline` gives it another date."
        )
    said = f"did not open by itself and is still a draft. {reason}" if reason else "is still a draft."
    return f"{mark}\n{called.greeting}: **{plain(project.slug)}** {said} {stands}"


def ended(task: Task, how: str) -> str:
    """A person ended it."""
    word = "refused" if how == "refused" else "done"
    return f"Task {task.id} is {word}. It comes back only if its cause goes and returns."


def assigned(task: Task, login: str, zone: str) -> str:
    """A task is one person's."""
    return f"Task {task.id} is for `@{login}` now. Due: {_due(task, zone)}."


def waits_again(task: Task, zone: str) -> str:
    """What was done with it was taken back; its dates are those it had."""
    return f"Task {task.id} is open, and for {_for(task)} again. Due: {_due(task, zone)}."


def is_over(task_id: int) -> Told:
    """What was done with a task cannot be taken back: nobody needs to do anything any more."""
    return Told("E-UNDO-CHANGED", f"What task {task_id} was about is over.", "`/tasks` lists what waits.")


def changed_since(task: Task) -> Told:
    """What was done with a task was followed by something else."""
    return Told(
        "E-UNDO-CHANGED", f"Task {task.id} was ended or given to somebody again since.", "`/tasks` lists what waits."
    )


def _rest(tasks: Sequence[Task], called: Called) -> list[str]:
    return [bullets(tasks, called.zone), "`/task N done` ends one, `/task N assign @login` gives it to somebody."]


def _oldest(tasks: Sequence[Task], called: Called) -> str:
    return when.at(min(task.created_at for task in tasks), called.zone)


def _for(task: Task) -> str:
    return f"`@{task.addressee}`" if task.addressee_kind == "user" else task.addressee


def _due(task: Task, zone: str) -> str:
    due = when.short(task.due_at, zone) if task.due_at else "never"
    signals = {"reminded": task.reminded_at, "owners told": task.escalated_at}
    return ", ".join([due, *(name for name, at in signals.items() if at)])


def _sha(detail: dict[str, Any]) -> str:
    return str(detail.get("sha", ""))[:7]


def _since(detail: dict[str, Any], zone: str) -> str:
    since = detail.get("since")
    return when.short(datetime.fromisoformat(since), zone) if since else "an unknown time"


def _why(detail: dict[str, Any]) -> str:
    why = detail.get("why")
    return f" ({plain(str(why))})" if why else ""
