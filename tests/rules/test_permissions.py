"""What the App needs is what its manifest asks for; less than that is named."""

from pathlib import Path

import pytest
import yaml

from bot.rules.permissions import NEEDED, missing

MANIFEST = yaml.safe_load((Path(__file__).parents[2] / "app-manifest.yml").read_text())


def test_what_is_needed_is_what_the_manifest_asks_for() -> None:
    assert MANIFEST["default_permissions"] == NEEDED


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({}, []),
        ({"issues": "read"}, ["issues: write"]),
        ({"actions": "write"}, []),
        ({"organization_administration": ""}, ["organization_administration: write"]),
        ({"checks": "something new"}, ["checks: write"]),
        ({"administration": "admin"}, []),
    ],
)
def test_what_is_granted_less_than_needed_is_named(change: dict[str, str], named: list[str]) -> None:
    assert missing({**NEEDED, **change}) == named


def test_without_any_permission_all_are_missing() -> None:
    assert len(missing({})) == len(NEEDED)
