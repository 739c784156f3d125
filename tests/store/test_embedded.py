"""The embedded server as its users see it: one for all who share a folder, where it may be, and what is refused."""

import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import asyncpg
import pytest

from bot.config import ConfigError
from bot.store import embedded, embedded_binaries, embedded_folder
from bot.store.embedded_account import account_for

ROOT = Path(__file__).parents[2]
IS_ROOT = os.geteuid() == 0
# A process that uses the server of the folder it is given until its standard input ends.
USER = """
import asyncio, sys
from bot.store import embedded
async def main():
    async with embedded.server(sys.argv[1], announce=print) as dsn:
        print(dsn, flush=True)
        await asyncio.to_thread(sys.stdin.read)
asyncio.run(main())
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    with embedded.temporary_folder() as path:
        yield Path(path)


@contextmanager
def running(folder: Path, binaries: Path | None = None) -> Iterator[str]:
    use = embedded.start(str(folder), announce=print, binaries=binaries)
    try:
        yield use.dsn
    finally:
        use.release()


def ask(dsn: str, question: str) -> object:
    async def answer() -> object:
        connection = await asyncpg.connect(dsn)
        try:
            return await connection.fetchval(question)
        finally:
            await connection.close()

    return asyncio.run(answer())


def user_of(folder: Path) -> "subprocess.Popen[str]":
    command = ["env", "WEBHOOK_SECRET=do-not-pass-me-on", sys.executable, "-c", USER, str(folder)]
    return subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def test_eight_processes_starting_together_share_one_server_and_nothing_of_their_environment(folder: Path) -> None:
    users = [user_of(folder) for _ in range(8)]
    addresses = [user.stdout.readline().strip() for user in users if user.stdout]
    starts = {ask(dsn, "SELECT pg_postmaster_start_time()") for dsn in addresses}
    postmaster = (folder / "pg" / "postmaster.pid").read_text().split()[0]
    environment = Path(f"/proc/{postmaster}/environ").read_bytes()
    for user in users:
        user.communicate()

    assert len(addresses) == 8
    assert len(starts) == 1
    assert b"do-not-pass-me-on" not in environment


def test_it_is_durable_and_reached_by_its_socket_alone(folder: Path) -> None:
    with running(folder) as dsn:
        assert ask(dsn, "SHOW fsync") == "on"
        assert ask(dsn, "SHOW listen_addresses") == ""
        assert (folder / "run").stat().st_mode & 0o077 == 0


def test_it_never_runs_as_root(folder: Path) -> None:
    with running(folder):
        owner = (folder / "pg").stat().st_uid

    assert owner != 0
    assert owner == account_for(folder).uid


def test_a_folder_named_by_the_operator_that_cannot_be_reached_is_refused(tmp_path: Path) -> None:
    (tmp_path / "locked").mkdir(mode=0o000)

    with pytest.raises(ConfigError, match="DATA_DIR"):
        embedded.start(str(tmp_path / "locked" / "data"), announce=print)


def test_the_default_folder_gives_way_in_one_line_as_root_and_is_refused_to_others(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(embedded_folder, "FALLBACK", folder)
    monkeypatch.setattr(embedded_folder, "DEFAULT", str(tmp_path / "locked" / "data"))
    (tmp_path / "locked").mkdir(mode=0o000)

    if IS_ROOT:
        assert embedded_folder.choose("", said.append).path == folder
        assert [line.count("\n") for line in said] == [0]
    else:
        with pytest.raises(ConfigError):
            embedded.start("", announce=said.append)


def test_a_path_too_long_for_a_socket_gets_a_short_one_of_its_own(folder: Path) -> None:
    deep = folder / ("d" * 100)
    with running(deep) as dsn:
        sockets = embedded_folder.choose(str(deep), print).sockets
        answer = ask(dsn, "SELECT 1")
    embedded.wait_until_stopped(deep)
    sockets.rmdir()

    assert answer == 1
    assert sockets.parent == Path(tempfile.gettempdir())


def test_a_socket_folder_that_others_can_enter_is_refused(folder: Path) -> None:
    (folder / "run").mkdir()
    (folder / "run").chmod(0o777)

    with pytest.raises(ConfigError, match="nobody else can enter"):
        embedded.start(str(folder), announce=print)


def test_programs_out_of_reach_are_copied_beside_the_data(folder: Path, tmp_path: Path) -> None:
    package = embedded_binaries.packaged()[18].parents[1]
    for part in (package / "pginstall18", package.with_name(f"{package.name}.libs")):
        shutil.copytree(part, tmp_path / part.relative_to(package.parent), symlinks=True)
    tmp_path.chmod(0o700)

    with running(folder, binaries=tmp_path / package.name / "pginstall18" / "bin") as dsn:
        assert ask(dsn, "SELECT 1") == 1

    assert any(folder.glob("postgresql-18.*")) == IS_ROOT


def test_data_of_another_major_version_is_refused(folder: Path) -> None:
    with running(folder, binaries=embedded_binaries.packaged()[16]) as dsn:
        assert str(ask(dsn, "SHOW server_version")).startswith("16.")
    embedded.wait_until_stopped(folder)

    with pytest.raises(ConfigError, match=r"made by PostgreSQL 16, this is 18\."):
        embedded.start(str(folder), announce=print)


def test_a_cluster_half_made_is_made_again(folder: Path) -> None:
    (folder / "pg.new").mkdir()
    (folder / "pg.new" / "PG_VERSION").write_text("18\n")

    with running(folder) as dsn:
        assert ask(dsn, "SELECT 1") == 1


def test_a_folder_without_programs_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="set DATABASE_URL"):
        embedded_binaries.find(tmp_path)


def test_a_server_that_does_not_start_is_told_with_its_last_words(folder: Path) -> None:
    with running(folder):
        pass
    embedded.wait_until_stopped(folder)
    with (folder / "pg" / "postgresql.conf").open("a") as settings:
        settings.write("no_such_setting = 1\n")

    with pytest.raises(ConfigError, match="no_such_setting"):
        embedded.start(str(folder), announce=print)
