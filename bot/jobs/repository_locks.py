"""Lock and open repositories one by one, where the plan has no organisation rulesets: by rulesets of their own, else
by the archive (docs/design.md section 6)."""

from bot import failpoints
from bot.github import repositories, rulesets
from bot.github import repository_rulesets as github
from bot.github.api import Api
from bot.github.failures import Delayed, GitHubFailure, NotFound, PlanRefused, Refused
from bot.github.rulesets import Target
from bot.jobs import lock_records
from bot.jobs.desk import Desk
from bot.jobs.frame import Held
from bot.jobs.locks import PAIR
from bot.rules.repository_locks import ARCHIVE, OWN, Standing, Step, next_step
from bot.store import courses, repository_locks
from bot.store.repository_locks import Archive, OwnPair

STEPS_AT_MOST = 4
"""A change of mind during a call is the next step; what keeps changing is left to the next tick."""


async def settle(desk: Desk, held: Held, api: Api, repository_id: int) -> None:
    """Bring one repository to the lock that is wanted of it, each step after reading what is wanted now."""
    try:
        for _ in range(STEPS_AT_MOST):
            await held.renew()
            if not await _step(desk, api, repository_id):
                return
    except NotFound:
        await lock_records.read_back(desk.pool, api.account_id, repository_id, None)
        raise
    except Delayed:
        raise
    except GitHubFailure as failure:
        await lock_records.repository_failed(desk.pool, api.account_id, repository_id, failure.message)
        raise


async def _step(desk: Desk, api: Api, repository_id: int) -> bool:
    """Do the next thing; False once there is none."""
    async with desk.pool.acquire() as conn:
        now = await repository_locks.standing(conn, api.account_id, repository_id)
        teams = await courses.staff_teams(conn, api.account_id)
    step = next_step(now) if now is not None else None
    if now is None or step is None:
        return False
    if step is Step.UNARCHIVE:
        # First of all: an archived repository refuses every other write.
        tried_at = await lock_records.trying(desk.pool, api.account_id, now.id, ARCHIVE)
        await github.set_archived(api, now.id, False)
        none = OwnPair(None, None, (), None, tried_at=tried_at, dormant=now.rulesets_dormant)
        await lock_records.unarchived(desk.pool, api.account_id, now.id, none)
    elif step is Step.LOOK:
        await _look(desk, api, now, teams)
    elif step is Step.OPEN:
        await _open(desk, api, now, teams)
    else:
        await _close(desk, api, now, teams)
    return True


async def _look(desk: Desk, api: Api, now: Standing, teams: list[int]) -> None:
    """What GitHub holds is the fact, after a call of which nobody knows what became of it."""
    archived = now.may_be_archived and (await repositories.read(api, now.id)).archived
    if archived:
        found = Archive(now.lock_refused, now.lock_tried_at)
        await lock_records.archived(desk.pool, api.account_id, now.id, found)
        return
    dormant = False
    try:
        branch, tag = [await github.find(api, now.id, name) for _, name in PAIR]
    except PlanRefused:
        # Whatever it has, none of it is in force, until the plan is another one again.
        branch, tag, dormant = None, None, now.may_have_rulesets
    own = OwnPair(branch, tag, tuple(teams), now.lock_refused, False, now.lock_tried_at, dormant)
    record = lock_records.unarchived if now.lock_kind == ARCHIVE else lock_records.own_pair
    await record(desk.pool, api.account_id, now.id, own)
    if now.wanted_lock and branch is not None and tag is not None:
        closed = await rulesets.closed_to_students(api, now.id, now.default_branch)
        await lock_records.read_back(desk.pool, api.account_id, now.id, closed)


async def _open(desk: Desk, api: Api, now: Standing, teams: list[int]) -> None:
    pair = {"branch": now.branch_ruleset_id, "tag": now.tag_ruleset_id}
    for target, name in PAIR:
        tried_at = await lock_records.trying(desk.pool, api.account_id, now.id, OWN)
        await github.remove(api, now.id, name)
        pair[target] = None
        own = OwnPair(pair["branch"], pair["tag"], tuple(teams), now.lock_refused, tried_at=tried_at)
        await lock_records.own_pair(desk.pool, api.account_id, now.id, own)


async def _close(desk: Desk, api: Api, now: Standing, teams: list[int]) -> None:
    """By rulesets of its own; by the archive only where the plan has none, never after a 5xx or a limit."""
    pair = {"branch": now.branch_ruleset_id, "tag": now.tag_ruleset_id}
    try:
        for target, name in PAIR:
            tried_at = await lock_records.trying(desk.pool, api.account_id, now.id, OWN)
            pair[target] = await _put(api, now.id, target, name, teams)
            failpoints.reach("repository_lock.answered")
            whole = target == PAIR[-1][0]
            own = OwnPair(pair["branch"], pair["tag"], tuple(teams), now.lock_refused, whole, tried_at)
            await lock_records.own_pair(desk.pool, api.account_id, now.id, own)
    except PlanRefused as refusal:
        tried_at = await lock_records.trying(desk.pool, api.account_id, now.id, ARCHIVE)
        await github.set_archived(api, now.id, True)
        failpoints.reach("archive.answered")
        await lock_records.archived(desk.pool, api.account_id, now.id, Archive(refusal.message, tried_at))
    else:
        closed = await rulesets.closed_to_students(api, now.id, now.default_branch)
        await lock_records.read_back(desk.pool, api.account_id, now.id, closed)


async def _put(api: Api, repository_id: int, target: Target, name: str, teams: list[int]) -> int:
    try:
        return await github.put(api, repository_id, github.own_body(target, api.app_id, teams, name))
    except Refused as refusal:
        if refusal.status != 422 or not teams:
            raise
        # A team that cannot bypass must not keep the repository open; see the organisation's set.
        return await github.put(api, repository_id, github.own_body(target, api.app_id, (), name))
