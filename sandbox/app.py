"""The one GitHub App of a world."""

import secrets
from functools import cache
from typing import TYPE_CHECKING

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from sandbox.user import User

if TYPE_CHECKING:
    from sandbox.world import World

# What the design needs; a test that wants less passes `permissions` to `org.install`.
PERMISSIONS = {
    "actions": "read",
    "administration": "write",
    "checks": "write",
    "contents": "write",
    "issues": "write",
    "members": "read",
    "metadata": "read",
    "organization_administration": "write",
    "organization_plan": "read",
}
EVENTS = (
    "check_run",
    "issue_comment",
    "issues",
    "member",
    "membership",
    "meta",
    "organization",
    "push",
    "repository",
    "repository_dispatch",
    "repository_ruleset",
    "workflow_run",
)


class App:
    """The App: who it is, its keys, what it asks for, where its webhooks go (nowhere while `webhook_url` is None)."""

    def __init__(self, world: "World", slug: str) -> None:
        self.world = world
        self.id = world.ids.small()
        self.slug = slug
        self.name = slug.replace("-", " ").title()
        self.client_id = f"Iv23li{self.id:014d}"
        self.hook_id = world.ids.small()
        self.permissions = dict(PERMISSIONS)
        self.events = set(EVENTS)
        self.webhook_url: str | None = None
        self.webhook_secret: str | None = secrets.token_hex(16)
        self.created_at = world.clock.now()
        self.bot = User(world.ids.small(), f"{slug}[bot]", app_id=self.id)

    @property
    def private_key(self) -> str:
        """The key the service signs its JWTs with, PEM."""
        return _keys()[0]

    @property
    def public_key(self) -> str:
        """The half GitHub keeps, PEM."""
        return _keys()[1]


@cache
def _keys() -> tuple[str, str]:
    """One pair for the whole process: making it costs more than most tests."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
    )
    public = key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    return private.decode(), public.decode()
