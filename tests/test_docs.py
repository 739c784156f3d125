"""What the documents say is what the code does, wherever a machine can compare the two."""

import re
from pathlib import Path

import msgspec
import pytest

from bot.config import Config
from bot.rules.states import EDGES
from bot.slash.registry import readme_table

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
DECISIONS = sorted((ROOT / "docs" / "adr").glob("[0-9]*.md"))
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
COMMANDS = re.compile(r"<!-- commands.*?-->\n\n(.*?)\n\n<!-- end of commands -->", re.DOTALL)
LINK = re.compile(r"\]\((?!https?:)([^)#]+)")
NAMED_PATH = re.compile(r"`((?:bot|docs|sandbox|sql|tests)/[\w./-]*)`")


def test_the_readmes_commands_are_those_of_the_code() -> None:
    assert COMMANDS.findall(README) == [readme_table()]


def test_the_readmes_settings_and_defaults_are_those_of_config() -> None:
    rows = dict(re.findall(r"^\| `([A-Z_]+)` \| (.+?) \|", README, re.MULTILINE))
    defaults = {field.name.upper(): field.default for field in msgspec.structs.fields(Config)}
    said = {name: "required" if value is msgspec.NODEFAULT else f"`{value}`" for name, value in defaults.items()}

    assert rows == {name: "none" if text == "``" else text for name, text in said.items()} | {
        "PRIVATE_KEY_PATH": "none"
    }


def test_the_example_of_an_environment_file_has_each_setting() -> None:
    named = re.findall(r"^#?([A-Z_]+)=", (ROOT / ".env.example").read_text(), re.MULTILINE)
    settings = {field.name.upper() for field in msgspec.structs.fields(Config)}

    assert set(named) == settings | {"PRIVATE_KEY_PATH", "POSTGRES_PASSWORD"}


def test_the_readme_draws_each_edge_of_a_projects_life() -> None:
    assert set(re.findall(r"^ +(\w+) --> (\w+):", README, re.MULTILINE)) == {(str(a), str(b)) for a, b in EDGES}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_no_link_of_a_page_leads_nowhere(page: Path) -> None:
    assert [link for link in LINK.findall(page.read_text()) if not (page.parent / link).exists()] == []


def test_each_path_that_the_architecture_names_is_there() -> None:
    named = NAMED_PATH.findall((ROOT / "docs" / "architecture.md").read_text())

    assert [path for path in named if not (ROOT / path).exists()] == []


def test_the_architecture_lists_each_table() -> None:
    tables = re.findall(r"^CREATE TABLE public\.(\w+)", (ROOT / "sql" / "schema.sql").read_text(), re.MULTILINE)
    text = (ROOT / "docs" / "architecture.md").read_text()

    assert [table for table in tables if f"`{table}`" not in text] == []


def test_each_decision_is_listed_numbered_in_turn_and_says_what_was_rejected() -> None:
    numbers = [int(decision.name[:4]) for decision in DECISIONS]
    index = (ROOT / "docs" / "adr" / "README.md").read_text()
    headings = ["## Context", "## Decision", "## Consequences", "## Rejected"]

    assert numbers == list(range(1, len(DECISIONS) + 1))
    assert [decision.name for decision in DECISIONS if f"]({decision.name})" not in index] == []
    assert [it.name for it in DECISIONS if re.findall(r"^## .*", it.read_text(), re.MULTILINE) != headings] == []
