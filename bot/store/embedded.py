"""PostgreSQL without DATABASE_URL: started in DATA_DIR, shared by the processes that use it, ended with the last.

Durable as any server: fsync is on. No user is created and no folder outside the data folder is touched, but for a
socket's folder under the system's temporary one where the data folder's path is too long. The rules are in
docs/design.md section 13. Linux only.
"""

import asyncio
import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.config import ConfigError
from bot.store import embedded_folder, embedded_server
from bot.store.embedded_account import account_for

STOP_SECONDS = 30.0
POLL_SECONDS = 0.02


@dataclass(frozen=True, slots=True)
class Use:
    """One process's hold on the server at `dsn`: a shared lock that the kernel releases however the process ends."""

    dsn: str
    _hold: int

    def release(self) -> None:
        """Let go; the server stops if nobody else holds it."""
        os.close(self._hold)


@asynccontextmanager
async def server(data_dir: str, *, announce: Callable[[str], None], binaries: Path | None = None) -> AsyncIterator[str]:
    """The address of the server in `data_dir` (empty: the default folder), which lives while anybody is inside.

    `announce` is told in one line where the data went elsewhere. `binaries` is a folder of PostgreSQL's programs.
    Raises ConfigError saying what to do.
    """
    use = await asyncio.to_thread(start, data_dir, announce=announce, binaries=binaries)
    try:
        yield use.dsn
    finally:
        use.release()


def start(data_dir: str, *, announce: Callable[[str], None], binaries: Path | None = None) -> Use:
    """Like `server`, for callers without a loop: blocks until the server answers."""
    try:
        folder = embedded_folder.choose(data_dir, announce)
        with folder.locked("start.lock") as starting:
            hold = folder.open("use.lock")
            fcntl.flock(hold, fcntl.LOCK_SH)  # waits while a server that nobody used is shutting down
            try:
                embedded_server.ensure_running(folder, binaries, starting)
            except BaseException:
                os.close(hold)
                raise
    except OSError as error:
        raise ConfigError(f"DATA_DIR: {error.filename or data_dir}: {error.strerror}") from error
    return Use(embedded_server.address(folder), hold)


@contextmanager
def temporary_folder(parent: Path | None = None) -> Iterator[str]:
    """A data folder of our own that any account can reach, removed once each server in and under it has stopped.

    It is made in `parent`, or in the system's temporary folder.
    """
    path = Path(tempfile.mkdtemp(prefix="pencils-down-", dir=parent))
    path.chmod(0o711)
    try:
        yield str(path)
    finally:
        for lock in path.rglob("keeper.lock"):
            wait_until_stopped(lock.parent)
        shutil.rmtree(path)


def wait_until_stopped(path: Path) -> None:
    """Block until no server is kept in the data folder `path`. Raises TimeoutError if somebody goes on using it."""
    began = time.monotonic()
    descriptor = embedded_folder.open_file(path / "keeper.lock", account_for(path / "pg", path))
    try:
        while not embedded_folder.try_lock(descriptor):
            if time.monotonic() - began > STOP_SECONDS:
                raise TimeoutError(f"the server in {path} is still in use")
            time.sleep(POLL_SECONDS)
    finally:
        os.close(descriptor)
