"""The App's webhook: what was told, how it was answered, and the ways it can go wrong on the way."""

import asyncio
import hashlib
import hmac
import json
import uuid
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Literal

import aiohttp

from sandbox.delivery import Delivery

if TYPE_CHECKING:
    from sandbox.world import World

Order = Literal["reversed"] | Callable[[list[Delivery]], Sequence[Delivery]] | None
# Best practices for using webhooks: GitHub gives up on an answer after ten seconds.
ANSWER_WITHIN = aiohttp.ClientTimeout(total=10)
FAILED_TO_CONNECT = ("failed to connect to host", 502)
TIMED_OUT = ("timed out", 504)
NOT_SENT = ("not sent", 0)


class Hook:
    """Deliveries are made by eight workers while the world is served, each once: GitHub never repeats one by itself.

    `log` is all there ever was. What GitHub's own log shows of it, `Delivery.is_logged` says.
    """

    workers = 8

    def __init__(self, world: "World") -> None:
        self._world = world
        self.log: list[Delivery] = []
        self._held: list[Delivery] | None = None
        self._mishaps: list[tuple[str, str | None]] = []
        self._queue: asyncio.Queue[Sequence[Delivery]] = asyncio.Queue()
        self._session: aiohttp.ClientSession | None = None

    def emit(
        self, event: str, payload: dict[str, Any], installation_id: int | None, repository_id: int | None
    ) -> Delivery:
        """Tell the App something. The payload is fixed now, whenever it arrives."""
        body = json.dumps(payload, separators=(",", ":"), ensure_ascii=False).encode()
        delivery = Delivery(
            self._world.ids.large(),
            str(uuid.uuid4()),
            event,
            payload.get("action"),
            installation_id,
            repository_id,
            body,
            self._world.clock.now(),
        )
        return self._enter(delivery)

    def redeliver(self, guid: str) -> Delivery:
        """Send a delivery again, under the same GUID, even one GitHub's log has lost. Raises KeyError if none was."""
        first = next((one for one in self.log if one.guid == guid), None)
        if first is None:
            raise KeyError(guid)
        return self._enter(first.again(self._world.ids.large(), self._world.clock.now()))

    def drop(self, event: str | None = None, times: int = 1) -> None:
        """The next deliveries (of this event) never arrive; the log shows that they could not be made."""
        self._mishaps += [("drop", event)] * times

    def duplicate(self, event: str | None = None, times: int = 1) -> None:
        """The next deliveries (of this event) arrive twice."""
        self._mishaps += [("duplicate", event)] * times

    def hold(self) -> None:
        """Keep deliveries back from now on."""
        self._held = self._held or []

    def release(self, order: Order = None) -> None:
        """Deliver what was held, strictly one after the other: as it came, `reversed`, or as a function arranges it.

        What the function leaves out was tried in vain, as the log shows.
        """
        held, self._held = self._held or [], None
        arranged = held[::-1] if order == "reversed" else order(held) if callable(order) else held
        for one in held:
            if one not in arranged:
                one.ended(*FAILED_TO_CONNECT)
        if arranged:
            self._queue.put_nowait(list(arranged))

    def forget(self, wanted: Callable[[Delivery], bool]) -> int:
        """Let GitHub's log lose these deliveries before their three days are over; returns how many."""
        gone = [one for one in self.log if not one.forgotten and wanted(one)]
        for one in gone:
            one.forgotten = True
        return len(gone)

    def lose_payload(self, wanted: Callable[[Delivery], bool]) -> int:
        """Let the details of these deliveries say nothing of what was sent; returns how many."""
        bare = [one for one in self.log if not one.payload_lost and wanted(one)]
        for one in bare:
            one.payload_lost = True
        return len(bare)

    @property
    def held(self) -> list[Delivery]:
        """What waits for `release`."""
        return list(self._held or ())

    async def idle(self) -> None:
        """Wait until everything that is not held has been delivered and answered."""
        if self._session is None:
            raise RuntimeError("nothing is delivered before the world is served")
        await self._queue.join()

    @asynccontextmanager
    async def delivering(self) -> AsyncIterator[None]:
        """Deliver while the block runs."""
        async with aiohttp.ClientSession(timeout=ANSWER_WITHIN) as self._session:
            workers = [asyncio.create_task(self._work()) for _ in range(self.workers)]
            try:
                yield
            finally:
                for worker in workers:
                    worker.cancel()
                await asyncio.gather(*workers, return_exceptions=True)
        self._session = None

    def _enter(self, delivery: Delivery) -> Delivery:
        self.log.append(delivery)
        mishap = self._take_mishap(delivery.event)
        if self._world.app.webhook_url is None:
            delivery.ended(*NOT_SENT)
        elif mishap == "drop":
            delivery.ended(*FAILED_TO_CONNECT)
        elif self._held is not None:
            self._held.append(delivery)
        else:
            self._queue.put_nowait([delivery] * (2 if mishap == "duplicate" else 1))
        return delivery

    def _take_mishap(self, event: str) -> str | None:
        found = next((one for one in self._mishaps if one[1] in (None, event)), None)
        if found is None:
            return None
        self._mishaps.remove(found)
        return found[0]

    async def _work(self) -> None:
        while True:
            batch = await self._queue.get()
            try:
                for delivery in batch:
                    await self._deliver(delivery)
            finally:
                self._queue.task_done()

    async def _deliver(self, delivery: Delivery) -> None:
        url = self._world.app.webhook_url
        if self._session is None or url is None:
            delivery.ended(*NOT_SENT)
            return
        delivery.delivered_at = self._world.clock.now()
        headers = delivery.request_headers = self._headers(delivery)
        began = asyncio.get_running_loop().time()
        try:
            async with self._session.post(url, data=delivery.body, headers=headers, allow_redirects=False) as answer:
                delivery.answered(answer.status, dict(answer.headers), await answer.text(errors="replace"))
        except TimeoutError:
            delivery.ended(*TIMED_OUT)
        except aiohttp.ClientError:
            delivery.ended(*FAILED_TO_CONNECT)
        delivery.duration = round(asyncio.get_running_loop().time() - began, 2)

    def _headers(self, delivery: Delivery) -> dict[str, str]:
        app = self._world.app
        headers = {
            "Accept": "*/*",
            "Content-Type": "application/json",
            "User-Agent": "GitHub-Hookshot/5a0de50",
            "X-GitHub-Delivery": delivery.guid,
            "X-GitHub-Event": delivery.event,
            "X-GitHub-Hook-ID": str(app.hook_id),
            "X-GitHub-Hook-Installation-Target-ID": str(app.id),
            "X-GitHub-Hook-Installation-Target-Type": "integration",
        }
        if app.webhook_secret:
            key = app.webhook_secret.encode()
            headers["X-Hub-Signature"] = "sha1=" + hmac.new(key, delivery.body, hashlib.sha1).hexdigest()
            headers["X-Hub-Signature-256"] = "sha256=" + hmac.new(key, delivery.body, hashlib.sha256).hexdigest()
        return headers
