"""repository_dispatch: accepted without a run's id, and never undone."""

import json
from typing import Any

from sandbox import actions, events
from sandbox.actions import Dispatch
from sandbox.bodies import field
from sandbox.errors import invalid
from sandbox.request import Answer, Request, on_repo

LONGEST_TYPE, MOST_KEYS, LONGEST_PAYLOAD = 100, 10, 65_535


def dispatch(request: Request) -> Answer:
    """POST /repos/{owner}/{repo}/dispatches"""
    repo, body = request.repo, request.body
    event_type = field(body, "event_type", str)
    payload = field(body, "client_payload", dict, {})
    _check(event_type, payload)
    repo.dispatches.append(Dispatch(request.world.clock.now(), event_type, payload))
    events.dispatched(repo, event_type, payload, request.user)
    actions.start_for_dispatch(repo, event_type, payload, request.user)
    return Answer(204)


def _check(event_type: str, payload: dict[str, Any]) -> None:
    if not 1 <= len(event_type) <= LONGEST_TYPE:
        raise invalid(f"For 'properties/event_type', 1 to {LONGEST_TYPE} characters are allowed.")
    if len(payload) > MOST_KEYS:
        raise invalid(f"No more than {MOST_KEYS} properties are allowed; {len(payload)} were supplied.")
    if len(json.dumps(payload)) > LONGEST_PAYLOAD:
        raise invalid("client_payload is too large.")


ROUTES = [on_repo("POST", "/dispatches", "contents:write", dispatch)]
