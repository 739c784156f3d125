"""`/task`: a person ends a task, or gives it to somebody."""

from dataclasses import replace

from bot.model import Needs, Person
from bot.rules.inverses import TaskMove, TaskState
from bot.rules.tasks import Task
from bot.slash.command import Context, Done, Place, SlashCommand
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


async def run(context: Context, parsed: Parsed) -> Done:
    """Do what the second word says with the task of that number. Raises Told where there is no such open task."""
    number, word, *rest = parsed.words
    task, before = await _find(context, number)
    if word == ASSIGN and len(rest) == 1:
        return await _assign(context, task, before, rest[0])
    if word not in WORDS or rest:
        raise refusals.task_word(word)
    reason = parsed.options.get("--reason")
    if word == "refuse" and not reason:
        raise refusals.needs_reason()
    left = replace(before, ended=WORDS[word], reason=reason)
    await tasks.end(context.conn, context.course, task.id, WORDS[word], context.now)
    await _audit(context, task, f"task.{left.ended}", {"reason": reason})
    return Done(text.ended(task, WORDS[word]), TaskMove(task.id, task.project_id, left, before))


async def put_back(context: Context, move: TaskMove) -> Done:
    """Have the task stand as before the move. Raises Told where it is over, or was changed again since."""
    found = await tasks.hold(context.conn, context.course, move.task_id)
    if found is None:
        raise text.is_over(move.task_id)
    task, present = found
    if present != replace(move.left, reason=None):
        raise text.changed_since(task)
    before = move.before
    await tasks.put_back(context.conn, context.course, task.id, before, context.now)
    back = TaskMove(task.id, task.project_id, before, move.left)
    if before.ended is not None:
        await _audit(context, task, f"task.{before.ended}", {"reason": before.reason})
        return Done(text.ended(task, before.ended), back)
    action = "task.opened_again" if move.left.ended is not None else "task.assigned"
    await _audit(context, task, action, {"to": before.addressee})
    return Done(text.waits_again(_for(task, before), context.course.timezone), back)


async def _find(context: Context, number: str) -> tuple[Task, TaskState]:
    """The open task of that number, held, and how it stands."""
    found = await tasks.of_course(context.conn, context.course)
    task = next((task for task in found if str(task.id) == number), None)
    held = await tasks.hold(context.conn, context.course, task.id) if task else None
    if held is None or held[1].ended is not None:
        raise refusals.no_task(number)
    return held


async def _assign(context: Context, task: Task, before: TaskState, given: str) -> Done:
    person = _teacher(context, given)
    await tasks.assign(context.conn, context.course, task.id, person)
    await _audit(context, task, "task.assigned", {"to": person.login})
    left = replace(before, addressee_kind="user", addressee=person.login, addressee_id=person.id)
    said = text.assigned(task, person.login, context.course.timezone)
    return Done(said, TaskMove(task.id, task.project_id, left, before))


def _teacher(context: Context, given: str) -> Person:
    """The member of the course's teams, or the owner, of that login."""
    login = given.removeprefix("@").casefold()
    teachers = context.facts.teachers(*context.course.teams)
    found = next((person for person in teachers if person.login.casefold() == login), None)
    if found is None:
        raise refusals.not_a_teacher(given)
    return found


def _for(task: Task, state: TaskState) -> Task:
    kind, addressee, number = state.addressee_kind, state.addressee, state.addressee_id
    return replace(task, addressee_kind=kind, addressee=addressee, addressee_id=number)


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
)
