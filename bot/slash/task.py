"""`/task`: a person ends a task, or gives it to somebody."""

from bot.model import Needs, Person
from bot.rules.tasks import Task
from bot.slash.command import Context, Place, SlashCommand
from bot.slash.parse.options import Option, Parsed, Spec
from bot.store import audit, tasks
from bot.store.audit import Subject
from bot.text import refusals
from bot.text import tasks as text

WORDS = {"done": "done", "refuse": "refused"}
ASSIGN = "assign"


def needs(place: Place, parsed: Parsed) -> Needs:
    """Who teaches now, where a task is given to somebody."""
    if place.course is None or ASSIGN not in parsed.words:
        return Needs()
    return Needs(teams=place.course.teams, owners=True)


async def run(context: Context, parsed: Parsed) -> str:
    """Do what the second word says with the task of that number. Raises Told where there is no such open task."""
    number, word, *rest = parsed.words
    task = await _find(context, number)
    if word == ASSIGN and len(rest) == 1:
        return await _assign(context, task, rest[0])
    if word not in WORDS or rest:
        raise refusals.task_word(word)
    reason = parsed.options.get("--reason")
    if word == "refuse" and not reason:
        raise refusals.needs_reason()
    await tasks.end(context.conn, context.course, task.id, WORDS[word], context.now)
    await _audit(context, task, f"task.{WORDS[word]}", {"reason": reason})
    return text.ended(task, WORDS[word])


async def _find(context: Context, number: str) -> Task:
    found = await tasks.of_course(context.conn, context.course)
    task = next((task for task in found if str(task.id) == number), None)
    if task is None:
        raise refusals.no_task(number)
    return task


async def _assign(context: Context, task: Task, given: str) -> str:
    person = _teacher(context, given)
    await tasks.assign(context.conn, context.course, task.id, person)
    await _audit(context, task, "task.assigned", {"to": person.login})
    return text.assigned(task, person.login, context.course.timezone)


def _teacher(context: Context, given: str) -> Person:
    """The member of the course's teams, or the owner, of that login."""
    login = given.removeprefix("@").casefold()
    teachers = context.facts.teachers(*context.course.teams)
    found = next((person for person in teachers if person.login.casefold() == login), None)
    if found is None:
        raise refusals.not_a_teacher(given)
    return found


async def _audit(context: Context, task: Task, action: str, detail: dict[str, str | None]) -> None:
    subject = Subject(context.account_id, context.course.id, task.project_id)
    about = {"task": task.id, "kind": task.kind, "repository": task.repository}
    await audit.record(context.conn, subject, action, context.authority.actor, context.now, about | detail)


COMMAND = SlashCommand(
    spec=Spec(
        "task",
        "/task N done|refuse|assign [@login] [--reason TEXT]",
        least=2,
        most=3,
        options=(Option("--reason", takes="words"),),
    ),
    who="assistants",
    where="course",
    does="ends task N (`done`, or `refuse` with a reason), or gives it to one who teaches (`assign @login`)",
    run=run,
    needs=needs,
    previewed=False,
)
