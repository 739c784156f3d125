"""The way of one call to GitHub: through the gate, with a credential, tried again where that can do no harm."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import stamina

from bot.github.auth import Credential
from bot.github.client import Answer, GitHubClient
from bot.github.failures import Closing, GitHubFailure, Limited, NotFound, Unauthorised
from bot.github.gate import Call, Gate, pass_through

Observe = Callable[[str, int | str], None]
"""Told of every exchange: which kind of thing it was about, and the status, or `no answer`."""

_KINDS = frozenset(
    {
        "access_tokens",
        "activity",
        "annotations",
        "check-runs",
        "check-suites",
        "collaborators",
        "comments",
        "commits",
        "compare",
        "deliveries",
        "dispatches",
        "installations",
        "issues",
        "members",
        "memberships",
        "orgs",
        "reactions",
        "ref",
        "refs",
        "repositories",
        "rules",
        "rulesets",
        "runs",
        "teams",
    }
)


@dataclass(frozen=True, slots=True)
class Door:
    """All that calls of one identity share. The App's own calls pass no gate: they cost no budget."""

    client: GitHubClient
    credential: Credential
    gate: Gate | None
    observe: Observe
    patience_seconds: float
    closing: asyncio.Event
    """Set once the process ends: what is under way is finished, and no further call begins."""

    async def send(self, call: Call, *, url: str | None = None, body: object = None, attempts: int = 1) -> Answer:
        """The answer to `call`, sent to its path or to `url`; at most `attempts` times while the outcome is unknown.

        Raises a GitHubFailure. A limit pauses the installation before it is raised (docs/design.md section 5).
        """

        async def once() -> Answer:
            return await self._authorised(call, url or call.path, body)

        again = stamina.AsyncRetryingCaller(
            attempts=attempts, timeout=None, wait_initial=0.2, wait_max=2.0, wait_jitter=0.2
        )
        try:
            answer = await again(_is_ambiguous, once)
        except Limited as limit:
            if self.gate is not None:
                await self.gate.pause(call, limit.after_seconds)
            raise
        if answer.moved and self.gate is not None:
            await self.gate.moved(call)
        return answer

    async def _authorised(self, call: Call, url: str, body: object) -> Answer:
        """One try, repeated once with a new credential where the old one may be to blame for a definite no."""
        async with self._admitted(call):
            secret = await self.credential.secret()
            try:
                return await self._ask(call, secret, url, body)
            except (Unauthorised, NotFound) as refusal:
                if isinstance(refusal, NotFound) and not _may_be_hidden(call.path):
                    raise
                self.credential.refused(secret)
        async with self._admitted(call):
            return await self._ask(call, await self.credential.secret(), url, body)

    @asynccontextmanager
    async def _admitted(self, call: Call) -> AsyncIterator[None]:
        if self.gate is None:
            if self.closing.is_set():
                raise Closing(method=call.method, path=call.path)
            yield
            return
        await pass_through(self.gate, call, patience_seconds=self.patience_seconds, closing=self.closing)
        try:
            yield
        finally:
            self.gate.done(call)

    async def _ask(self, call: Call, secret: str, url: str, body: object) -> Answer:
        # Nothing is waited for between this and the client's first step: a call that is not out was not begun.
        before, call.passage.out = call.passage.out, True
        try:
            answer = await self.client.ask(secret, call.method, url, body)
        except GitHubFailure as failure:
            if not failure.ambiguous:
                call.passage.out = before
            self.observe(kind_of(call.path), failure.status or "no answer")
            raise
        self.observe(kind_of(call.path), answer.status)
        return answer


def _may_be_hidden(path: str) -> bool:
    """Whether a 404 at this path may come of what the token may see, and not of what there is (section 4)."""
    return path.startswith("/repositories/") or "/rulesets" in path


def kind_of(path: str) -> str:
    """The noun that a path is about, from a closed list: `/orgs/x/rulesets/7` is about `rulesets`."""
    return next((part for part in reversed(path.split("?")[0].split("/")) if part in _KINDS), "other")


def _is_ambiguous(error: Exception) -> bool:
    return isinstance(error, GitHubFailure) and error.ambiguous
