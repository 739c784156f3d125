"""How far things are: what GitHub shows and what the service's books say, as the story waits for it."""

from typing import Any

from sandbox.demo.cast import ORGANISATION
from sandbox.demo.playing import Playing


async def repositories(play: Playing) -> list[dict[str, Any]]:
    """The students' repositories, as GitHub shows them."""
    names = {student.repository for student in play.cast.students}
    every = await play.remote.get("/repositories", organisation=ORGANISATION)
    return [one for one in every if one["full_name"] in names]


async def closed(play: Playing) -> int:
    """How many would refuse their student a push now."""
    return sum(not repository["open"] for repository in await repositories(play))


async def reviews(play: Playing) -> int:
    """How many reviews GitHub was asked for."""
    return sum(repository["dispatches"] for repository in await repositories(play))


async def recorded_locks(play: Playing) -> int:
    """How many locks the service has written down: branches and tags. Before that the clock must not jump."""
    return sum(part.locked_at is not None for part in await play.ledger.parts())


async def all_frozen(play: Playing) -> bool:
    """Whether it is settled everywhere what counts."""
    return all(part.frozen_at for part in await play.ledger.parts())


async def all_reviews_asked(play: Playing) -> bool:
    """Every submission has its entry in the ledger. An entry whose process died has no answer to wait for."""
    due = {part.repository_id for part in await play.ledger.parts() if part.submission_sha}
    entries = await play.ledger.reviews()
    return due == {entry.repository_id for entry in entries if entry.outcome or play.service.deaths}
