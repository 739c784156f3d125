"""The schema's steps: each runs once whoever comes, a cut or a failure heals, and what has landed stays as it was."""

import asyncio
import subprocess
import sys
from pathlib import Path

import asyncpg
import pytest

from bot.config import ConfigError
from bot.store import migrations
from bot.store.pool import open_connection
from tests.store.sessions import PATIENCE_SECONDS

ROOT = Path(__file__).parents[2]
MIGRATE = """
import asyncio, pathlib, sys
from bot.store import migrations
print(len(asyncio.run(migrations.migrate(sys.argv[1], pathlib.Path(sys.argv[2])))))
"""
STEPS = {
    "0001_table": "CREATE TABLE landed (step text); INSERT INTO landed VALUES ('one; and $$');",
    "0002_function": "CREATE FUNCTION two() RETURNS int LANGUAGE sql AS $$\n    SELECT 2;\n$$;\nSELECT pg_sleep(0.3);",
    "0003_index": "-- migrate: no-transaction\nDROP INDEX CONCURRENTLY IF EXISTS by_step;\n"
    "CREATE INDEX CONCURRENTLY by_step ON landed (step);\n",
}


def write(folder: Path, **steps: str) -> Path:
    for name, sql in steps.items():
        (folder / f"{name.removeprefix('_')}.sql").write_text(sql)
    return folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Steps of each kind: plain, slow with a function body, and one that bears no transaction."""
    return write(tmp_path, **STEPS)


def process(dsn: str, folder: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen([sys.executable, "-c", MIGRATE, dsn, str(folder)], cwd=ROOT, stdout=-1, text=True)


async def test_eight_processes_at_once_all_succeed_and_each_step_runs_once(empty_dsn: str, folder: Path) -> None:
    processes = [process(empty_dsn, folder) for _ in range(8)]
    said = [(await asyncio.to_thread(each.communicate))[0].strip() for each in processes]

    assert [each.returncode for each in processes] == [0] * 8
    assert sorted(said) == ["0"] * 7 + ["3"]
    async with open_connection(empty_dsn) as connection:
        assert await connection.fetchval("SELECT count(*) FROM landed") == 1
        assert await connection.fetchval("SELECT indisvalid FROM pg_index WHERE indexrelid = 'by_step'::regclass")


async def test_a_step_cut_by_a_kill_leaves_nothing_and_the_next_process_goes_on(empty_dsn: str, tmp_path: Path) -> None:
    write(tmp_path, _0001_endless="CREATE TABLE once (x int); SELECT pg_sleep(600);")
    victim = process(empty_dsn, tmp_path)
    async with open_connection(empty_dsn) as watcher, asyncio.timeout(PATIENCE_SECONDS):
        while not await watcher.fetchval("SELECT EXISTS (SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep')"):
            pass
    victim.kill()
    victim.communicate()
    write(tmp_path, _0001_endless="CREATE TABLE once (x int);")

    assert await asyncio.wait_for(migrations.migrate(empty_dsn, tmp_path), PATIENCE_SECONDS) == ["0001_endless"]


async def test_a_failing_step_leaves_nothing_of_itself_and_those_before_it_stay(empty_dsn: str, tmp_path: Path) -> None:
    write(tmp_path, _0001_good="CREATE TABLE good ();", _0002_bad="CREATE TABLE half (); SELECT nonsense;")

    with pytest.raises(asyncpg.UndefinedColumnError):
        await migrations.migrate(empty_dsn, tmp_path)

    async with open_connection(empty_dsn) as connection:
        assert await connection.fetchval("SELECT to_regclass('good') IS NOT NULL AND to_regclass('half') IS NULL")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"_0002_b": "SELECT 3;"}, "0002_b was edited"),
        ({"_0002_b": None}, "0002_b has landed, but its file is gone"),
        ({"_0001_late": "SELECT 1;", "_0001_a": None, "_0000_a": "SELECT 1;"}, "number it later"),
        ({"_0003_again": "SELECT 1;"}, "a number of its own"),
        ({"_4_short": "SELECT 1;"}, "NNNN_name"),
    ],
)
async def test_what_has_landed_is_not_to_be_changed(
    empty_dsn: str, tmp_path: Path, change: dict[str, str | None], problem: str
) -> None:
    write(tmp_path, _0001_a="SELECT 1;", _0002_b="SELECT 2;", _0003_c="SELECT 3;")
    await migrations.migrate(empty_dsn, tmp_path)
    for name, sql in change.items():
        file = tmp_path / f"{name.removeprefix('_')}.sql"
        file.write_text(sql) if sql else file.unlink()

    with pytest.raises(ConfigError, match=problem):
        await migrations.migrate(empty_dsn, tmp_path)


async def test_a_process_of_an_older_release_starts_on_a_newer_database(empty_dsn: str, tmp_path: Path) -> None:
    write(tmp_path, _0001_a="SELECT 1;", _0002_b="SELECT 2;")
    await migrations.migrate(empty_dsn, tmp_path)
    (tmp_path / "0002_b.sql").unlink()

    assert await migrations.migrate(empty_dsn, tmp_path) == []


async def test_a_table_in_use_is_waited_for_without_queueing_everybody_behind(empty_dsn: str, tmp_path: Path) -> None:
    write(tmp_path, _0001_a="CREATE TABLE busy (x int);")
    await migrations.migrate(empty_dsn, tmp_path)
    write(tmp_path, _0002_b="ALTER TABLE busy ADD COLUMN y int;")
    gave_way = "SELECT NOT EXISTS (SELECT FROM pg_locks WHERE NOT granted)"

    async with (
        open_connection(empty_dsn) as user,
        open_connection(empty_dsn) as watcher,
        asyncio.timeout(PATIENCE_SECONDS),
    ):
        async with user.transaction():
            await user.execute("SELECT * FROM busy")
            task = asyncio.create_task(migrations.migrate(empty_dsn, tmp_path))
            while await watcher.fetchval(gave_way):
                pass
            while not await watcher.fetchval(gave_way):
                pass
        assert await task == ["0002_b"]


async def test_the_projects_own_steps_run_once(dsn: str) -> None:
    assert await migrations.migrate(dsn) == []
