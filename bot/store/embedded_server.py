"""Makes and starts the embedded PostgreSQL in its data folder, and tells by its socket whether it is up."""

import os
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

from bot.config import ConfigError
from bot.store import embedded_binaries, embedded_folder
from bot.store.embedded_account import CLEAN_ENVIRONMENT
from bot.store.embedded_binaries import Binaries
from bot.store.embedded_folder import Folder

USER = "pencils_down"
KEEPER = Path(__file__).with_name("embedded_keeper.py")
POLL_SECONDS = 0.05
STRAY_SECONDS = 30.0  # a server whose keeper was killed is shutting down; this long at most
# The first two messages of PostgreSQL's protocol 3.0: who we are, and goodbye.
HELLO = b"\0\3\0\0user\0" + USER.encode() + b"\0database\0postgres\0\0"
GREETING = (len(HELLO) + 4).to_bytes(4, "big") + HELLO + b"X\0\0\0\4"


def address(folder: Folder) -> str:
    """The server's address; the port is spelt out, or asyncpg would take PGPORT from the environment."""
    return f"postgresql://{USER}@/postgres?host={folder.sockets}&port=5432"


def ensure_running(folder: Folder, binaries: Path | None, starting: int) -> None:
    """Return when the server of `folder` answers. The caller is the only starter and holds use.lock shared.

    `starting` is the starters' lock, `binaries` a folder of PostgreSQL's programs. Raises ConfigError or OSError.
    """
    keeping = folder.open("keeper.lock")
    try:
        nobody_keeps = embedded_folder.try_lock(keeping)
        if nobody_keeps:
            _clear_away_dead_server(folder)
            programs = embedded_binaries.reachable(embedded_binaries.find(binaries), folder.account, folder.path)
            _make_cluster(folder, programs, starting)
            _start_keeper(folder, programs, keeping)
    finally:
        os.close(keeping)
    _wait_until_it_answers(folder)


def _make_cluster(folder: Folder, programs: Binaries, starting: int) -> None:
    """Make the cluster once, whole or not at all; refuse one of another major version."""
    if folder.cluster.exists():
        made_by = (folder.cluster / "PG_VERSION").read_text().strip()
        if made_by != str(programs.major):
            raise ConfigError(
                f"DATA_DIR: {folder.path} was made by PostgreSQL {made_by}, this is {programs.version}. Choose another "
                "folder, or start the old version on it and move the data with pg_dump or set DATABASE_URL."
            )
        return
    unfinished = folder.path / "pg.new"
    if unfinished.exists():
        shutil.rmtree(unfinished)
    folder.make(unfinished)
    options = ["--encoding=UTF8", "--no-locale", "--data-checksums", "--auth-local=trust", "--auth-host=reject"]
    # initdb inherits the starters' lock: if we are killed now, the next starter waits until it has ended.
    command = [programs.tool("initdb"), f"--pgdata={unfinished}", f"--username={USER}", *options]
    made = folder.account.run(*command, keep_open=(starting,))
    if made.returncode != 0:
        raise ConfigError(f"DATA_DIR: no database could be made in {folder.path}:\n{made.stderr.strip()}")
    unfinished.rename(folder.cluster)
    _sync(folder.path)


def _start_keeper(folder: Folder, programs: Binaries, keeping: int) -> None:
    """Start the keeper; it inherits its lock, of which `keeping` is our copy, and nothing else of ours."""
    folder.make(folder.sockets)
    settings = {
        "listen_addresses": "",
        "unix_socket_directories": str(folder.sockets),
        "fsync": "on",
        "max_connections": "200",
        "timezone": "UTC",
        "log_timezone": "UTC",
        "log_checkpoints": "off",
    }
    command = [programs.tool("postgres"), "-D", str(folder.cluster), "-p", "5432"]
    command += [f"--{name}={value}" for name, value in settings.items()]
    using, log = folder.open("use.lock"), folder.open(folder.log.name, os.O_TRUNC | os.O_APPEND)
    numbers = [str(number) for number in (keeping, using, folder.account.uid, folder.account.gid)]
    try:
        subprocess.run(  # noqa: S603 - a list of our own making, without a shell
            [sys.executable, "-I", "-S", str(KEEPER), *numbers, *command],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            pass_fds=(keeping, using),
            start_new_session=True,
            env=CLEAN_ENVIRONMENT,
            cwd="/",
            check=True,
        )
    finally:
        os.close(using)
        os.close(log)


def _wait_until_it_answers(folder: Folder) -> None:
    """Wait as long as its keeper tries, since recovery takes what it takes. Raises ConfigError if it gave up."""
    while not answers(folder.socket):
        probe = folder.open("keeper.lock")
        gave_up = embedded_folder.try_lock(probe)
        os.close(probe)
        if gave_up:
            said = folder.log.read_text(errors="replace").strip().splitlines()[-5:]
            raise ConfigError("\n".join([f"The database in {folder.path} does not start:", *said]))
        time.sleep(POLL_SECONDS)


def _clear_away_dead_server(folder: Folder) -> None:
    """Wait for a server whose keeper was killed, then remove what a killed server leaves: notes of its process id.

    That number may be another process's by now (after a reboot, in a container), and PostgreSQL would refuse to start.
    Nobody listens, so the server is gone; PostgreSQL itself waits for the last of its children by their shared memory.
    """
    began = time.monotonic()
    while _listens(folder.socket):
        if time.monotonic() - began > STRAY_SECONDS:
            raise ConfigError(f"DATA_DIR: another server that is not ours uses {folder.path}: stop it first.")
        time.sleep(POLL_SECONDS)
    (folder.cluster / "postmaster.pid").unlink(missing_ok=True)
    folder.socket.with_name(f"{folder.socket.name}.lock").unlink(missing_ok=True)


def _listens(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as connection:
        return connection.connect_ex(str(path)) == 0


def answers(path: Path) -> bool:
    """Whether a server accepts connections on the socket `path`; a process id may lie, the socket cannot."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(5.0)
        try:
            connection.connect(str(path))
            connection.sendall(GREETING)
            return connection.recv(1) == b"R"
        except OSError:
            return False


def _sync(folder: Path) -> None:
    """Make a rename inside `folder` survive a power cut."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
