"""Structured logs: one action word a line, bound context, never a secret (docs/design.md section 13)."""

import logging
import re
import sys
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from typing import Any

import structlog

SECRET = re.compile(
    r"(gh[a-z]_|github_pat_)[\w.\-]+|eyJ[\w\-]+\.[\w\-]+\.[\w\-]+"
    r"|-----BEGIN[^-]+PRIVATE KEY-----.*?-----END[^-]+KEY-----"
    r"|(?<=://)[^/\s:@]+:[^/\s@]+(?=@)",
    re.DOTALL,
)
MASK = "[secret]"


def configure(level: str, form: str) -> None:
    """Log to standard error at `level`, as `text` for people or `json` for machines."""
    renderer: Any = (
        structlog.processors.JSONRenderer() if form == "json" else structlog.dev.ConsoleRenderer(colors=False)
    )
    tracebacks = (
        [structlog.processors.format_exc_info] if form == "json" else [structlog.processors.ExceptionRenderer()]
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            *tracebacks,
            mask,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, level.upper())),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )


def get() -> Any:
    """The logger; `get().info("what happened", action="noun.verb", ...)`."""
    return structlog.get_logger()


@contextmanager
def bound(**context: object) -> Iterator[None]:
    """Every line within carries this context: delivery id, repository, lease."""
    with structlog.contextvars.bound_contextvars(**context):
        yield


def mask(_logger: object, _method: str, entry: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Tokens, keys and passwords never reach a log, also not within an exception's text."""
    return {name: SECRET.sub(MASK, value) if isinstance(value, str) else value for name, value in entry.items()}
