"""The settings of a course change: what is checked, and all that follows, for `/course set` and for taking it back."""

from bot.model import TeamFact
from bot.rules import inverses, modes
from bot.rules.modes import Settings
from bot.slash.command import Context, Done
from bot.store import audit, checks, courses, enrolments, projects
from bot.store.audit import Subject
from bot.text import refusals
from bot.text import settings as text


async def change(context: Context, before: Settings, after: Settings, *, read_staff: bool) -> Done:
    """Write the settings, and what follows from them; `read_staff`: who teaches was read, and is remembered anew."""
    await courses.change(context.conn, context.course, after)
    if read_staff:
        teachers = context.facts.teachers(after.staff_team, after.assistants_team)
        await courses.set_staff(context.conn, context.course, teachers)
    held = sum((await courses.locks_held(context.conn, context.course)).values())
    opens = held if after.locks_lifted and not before.locks_lifted else 0
    if after.mode != before.mode:
        await _follow_mode(context, after)
    subject = Subject(context.account_id, course_id=context.course.id)
    detail = _differences(before, after)
    await audit.record(context.conn, subject, "course.changed", context.authority.actor, context.now, detail)
    said = text.changed(before, after, context.place.organisation, opens)
    return Done(said, inverses.between(before, after), wide=opens > 1)


def team(context: Context, slug: str) -> TeamFact:
    """The team of that name. Raises Told where it cannot be one of a course."""
    found = context.facts.team(slug)
    if found is None:
        raise refusals.unknown_team(slug)
    if found.secret:
        raise refusals.secret_team(slug)
    return found


async def check_mode(context: Context, to: str, *, lift: bool = False, keep: bool = False) -> None:
    """Raises Told where the course may not go over to that mode now."""
    if to == "active":
        found = await projects.all_of_course(context.conn, context.account_id, context.course.id)
        come = await projects.with_a_deadline_come(context.conn, context.account_id, context.course.id, context.now)
        modes.check_active([project for project in found if project.id in come])
    else:
        held = sum((await courses.locks_held(context.conn, context.course)).values())
        modes.check_shadow(held, lift=lift, keep=keep)


def _differences(before: Settings, after: Settings) -> dict[str, dict[str, str] | str]:
    """For the audit: what changed from what to what, and that a course became active without having been rehearsed."""
    found: dict[str, dict[str, str] | str] = {}
    for name in before.__slots__:
        was, now_is = str(getattr(before, name)), str(getattr(after, name))
        if was != now_is:
            found[name] = {"from": was, "to": now_is}
    if "mode" in found and after.mode == "active":
        found["rehearsal"] = "skipped by an owner"
    return found


async def _follow_mode(context: Context, settings: Settings) -> None:
    if settings.locks_lifted:
        await courses.take_hands_off(context.conn, context.course)
    for project in await projects.all_of_course(context.conn, context.account_id, context.course.id):
        rows = await enrolments.of_project(context.conn, context.account_id, project.id)
        ids = [row.repository_id for row in rows]
        await checks.due_of_repositories(context.conn, context.account_id, project.id, ids)
