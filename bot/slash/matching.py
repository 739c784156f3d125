"""Which repositories of the organisation a pattern may enrol (docs/design.md section 11)."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from bot.model import RepositoryFact
from bot.rules import names
from bot.slash.command import Context
from bot.store import courses, enrolments, roster
from bot.text import refusals
from bot.text.projects import Matched


@dataclass(frozen=True, slots=True)
class _World:
    """What stands in the way: staff repositories, those that an open project holds, those that take part already."""

    staff: Collection[int]
    held: Mapping[int, str]
    here: Collection[int]


async def match(context: Context, globs: Collection[str], here: Collection[int] = ()) -> Matched:
    """What to enrol of the repositories that match: never a staff repository, a template or an archived one.

    `here` take part already. Raises Told where nothing is left to enrol, with the reasons.
    """
    fitting = {glob for glob in globs for fact in context.facts.repositories if names.matches(fact.name, glob)}
    held = await enrolments.held(context.conn, context.account_id)
    world = _World(await courses.repository_ids(context.conn, context.account_id), held, here)
    enrolled: list[RepositoryFact] = []
    left_out = [(glob, "matches nothing that the App can reach") for glob in globs if glob not in fitting]
    # What was read is for all commands of the comment together.
    for fact in context.facts.repositories:
        if any(names.matches(fact.name, glob) for glob in globs):
            reason = _why_not(fact, world)
            if reason is None:
                enrolled.append(fact)
            else:
                left_out.append((fact.name, reason))
    if not enrolled:
        raise refusals.nothing_matches(sorted(globs), left_out if fitting else [])
    return Matched(enrolled, left_out)


async def record(context: Context, matched: Matched) -> None:
    """Write what was read of them. Who teaches comes first: it tells a teacher's push from a student's."""
    await courses.set_staff(context.conn, context.course, context.facts.teachers(*context.course.teams))
    await roster.record(context.conn, context.account_id, matched.enrolled, context.app_login)


def missed(matched: Matched, taken: Collection[int]) -> list[tuple[str, str]]:
    """What was to be enrolled and could not be after all, with the reason."""
    why = "another project has taken it at this moment"
    return [(fact.name, why) for fact in matched.enrolled if fact.id not in taken]


def _why_not(fact: RepositoryFact, world: _World) -> str | None:
    if fact.id in world.here:
        return "takes part already"
    if fact.id in world.staff:
        return "a staff repository"
    if fact.template:
        return "a template"
    if fact.archived:
        return "archived"
    return f"in the open project {world.held[fact.id]}" if fact.id in world.held else None
