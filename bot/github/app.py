"""The App itself."""

import msgspec

from bot.github.hub import Hub
from bot.github.shapes import fit


class _App(msgspec.Struct, frozen=True):
    slug: str


async def bot_login(hub: Hub) -> str:
    """The login under which the App pushes and comments, as webhooks name it ("Get the authenticated app")."""
    return f"{fit(_App, await hub.app().read('/app')).slug}[bot]"
