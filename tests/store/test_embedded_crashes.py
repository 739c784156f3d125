"""Whatever is killed: an acknowledged row survives, the next start heals, and the server ends with its last user."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import asyncpg
import pytest

from bot.store import embedded

ROOT = Path(__file__).parents[2]
# A user that never lets go by itself.
USER = """
import sys
from bot.store import embedded
print(embedded.start(sys.argv[1], announce=print).dsn, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    with embedded.temporary_folder() as path:
        yield Path(path)


@contextmanager
def running(folder: Path) -> Iterator[str]:
    use = embedded.start(str(folder), announce=print)
    try:
        yield use.dsn
    finally:
        use.release()


def starter_of(folder: Path) -> "subprocess.Popen[str]":
    """A user that may have to start the server yet, as the head of a process group of its own."""
    return subprocess.Popen(
        [sys.executable, "-c", USER, str(folder)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        process_group=0,
    )


def user_of(folder: Path) -> "subprocess.Popen[str]":
    """A user that has the server."""
    user = starter_of(folder)
    assert user.stdout
    assert user.stdout.readline().startswith("postgresql://")
    return user


def kill(user: "subprocess.Popen[str]") -> None:
    os.killpg(user.pid, signal.SIGKILL)
    user.communicate()


def postmaster(folder: Path) -> int:
    return int((folder / "pg" / "postmaster.pid").read_text().split()[0])


def keeper(folder: Path) -> int:
    """The server's parent."""
    status = Path(f"/proc/{postmaster(folder)}/status").read_text()
    return int(status.partition("PPid:")[2].split()[0])


def answers(dsn: str) -> bool:
    async def one() -> bool:
        connection = await asyncpg.connect(dsn)
        await connection.close()
        return True

    try:
        return asyncio.run(one())
    except (OSError, asyncpg.PostgresError):
        return False


def test_the_server_stays_while_one_user_is_left_and_ends_when_the_last_is_killed(folder: Path) -> None:
    first, second = user_of(folder), user_of(folder)
    with running(folder) as dsn:
        pass

    kill(first)
    stays = answers(dsn)
    kill(second)
    embedded.wait_until_stopped(folder)

    assert stays
    assert not answers(dsn)


def test_a_user_who_comes_while_the_server_is_stopping_gets_a_new_one(folder: Path) -> None:
    for _ in range(5):
        with running(folder) as dsn:
            assert answers(dsn)


def test_a_starter_killed_while_it_makes_the_cluster_does_not_hinder_the_next(folder: Path) -> None:
    starter = starter_of(folder)
    while not (folder / "pg.new" / "global").exists() and starter.poll() is None:
        pass
    starter.kill()
    starter.communicate()
    assert not (folder / "pg").exists()

    with running(folder) as dsn:
        assert answers(dsn)


@pytest.mark.parametrize("victims", ["server", "keeper", "server and keeper"])
async def test_acknowledged_rows_survive_and_the_next_start_heals(folder: Path, victims: str) -> None:
    async with embedded.server(str(folder), announce=print) as dsn:
        acknowledged = await write_until_killed(dsn, folder, victims)
        async with embedded.server(str(folder), announce=print) as again:
            connection = await asyncpg.connect(again)
            kept = {row["x"] for row in await connection.fetch("SELECT x FROM kept")}
            await connection.close()

    assert len(acknowledged) >= 200
    assert acknowledged <= kept


async def write_until_killed(dsn: str, folder: Path, victims: str) -> set[int]:
    """Eight writers at work; once they have written enough, kill. Returns the rows that were acknowledged."""
    enough, acknowledged = asyncio.Event(), set[int]()
    connections = [await asyncpg.connect(dsn) for _ in range(8)]
    await connections[0].execute("CREATE TABLE kept (x int)")
    writers = [
        asyncio.create_task(write(connection, range(first, 10**9, 8), acknowledged, enough))
        for first, connection in enumerate(connections)
    ]
    await asyncio.wait_for(enough.wait(), 30)
    numbers = {"server": postmaster(folder), "keeper": keeper(folder)}
    for victim in victims.split(" and "):
        os.kill(numbers[victim], signal.SIGKILL)
    await asyncio.wait_for(asyncio.gather(*writers), 30)
    return acknowledged


async def write(
    connection: "asyncpg.Connection[asyncpg.Record]", numbers: range, acknowledged: set[int], enough: asyncio.Event
) -> None:
    """Write rows one by one until the server is gone, noting each that was acknowledged."""
    try:
        for number in numbers:
            await connection.execute("INSERT INTO kept VALUES ($1)", number)
            acknowledged.add(number)
            if len(acknowledged) >= 200:
                enough.set()
    except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError):
        connection.terminate()


def test_a_dead_servers_process_id_may_be_another_process_by_now(folder: Path) -> None:
    with running(folder):
        pass
    embedded.wait_until_stopped(folder)
    with embedded.temporary_folder() as elsewhere, running(Path(elsewhere)) as other:
        taken = (Path(elsewhere) / "pg" / "postmaster.pid").read_text()
        (folder / "pg" / "postmaster.pid").write_text(taken)
        (folder / "run" / ".s.PGSQL.5432.lock").write_text(taken)

        with running(folder) as dsn:
            assert answers(dsn)
            assert answers(other)
