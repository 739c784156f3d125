"""The App, its installations and its webhook's log."""

from typing import TYPE_CHECKING, Any

from sandbox.clock import stamp, stamp_or_none
from sandbox.ids import node_id
from sandbox.render import accounts, repositories

if TYPE_CHECKING:
    from sandbox.delivery import Delivery
    from sandbox.installation import Installation, Token
    from sandbox.world import World


def app(world: "World") -> dict[str, Any]:
    """integration, of the App."""
    one = world.app
    return integration(world, one.id, one.slug, one.name) | {
        "client_id": one.client_id,
        "permissions": one.permissions,
        "events": sorted(one.events),
    }


def integration(world: "World", number: int, slug: str, name: str) -> dict[str, Any]:
    """integration, of any App as far as others see it."""
    created = stamp(world.app.created_at)
    return {
        "id": number,
        "slug": slug,
        "node_id": node_id("A", number),
        "owner": accounts.user(world, world.ghost),
        "name": name,
        "description": "",
        "external_url": f"{world.url}/apps/{slug}",
        "html_url": f"{world.url}/apps/{slug}",
        "created_at": created,
        "updated_at": created,
        "permissions": {},
        "events": [],
    }


def app_of(world: "World", app_id: int) -> dict[str, Any]:
    """The App with this id: ours, or GitHub Actions."""
    return app(world) if app_id == world.app.id else integration(world, app_id, "github-actions", "GitHub Actions")


def installation(one: "Installation") -> dict[str, Any]:
    """installation."""
    world, org = one.world, one.organisation
    return {
        "id": one.id,
        "client_id": one.app.client_id,
        "account": accounts.owner(org),
        "repository_selection": selection(one),
        "access_tokens_url": f"{world.url}/app/installations/{one.id}/access_tokens",
        "repositories_url": f"{world.url}/installation/repositories",
        "html_url": f"{world.url}/organizations/{org.login}/settings/installations/{one.id}",
        "app_id": one.app.id,
        "app_slug": one.app.slug,
        "target_id": org.id,
        "target_type": "Organization",
        "permissions": one.permissions,
        "events": sorted(one.app.events),
        "created_at": stamp(one.created_at),
        "updated_at": stamp(one.suspended_at or one.created_at),
        "single_file_name": None,
        "has_multiple_single_files": False,
        "single_file_paths": [],
        "suspended_by": accounts.user(world, org.somebody) if one.suspended_at else None,
        "suspended_at": stamp_or_none(one.suspended_at),
    }


def selection(one: "Installation") -> str:
    """`all` or `selected`."""
    return "all" if one.selected is None else "selected"


def token(one: "Token") -> dict[str, Any]:
    """installation-token. The repositories are listed only when it was narrowed to some."""
    narrowed = one.repository_ids is not None
    world = one.installation.world
    named = [repositories.repository(world.repositories[number]) for number in one.repository_ids or ()]
    return {
        "token": one.text,
        "expires_at": stamp(world.clock.shown(one.expires_at)),
        "permissions": one.permissions,
        "repository_selection": "selected" if narrowed else selection(one.installation),
        **({"repositories": named} if narrowed else {}),
    }


def hook(world: "World") -> dict[str, Any]:
    """The App's hook as `ping` and `meta` show it."""
    one = world.app
    config = {"content_type": "json", "insecure_ssl": "0", "secret": "********", "url": one.webhook_url or ""}
    return {
        "type": "App",
        "id": one.hook_id,
        "name": "web",
        "active": True,
        "events": sorted(one.events),
        "config": config,
        "app_id": one.id,
        "created_at": stamp(one.created_at),
        "updated_at": stamp(one.created_at),
        "deliveries_url": f"{world.url}/app/hook/deliveries",
    }


def delivery_item(one: "Delivery") -> dict[str, Any]:
    """hook-delivery-item."""
    return {
        "id": one.id,
        "guid": one.guid,
        "delivered_at": stamp(one.delivered_at),
        "redelivery": one.redelivery,
        "duration": one.duration,
        "status": one.status,
        "status_code": one.status_code,
        "event": one.event,
        "action": one.action,
        "installation_id": one.installation_id,
        "repository_id": one.repository_id,
        "throttled_at": None,
    }


def delivery(one: "Delivery", url: str | None) -> dict[str, Any]:
    """hook-delivery: with the whole of what was sent, if it is still known, and answered."""
    request = {"headers": one.request_headers, "payload": None if one.payload_lost else one.payload}
    response = {"headers": one.response_headers, "payload": one.response_body}
    return delivery_item(one) | {"url": url or "", "request": request, "response": response}
