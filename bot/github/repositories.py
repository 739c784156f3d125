"""Repositories, always by id: a renamed or transferred one stays the same here."""

from urllib.parse import quote

import msgspec

from bot.github.api import Api
from bot.github.failures import NotFound, Refused
from bot.github.gate import Urgency
from bot.github.shapes import Account, Person, fit


class RepositoryState(msgspec.Struct, frozen=True):
    """One repository as it is now."""

    id: int
    name: str
    full_name: str
    owner: Account
    default_branch: str
    private: bool
    archived: bool
    is_template: bool = False

    @property
    def owner_id(self) -> int:
        """The id of the account that holds it; another one after a transfer."""
        return self.owner.id

    @property
    def owner_login(self) -> str:
        """The present name of that account."""
        return self.owner.login


class _Object(msgspec.Struct, frozen=True):
    sha: str


class _Ref(msgspec.Struct, frozen=True):
    object: _Object


async def read(api: Api, repository_id: int) -> RepositoryState:
    """The repository. Raises NotFound where it is gone or no longer granted to us (docs/design.md section 4)."""
    return fit(RepositoryState, await api.read(f"/repositories/{repository_id}", repository_id=repository_id))


async def list_all(api: Api) -> list[RepositoryState]:
    """Every repository that the installation may touch."""
    return fit(list[RepositoryState], await api.pages("/installation/repositories", key="repositories"))


async def students(api: Api, repository_id: int) -> list[Person]:
    """The people who were added to this repository themselves, not by a team or as owners; bots left out."""
    path = f"/repositories/{repository_id}/collaborators?affiliation=direct"
    people = fit(list[Person], await api.pages(path, repository_id=repository_id))
    return [person for person in people if person.type == "User"]


async def head(api: Api, repository_id: int, branch: str, urgency: Urgency = Urgency.READ) -> str | None:
    """The commit a branch points at; None where there is no such branch, or nothing in the repository yet."""
    path = f"/repositories/{repository_id}/git/ref/heads/{quote(branch)}"
    try:
        return fit(_Ref, await api.read(path, repository_id=repository_id, urgency=urgency)).object.sha
    except NotFound:
        return None
    except Refused as refusal:
        # An empty repository has no refs at all: 409 "Git Repository is empty."
        if refusal.status == 409:
            return None
        raise
