"""Building a world from outside: people, organisations, repositories, the App."""

from typing import TYPE_CHECKING, Any

from sandbox.actions import Workflow

if TYPE_CHECKING:
    from sandbox.world import World

WORKFLOW_PATH = ".github/workflows/grading.yml"


def organisation(world: "World", fields: dict[str, Any]) -> dict[str, Any]:
    """`login`, `plan`, `owners` and `members` (logins)."""
    org = world.organisation(fields["login"], plan=fields.get("plan", "team"))
    for login in fields.get("owners", ()):
        org.owner(world.user(login))
    for login in fields.get("members", ()):
        org.member(world.user(login))
    return {"id": org.id, "login": org.login}


def team(world: "World", fields: dict[str, Any]) -> dict[str, Any]:
    """`organisation`, `name`, `members` (logins), `secret`."""
    members = [world.user(login) for login in fields.get("members", ())]
    made = world.organisations[fields["organisation"]].team(fields["name"], members, fields.get("secret", False))
    return {"id": made.id, "slug": made.slug}


def repositories(world: "World", fields: dict[str, Any]) -> list[dict[str, Any]]:
    """`organisation`, `repositories`: each the arguments of `org.repository`, with `workflow` for the grading one."""
    org = world.organisations[fields["organisation"]]
    made = []
    for one in fields["repositories"]:
        arguments = {key: value for key, value in one.items() if key != "workflow"}
        workflows = {WORKFLOW_PATH: Workflow(**one["workflow"])} if "workflow" in one else {}
        made.append(org.repository(**arguments, workflows=workflows))
    return [{"id": repo.id, "full_name": repo.full_name} for repo in made]


def installation(world: "World", fields: dict[str, Any]) -> dict[str, Any]:
    """`organisation`, `selected` (repository names; all if absent)."""
    org = world.organisations[fields["organisation"]]
    names = fields.get("selected")
    chosen = None if names is None else [repo for repo in org.repositories.values() if repo.name in names]
    return {"id": org.install(world.app, chosen).id}


def app(world: "World", fields: dict[str, Any]) -> dict[str, Any]:
    """Sets `webhook_url`, `webhook_secret`, `events`, `permissions` if given; answers with what the App needs."""
    one = world.app
    one.webhook_url = fields.get("webhook_url", one.webhook_url)
    one.webhook_secret = fields.get("webhook_secret", one.webhook_secret)
    one.events = set(fields.get("events", one.events))
    one.permissions = dict(fields.get("permissions", one.permissions))
    return {
        "id": one.id,
        "client_id": one.client_id,
        "slug": one.slug,
        "private_key": one.private_key,
        "webhook_url": one.webhook_url,
        "webhook_secret": one.webhook_secret,
    }


HANDLERS = {
    ("POST", "/organisations"): organisation,
    ("POST", "/teams"): team,
    ("POST", "/repositories"): repositories,
    ("POST", "/installations"): installation,
    ("GET", "/app"): app,
    ("POST", "/app"): app,
}
