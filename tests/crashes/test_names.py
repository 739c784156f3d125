"""The list of failpoints is the code's, and none can be armed against GitHub itself."""

import re
from pathlib import Path

import pytest

from bot import failpoints
from bot.config import ConfigError, load_config
from sandbox.world import World

BOT = Path(__file__).parents[2] / "bot"
REACHED = re.compile(r'failpoints\.reach\("([^"]+)"\)')
SETTINGS = {
    "APP_ID": "1",
    "PRIVATE_KEY": World().app.private_key,
    "WEBHOOK_SECRET": "secret",
    "FAILPOINT": "lock.trying",
}


def test_each_point_of_the_code_is_in_the_list() -> None:
    reached = {name for file in BOT.rglob("*.py") for name in REACHED.findall(file.read_text())}

    assert reached <= failpoints.NAMES.keys()
    # The two that the ticker spells by the name of its task.
    assert failpoints.NAMES.keys() - reached == {"deadlines.committed", "freezes.committed"}


def test_a_failpoint_is_refused_unless_github_is_on_this_machine() -> None:
    with pytest.raises(ConfigError, match="FAILPOINT kills the process"):
        load_config(SETTINGS)

    assert load_config(SETTINGS | {"GITHUB_API_URL": "http://127.0.0.1:1"}).failpoint == "lock.trying"


@pytest.mark.parametrize("spec", ["lock.never", "lock.trying:often"])
def test_a_point_that_does_not_exist_cannot_be_armed(spec: str) -> None:
    with pytest.raises(ValueError, match=r"there is no point|is not how often"):
        failpoints.arm(spec)


def test_in_production_no_point_does_anything() -> None:
    failpoints.arm("")

    for name in failpoints.NAMES:
        failpoints.reach(name)
