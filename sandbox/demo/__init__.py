"""The demo: a course of a hundred students plays against the real service, and what came of it is proven.

Three processes: the sandbox, the service, and this one, which directs. The director does what people do and what time
does; everything else is the service's. It lends the service nothing: they meet over HTTP, as in production.
"""

from sandbox.demo.ground import Broken, Ground
from sandbox.demo.play import Outcome, play
from sandbox.demo.playing import Pace, Playing

__all__ = ["Broken", "Ground", "Outcome", "Pace", "Playing", "play"]
