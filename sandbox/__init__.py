"""GitHub as state behind real HTTP: what the tests, the demo and the benchmarks run the service against.

A `World` holds organisations, repositories, people and one GitHub App as plain Python objects. The builders
(`world.organisation`, `org.repository`, `repo.push`, `issue.comment`, ...) are what people do on GitHub; `serving`
offers the same state over the REST API, and every change is told to the App by signed webhooks. It imitates GitHub at
its HTTP boundary only: what is not imitated answers 501 and is counted in `world.unknown_routes`.

It never imports `bot`, and `bot` never imports it: the two meet over HTTP, as in production.
"""

from sandbox.actions import Workflow
from sandbox.clock import Clock
from sandbox.errors import PushRefused
from sandbox.faults import Fault
from sandbox.server import serving
from sandbox.world import World

__all__ = ["Clock", "Fault", "PushRefused", "Workflow", "World", "serving"]
