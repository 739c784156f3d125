"""The rules of the house (docs/design.md section 12) that a machine can keep; the ladder is in pyproject.toml."""

import ast
import re
import statistics
import tokenize
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import grimp
import pytest

from bot.jobs.registry import AT_ONCE, JOBS
from bot.slash.registry import COMMANDS
from bot.store import leases, queries
from bot.sweeper.ticker import TASKS
from bot.sweeper.work import TAKE
from bot.webhooks import payloads
from bot.webhooks.events import HANDLERS

ROOT = Path(__file__).parents[1]
BOT, SANDBOX, TESTS = (sorted((ROOT / room).rglob("*.py")) for room in ("bot", "sandbox", "tests"))
APP = ROOT / "app.py"
QUERIES, MIGRATIONS = (sorted((ROOT / "sql" / folder).glob("*.sql")) for folder in ("queries", "migrations"))

LONGEST_FILE, MEDIAN_FILE, LONGEST_FUNCTION = 250, 120, 40
ENVIRONMENT = {"environ", "environb", "getenv", "getenvb", "putenv"}
CLOCKS = {"datetime.now", "datetime.utcnow", "datetime.today", "date.today", "time.time", "time.time_ns"}
CLOCKS |= {"time.gmtime", "time.localtime", "time.ctime", "time.strftime"}
SLEEPS = {"time.sleep", "asyncio.sleep"}
EXCUSES = {"pytest.skip", "pytest.xfail", "pytest.importorskip", "mark.skip", "mark.skipif", "mark.xfail"}
GIT_DATES = {"author", "authored_at", "committed_at", "committer", "date", "head_commit", "timestamp"}
SERVER_TIMES = {"bot/github/activities.py", "bot/github/dates.py", "bot/jobs/activities.py"}
"""Where `timestamp` is the clock of GitHub's servers and not git's."""
WRITES_STATE = re.compile(r"(?:\bSET|,)\s*state\s*=|\bSET\s*\([^)]*\bstate\b|\bNEW\.state\s*:?=", re.IGNORECASE)
CHANGES_PROJECTS = re.compile(r"\b(?:UPDATE|INSERT\s+INTO)\s+projects\b", re.IGNORECASE)
SQL = re.compile(r"\s*(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH)\s")
SILENCED = re.compile(r"#\s*(?:noqa(?!: [A-Z]+\d+(?:, [A-Z]+\d+)* - \w)|type:\s*ignore(?!\[[\w, -]+\]\s+# \w))")

Function = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def parsed(file: Path) -> ast.Module:
    """The syntax of a file."""
    return ast.parse(file.read_text())


def mentions(file: Path) -> Iterator[str]:
    """Every name of the code as it is written, and as `module.name` where it is imported from a module."""
    for node in ast.walk(parsed(file)):
        match node:
            case ast.Name(id=name):
                yield name
            case ast.Attribute():
                yield from (node.attr, ".".join(ast.unparse(node).split(".")[-2:]))
            case ast.ImportFrom(module=module, names=aliases):
                yield from (alias.name for alias in aliases)
                yield from (f"{module}.{alias.name}" for alias in aliases)


def that_mention(files: Iterable[Path], names: set[str]) -> list[str]:
    """The files in which one of the names is used."""
    return [str(file.relative_to(ROOT)) for file in files if names & set(mentions(file))]


def comments(file: Path) -> Iterator[str]:
    """Every comment of a file."""
    with file.open("rb") as source:
        yield from (token.string for token in tokenize.tokenize(source.readline) if token.type == tokenize.COMMENT)


def functions(file: Path) -> list[Function]:
    """Every function and method of a file, inner ones too."""
    return [node for node in ast.walk(parsed(file)) if isinstance(node, Function)]


def public_functions(parent: ast.Module | ast.ClassDef) -> Iterator[Function]:
    """What others may call: neither private ones, nor attributes that are computed, nor mere signatures."""
    for node in parent.body:
        if isinstance(node, ast.ClassDef | Function) and node.name.startswith("_"):
            continue
        if isinstance(node, ast.ClassDef):
            yield from public_functions(node)
        elif isinstance(node, Function) and not {"property", "overload"} & set(map(ast.unparse, node.decorator_list)):
            yield node


@cache
def reach(package: str) -> frozenset[str]:
    """All that a package imports, directly or through others, outside itself."""
    graph = grimp.build_graph("bot", "sandbox", include_external_packages=True)
    found = graph.find_upstream_modules(package, as_package=True)
    return frozenset(found - graph.find_descendants(package) - {package})


def test_only_config_reads_the_environment() -> None:
    assert that_mention([*BOT, *SANDBOX, APP], ENVIRONMENT) == ["bot/config.py"]


def test_no_process_looks_at_its_own_clock() -> None:
    # It measures how far the process's clock lies from the database's.
    assert that_mention([*BOT, APP], CLOCKS) == ["bot/metrics.py"]


def test_no_webhook_body_gives_us_a_date_of_gits() -> None:
    fields = {name for kind in vars(payloads).values() for name in getattr(kind, "__struct_fields__", ())}
    fields |= {name for kind in vars(payloads).values() for name in getattr(kind, "__struct_encode_fields__", ())}

    assert fields & GIT_DATES == set()
    # Of a pushed commit nothing but its name is decoded.
    assert payloads.PushedCommit.__struct_fields__ == ("id",)


def test_no_date_of_gits_is_read_anywhere() -> None:
    assert that_mention(BOT, {"authored_at", "committed_at", "committer", "head_commit"}) == []
    assert set(that_mention(BOT, {"timestamp"})) <= SERVER_TIMES


def test_the_sandbox_does_not_know_the_service() -> None:
    assert {name for name in reach("sandbox") if name.split(".")[0] == "bot"} == set()


def test_a_tick_can_make_no_request() -> None:
    assert {name for name in reach("bot.sweeper") if name.startswith(("bot.github", "aiohttp", "gidgethub"))} == set()


def test_sql_is_written_in_the_store_alone() -> None:
    texts = {
        str(file.relative_to(ROOT)): node.value
        for file in BOT
        if file.parent.name != "store"
        for node in ast.walk(parsed(file))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and SQL.match(node.value)
    }

    assert texts == {}


def test_one_statement_writes_the_state_of_a_project() -> None:
    named = [(f"{file.stem}.{name}", text) for file in QUERIES for name, text in queries.load(file.stem).items()]
    steps = [(file.name, text) for file in MIGRATIONS for text in file.read_text().split(";")]
    writers = [name for name, text in named + steps if CHANGES_PROJECTS.search(text) and WRITES_STATE.search(text)]

    assert writers == ["projects.transition"]


def test_a_new_project_is_a_draft_by_the_columns_default() -> None:
    assert not re.search(r"\bstate\b", queries.load("projects")["create"].split(")")[0])


def test_each_query_file_belongs_to_the_store_module_of_its_name() -> None:
    loaders = {
        (file.stem, ast.literal_eval(node.args[0]))
        for file in BOT
        for node in ast.walk(parsed(file))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "queries.load"
    }

    assert loaders == {(file.stem, file.stem) for file in QUERIES}


def test_each_kind_of_work_is_taken_leased_and_done_under_one_name() -> None:
    kinds = set(leases.KINDS)

    assert kinds == set(TAKE) == set(JOBS) == set(AT_ONCE)
    assert {job.__module__ for job in JOBS.values()} == {f"bot.jobs.{kind}" for kind in kinds}
    assert kinds <= {file.stem for file in QUERIES}


def test_tasks_events_and_commands_live_in_files_of_their_names() -> None:
    tasks = {name: task.__module__ for name, task in TASKS.items() if name not in TAKE}
    events = {name: handler.__module__ for name, handler in HANDLERS.items() if handler}

    assert tasks == {name: f"bot.sweeper.{name}" for name in tasks}
    assert events == {name: f"bot.webhooks.{name}" for name in events}
    assert {command.run.__module__ for command in COMMANDS.values()} == {
        f"bot.slash.{name.replace(' ', '_')}" for name in COMMANDS
    }


@pytest.mark.parametrize("room", [BOT, SANDBOX], ids=["bot", "sandbox"])
def test_files_stay_small(room: list[Path]) -> None:
    lines = {file.relative_to(ROOT): len(file.read_text().splitlines()) for file in room}

    assert statistics.median(length for length in lines.values() if length) < MEDIAN_FILE
    assert {file: length for file, length in lines.items() if length > LONGEST_FILE} == {}


def test_functions_stay_small() -> None:
    lengths = {
        f"{file.relative_to(ROOT)}: {function.name}": (function.end_lineno or 0) - function.lineno + 1
        for file in [*BOT, *SANDBOX, APP]
        for function in functions(file)
    }

    assert {name: length for name, length in lengths.items() if length >= LONGEST_FUNCTION} == {}


def test_each_module_and_each_public_function_says_what_it_is_for() -> None:
    written = [file for file in [*BOT, *SANDBOX, APP] if file.read_text().strip()]
    silent = [str(file.relative_to(ROOT)) for file in written if not ast.get_docstring(parsed(file))]
    silent += [
        f"{file.relative_to(ROOT)}: {function.name}"
        for file in written
        for function in public_functions(parsed(file))
        if not ast.get_docstring(function)
    ]

    assert silent == []


def test_no_check_is_silenced_without_a_reason() -> None:
    files = [*BOT, *SANDBOX, APP, *TESTS]

    assert [(file.name, text) for file in files for text in comments(file) if SILENCED.match(text)] == []


def test_no_test_sleeps_or_is_skipped_or_moves_pythons_clock() -> None:
    assert that_mention(TESTS, SLEEPS | EXCUSES | {"freezegun", "time_machine"}) == []
