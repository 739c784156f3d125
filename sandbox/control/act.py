"""What people, time and bad luck do, from outside."""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from sandbox.faults import Fault

if TYPE_CHECKING:
    from sandbox.repository import Repository
    from sandbox.world import World


def push(world: "World", fields: dict[str, Any]) -> dict[str, Any]:
    """`repository`, `login`, and optionally `branch`, `message`, `force`, `to_sha`, `author_date` (ISO)."""
    arguments: dict[str, Any] = {key: fields[key] for key in ("branch", "message", "force", "to_sha") if key in fields}
    if "author_date" in fields:
        arguments["author_date"] = datetime.fromisoformat(fields["author_date"])
    return {"sha": repository(world, fields).push(world.user(fields["login"]), **arguments)}


def issue(world: "World", fields: dict[str, Any]) -> dict[str, Any]:
    """`repository`, `login`, `title`, `body`."""
    opened = repository(world, fields).open_issue(world.user(fields["login"]), fields["title"], fields.get("body", ""))
    return {"number": opened.number, "id": opened.id}


def comment(world: "World", fields: dict[str, Any]) -> dict[str, Any]:
    """`repository`, `issue` (number), `login`, `body`."""
    issue = repository(world, fields).issues[int(fields["issue"])]
    return {"id": issue.comment(world.user(fields["login"]), fields["body"]).id}


def rename(world: "World", fields: dict[str, Any]) -> dict[str, Any]:
    """`repository`, `name`."""
    repo = repository(world, fields)
    repo.rename(fields["name"])
    return {"full_name": repo.full_name}


def complete_run(world: "World", fields: dict[str, Any]) -> dict[str, Any]:
    """Finish the newest run of `repository`, with `conclusion` and `points` if given."""
    run = repository(world, fields).runs[-1]
    run.complete(fields.get("conclusion"), fields.get("points"))
    return {"id": run.id, "conclusion": run.conclusion}


def clock(world: "World", fields: dict[str, Any]) -> dict[str, Any]:
    """`stand_at` (ISO), `shift_seconds`, `run`: done in this order; answers with the time it is."""
    if "stand_at" in fields:
        world.clock.stand_at(datetime.fromisoformat(fields["stand_at"]))
    if "shift_seconds" in fields:
        world.clock.shift(timedelta(seconds=float(fields["shift_seconds"])))
    if fields.get("run"):
        world.clock.run()
    return {"now": world.clock.now().isoformat()}


def fault(world: "World", fields: dict[str, Any]) -> dict[str, Any]:
    """The fields of Fault."""
    world.faults.add(Fault(**fields))
    return {"pending": len(world.faults.pending)}


def hook(world: "World", fields: dict[str, Any]) -> dict[str, Any]:
    """`hold`, `release` (true or "reversed"), `drop` or `duplicate` (an event), `redeliver` (a GUID).

    `redeliver_failed` sends again what did not arrive.
    """
    if fields.get("hold"):
        world.hook.hold()
    if "release" in fields:
        world.hook.release("reversed" if fields["release"] == "reversed" else None)
    if "drop" in fields:
        world.hook.drop(fields["drop"])
    if "duplicate" in fields:
        world.hook.duplicate(fields["duplicate"])
    if "redeliver" in fields:
        world.hook.redeliver(fields["redeliver"])
    failed = _failed_deliveries(world) if fields.get("redeliver_failed") else []
    for guid in failed:
        world.hook.redeliver(guid)
    return {"held": len(world.hook.held), "redelivered": len(failed)}


def _failed_deliveries(world: "World") -> list[str]:
    """The GUIDs of those whose last attempt is over and did not arrive."""
    latest = {one.guid: one for one in world.hook.log}
    return [guid for guid, one in latest.items() if not one.arrived and one.status != "pending"]


def repository(world: "World", fields: dict[str, Any]) -> "Repository":
    """The repository of the field `repository`: its id or its full name. Raises KeyError."""
    wanted = fields["repository"]
    return world.repositories[wanted] if isinstance(wanted, int) else world.names[wanted.lower()]


HANDLERS = {
    ("POST", "/pushes"): push,
    ("POST", "/issues"): issue,
    ("POST", "/comments"): comment,
    ("POST", "/renames"): rename,
    ("POST", "/runs"): complete_run,
    ("GET", "/clock"): clock,
    ("POST", "/clock"): clock,
    ("POST", "/faults"): fault,
    ("POST", "/hook"): hook,
}
