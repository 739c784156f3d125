"""One attempt to tell the App something."""

import json
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

# docs, webhooks: how long the log of an App's deliveries goes back.
KEPT = timedelta(days=3)


@dataclass(eq=False)
class Delivery:
    """A delivery as the log shows it; a redelivery is another one with the same GUID.

    `delivered_at` is when the attempt was made; for one that is still held, when there was something to tell.
    """

    id: int
    guid: str
    event: str
    action: str | None
    installation_id: int | None
    repository_id: int | None
    body: bytes
    delivered_at: datetime
    redelivery: bool = False
    duration: float = 0.0
    status: str = "pending"
    status_code: int = 0
    request_headers: dict[str, str] = field(default_factory=dict)
    response_headers: dict[str, str] = field(default_factory=dict)
    response_body: str | None = None
    forgotten: bool = False
    payload_lost: bool = False

    @property
    def payload(self) -> dict[str, Any]:
        """The body, parsed."""
        parsed: dict[str, Any] = json.loads(self.body)
        return parsed

    @property
    def arrived(self) -> bool:
        """Whether it was answered with success."""
        return self.status == "OK"

    def is_logged(self, now: datetime) -> bool:
        """Whether GitHub's log still has it, or has it already: what was never attempted was never logged."""
        return self.status != "pending" and not self.forgotten and self.delivered_at > now - KEPT

    def again(self, new_id: int, at: datetime) -> "Delivery":
        """The same message for another attempt."""
        return Delivery(
            new_id,
            self.guid,
            self.event,
            self.action,
            self.installation_id,
            self.repository_id,
            self.body,
            at,
            redelivery=True,
        )

    def ended(self, status: str, status_code: int) -> None:
        """It was not answered."""
        self.status, self.status_code = status, status_code

    def answered(self, status_code: int, headers: dict[str, str], body: str) -> None:
        """It was answered, well or badly."""
        self.status = "OK" if 200 <= status_code < 300 else f"Invalid HTTP Response: {status_code}"
        self.status_code, self.response_headers, self.response_body = status_code, headers, body
