"""Make GitHub hold the set of closed repositories that the rows want: one PUT for each of the pair of rulesets."""

from dataclasses import dataclass
from typing import Any

from bot import failpoints, log
from bot.errors import TryAgain
from bot.github import rulesets
from bot.github.api import Api
from bot.github.failures import Closing, GitHubFailure, NotFound, NotPermitted, PlanRefused, Refused
from bot.github.rulesets import Target
from bot.jobs import lock_records
from bot.jobs.desk import Desk
from bot.jobs.frame import Held
from bot.rules.locks import plan_set
from bot.store import courses, locks
from bot.store.locks import Ruleset

# Branches first: that is where submissions are.
PAIR: tuple[tuple[Target, str], ...] = (("branch", rulesets.BRANCHES), ("tag", rulesets.TAGS))
VERIFIED_AT_ONCE = 8
UNEXPLAINED_SECONDS = 600.0


@dataclass(frozen=True, slots=True)
class ClosedSet:
    """What one ruleset of the pair is to hold; `closing` are those that it did not hold when it was last sent."""

    target: Target
    name: str
    repository_ids: tuple[int, ...]
    team_ids: tuple[int, ...]
    ruleset_id: int | None
    closing: tuple[int, ...]

    def body(self, app_id: int, team_ids: tuple[int, ...]) -> dict[str, Any]:
        """The ruleset as GitHub takes it."""
        return rulesets.lock_body(
            target=self.target, repository_ids=self.repository_ids, app_id=app_id, team_ids=team_ids, name=self.name
        )


async def run(desk: Desk, held: Held) -> None:
    """Send until nothing differs, then read back; a deadline that comes meanwhile goes before the reading back."""
    api = await desk.api(held.lease.account_id)
    try:
        while True:
            for target, name in PAIR:
                await _send(desk, api, target, name)
                failpoints.reach("lock.branches_recorded")
                await held.renew()
            if not await _verify_some(desk, held, api):
                return
    except PlanRefused as refusal:
        await lock_records.plan_refused(desk.pool, api.account_id, refusal.message)
    except (NotFound, NotPermitted):
        # Only of the organisation's own rulesets, asked with a fresh token too: it says nothing of any repository.
        await lock_records.not_permitted(desk.pool, api.account_id)
        await _verify_what_cannot_be_sent(desk, held, api)
    except Closing:
        raise
    except GitHubFailure as failure:
        await lock_records.failed(desk.pool, api.account_id, failure.message)
        raise


async def _send(desk: Desk, api: Api, target: Target, name: str) -> None:
    closed = await _plan(desk, api, target, name)
    if closed is None:
        return
    async with desk.pool.acquire() as conn:
        tried_at = await locks.trying(conn, api.account_id, target)
    failpoints.reach("lock.trying")
    ruleset_id = await _put(api, closed)
    failpoints.reach("lock.answered")
    ruleset = Ruleset(target, ruleset_id, list(closed.repository_ids), tried_at)
    await lock_records.sent(desk.pool, api.account_id, ruleset, closed.team_ids)


async def _plan(desk: Desk, api: Api, target: Target, name: str) -> ClosedSet | None:
    """What to send for one target, or None where GitHub holds it. Raises TryAgain where no row explains a change."""
    async with desk.pool.acquire() as conn:
        sent = (await locks.rulesets(conn, api.account_id)).get(target)
        sent_ids = sent.repository_ids if sent else []
        known = await locks.known(conn, api.account_id, sent_ids)
        wanted = await locks.wanted(conn, api.account_id)
        unsure = sent is not None and (sent.tried_at is not None or sent.bypass_stale)
        plan = plan_set(wanted, sent_ids if sent else None, known, unsure=unsure)
        teams = await courses.staff_teams(conn, api.account_id)
    if plan is None:
        return None
    if plan.unexplained:
        await lock_records.unexplained(desk.pool, api.account_id, target, plan.unexplained)
        raise TryAgain(f"no row explains opening {plan.unexplained}: nothing was sent", UNEXPLAINED_SECONDS)
    closing = tuple(set(plan.repository_ids) - set(sent_ids))
    return ClosedSet(target, name, plan.repository_ids, tuple(teams), sent.ruleset_id if sent else None, closing)


async def _put(api: Api, closed: ClosedSet) -> int | None:
    """Replace the ruleset, found by its id or else by its name, or create it; the id it has now, None without one."""
    if closed.ruleset_id is not None:
        try:
            return await _write(api, closed, closed.ruleset_id)
        except NotFound:
            log.get().warning("ruleset is gone from GitHub", action="lock.ruleset_gone", ruleset=closed.ruleset_id)
    # After a crash between GitHub's answer and our record, the first try's ruleset is found by its name.
    found = await rulesets.find(api, closed.name)
    if found is None and not closed.repository_ids:
        return None
    return await _write(api, closed, found)


async def _write(api: Api, closed: ClosedSet, ruleset_id: int | None) -> int:
    try:
        return await _write_with(api, closed, ruleset_id, closed.team_ids)
    except Refused as refusal:
        if refusal.status != 422 or not closed.team_ids:
            raise
        # A team that was deleted or made secret cannot bypass. Closing in time matters more than the bypass.
        log.get().warning("locked without the teams' bypass", action="lock.without_teams", error=str(refusal))
        return await _write_with(api, closed, ruleset_id, ())


async def _write_with(api: Api, closed: ClosedSet, ruleset_id: int | None, team_ids: tuple[int, ...]) -> int:
    body = closed.body(api.app_id, team_ids)
    if ruleset_id is None:
        return await rulesets.create(api, body, closed.closing)
    await rulesets.replace(api, ruleset_id, body, closed.closing)
    return ruleset_id


async def _verify_some(desk: Desk, held: Held, api: Api) -> bool:
    """Read back some locks; False once there is nothing more to send or to read."""
    async with desk.pool.acquire() as conn:
        differs = await locks.differs(conn, api.account_id)
        unread = await locks.to_verify(conn, api.account_id)
    if differs or not unread:
        return differs

    async def verify(repository: tuple[int, str]) -> None:
        closed = await _read(api, *repository)
        failpoints.reach("lock.read")
        await lock_records.read_back(desk.pool, api.account_id, repository[0], closed)

    await held.each(unread[:VERIFIED_AT_ONCE], verify)
    return True


async def _verify_what_cannot_be_sent(desk: Desk, held: Held, api: Api) -> None:
    """Read back all locks that are to be: what is not there any more is left to a weaker one."""
    async with desk.pool.acquire() as conn:
        unread = await locks.to_verify(conn, api.account_id)

    async def verify(repository: tuple[int, str]) -> None:
        closed = await _read(api, *repository)
        if closed is False:
            await lock_records.not_held(desk.pool, api.account_id, repository[0])
        else:
            await lock_records.read_back(desk.pool, api.account_id, repository[0], closed)

    await held.each(unread, verify)


async def _read(api: Api, repository_id: int, branch: str) -> bool | None:
    """Whether GitHub closes it to students; None if it does not know the repository."""
    try:
        return await rulesets.closed_to_students(api, repository_id, branch)
    except PlanRefused:
        # Without rulesets there, none is in force.
        return False
    except NotFound:
        return None
