"""Every refusal teaches: a stable code, the reason, and what to type or do instead (docs/design.md section 10)."""

import inspect
import itertools
import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from bot.errors import Told
from bot.text import refusals
from bot.text.replies import refusal

from .voice import HOSTILE, check_voice

DEADLINE = datetime(2026, 12, 1, 22, 59, tzinfo=UTC)
# What a parameter of this name can be; whatever is not here is a person's own text.
VALUES: dict[str, list[Any]] = {
    "who": ["owner", "staff", "student"],
    "teams": ["`@prog1/teachers`"],
    "zone": ["Europe/Zurich"],
    "state": ["open", "closed"],
    "near": ["extend", None],
    "issue_number": [3],
    "globs": [[HOSTILE], ["lab1-*", HOSTILE]],
    "left_out": [[], [(HOSTILE, "takes part already")]],
}
BY_TYPE: dict[Any, list[Any]] = {datetime: [DEADLINE], bool: [True, False], int: [3]}
MAKERS = {
    name: maker
    for name, maker in vars(refusals).items()
    if inspect.isfunction(maker) and maker.__module__ == refusals.__name__ and not name.startswith("_")
}


def every(maker: Callable[..., Told]) -> Iterator[Told]:
    """The refusal with each combination of what it can be told."""
    parameters = inspect.signature(maker).parameters.values()
    yield from (maker(*arguments) for arguments in itertools.product(*(_choices(maker, it) for it in parameters)))


def _choices(maker: Callable[..., Told], parameter: inspect.Parameter) -> list[Any]:
    # A command's name was read as a word before anybody could be refused for it.
    if maker is refusals.unknown_command and parameter.name == "name":
        return ["extnd"]
    return VALUES.get(parameter.name) or BY_TYPE.get(parameter.annotation, [HOSTILE])


@pytest.mark.parametrize("name", MAKERS)
def test_it_has_a_stable_code_a_reason_and_a_way_on_and_speaks_in_the_bots_voice(name: str) -> None:
    for told in every(MAKERS[name]):
        assert re.fullmatch(r"E(-[A-Z]+)+", told.code)
        assert told.reason.endswith("."), told.reason
        assert told.instead.endswith((".", "?")), told.instead
        check_voice(refusal("/x", told).text)


@pytest.mark.parametrize("name", MAKERS)
def test_a_time_in_it_names_the_zone_and_utc(name: str) -> None:
    for told in every(MAKERS[name]):
        if "23:59" in told.reason:
            assert "Europe/Zurich" in told.reason
            assert "22:59:00 UTC" in told.reason


def test_only_people_who_may_give_a_command_are_pointed_to() -> None:
    assert refusals.not_allowed("owner", "").instead == "Ask one of them to write it."
    assert refusals.not_allowed("student", "").instead == (
        "In their own repository students can use `/status` and `/evidence`."
    )
    assert refusals.not_allowed("students", "").instead == "Write it in an issue of your own repository."
    assert "`@prog1/teachers`" in refusals.not_allowed("staff", "`@prog1/teachers`").reason


def test_a_near_miss_is_named_and_a_far_one_is_not() -> None:
    assert refusals.unknown_command("extnd", "extend").instead == "Did you mean `/extend`?"
    assert refusals.unknown_command("extnd", None).instead == "`/help` lists them all."
