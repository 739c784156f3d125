"""Where the embedded PostgreSQL lives: the data folder, its locks, and a short path for its socket."""

import fcntl
import hashlib
import os
import re
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bot.config import ConfigError
from bot.store.embedded_account import Account, account_for

DEFAULT = "data"
FALLBACK = Path("/var/lib/pencils-down")
SOCKET = ".s.PGSQL.5432"
LONGEST_SOCKET_PATH = 107  # sockaddr_un holds 108 bytes, the last is a NUL
PLAIN = re.compile(r"[A-Za-z0-9_./+-]+")  # what needs no quoting in a server setting or an address


@dataclass(frozen=True, slots=True)
class Folder:
    """A data folder and the account that runs its server; `sockets` is the folder of the socket."""

    path: Path
    account: Account
    sockets: Path

    @property
    def cluster(self) -> Path:
        """What PostgreSQL calls PGDATA."""
        return self.path / "pg"

    @property
    def socket(self) -> Path:
        return self.sockets / SOCKET

    @property
    def log(self) -> Path:
        """What the server said since its last start."""
        return self.path / "server.log"

    def open(self, name: str, flags: int = 0) -> int:
        """A new descriptor of the file `name` in this folder, made if need be, which the account may open too."""
        return open_file(self.path / name, self.account, flags)

    @contextmanager
    def locked(self, name: str) -> Iterator[int]:
        """Hold the lock file `name` alone, waiting for it; yields its descriptor."""
        descriptor = self.open(name)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield descriptor
        finally:
            os.close(descriptor)

    def make(self, path: Path) -> None:
        """Make the folder `path` the account's own and nobody else's. Raises ConfigError if it is another's."""
        path.mkdir(mode=0o700, exist_ok=True)
        found = path.lstat()
        if found.st_uid == os.geteuid() != self.account.uid:
            os.chown(path, self.account.uid, self.account.gid, follow_symlinks=False)
            found = path.lstat()
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != self.account.uid or found.st_mode & 0o077:
            raise ConfigError(f"{path} must be a folder of {self.account.name} that nobody else can enter: remove it.")


def open_file(path: Path, account: Account, flags: int = 0) -> int:
    """A descriptor of `path` for reading and writing; a link is not followed, since the folder may be another's."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | flags, 0o600)
    if not account.is_ours:
        os.fchown(descriptor, account.uid, account.gid)
    return descriptor


def try_lock(descriptor: int) -> bool:
    """Take the lock of `descriptor` alone if nobody holds it."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def choose(data_dir: str, announce: Callable[[str], None]) -> Folder:
    """The data folder, made if it does not exist. `data_dir` is DATA_DIR; empty means the default.

    As root the default gives way to /var/lib/pencils-down where the server's account cannot reach it, and `announce`
    is told; an explicit folder that cannot be reached raises ConfigError (docs/design.md section 13).
    """
    path = Path(data_dir or DEFAULT).resolve()
    account = account_for(path / "pg", path)
    if not account.reaches(path):
        if data_dir:
            raise ConfigError(
                f"DATA_DIR: {account.name}, who runs the database since root cannot, cannot reach {path}. "
                f"Choose a folder that every account can enter, such as {FALLBACK}, or set DATABASE_URL."
            )
        announce(
            f"The database is in {FALLBACK}: {account.name}, who runs it, cannot reach {path} (DATA_DIR changes it)."
        )
        path = FALLBACK
        account = account_for(path / "pg", path)
    _make_data_folder(path, account)
    return Folder(path, account, _socket_folder(path))


def _make_data_folder(path: Path, account: Account) -> None:
    if not path.exists():
        path.mkdir(parents=True)
        path.chmod(0o700 if account.is_ours else 0o711)
    cluster = path / "pg"
    if cluster.exists() and cluster.stat().st_uid != account.uid:
        raise ConfigError(f"DATA_DIR: {cluster} is not {account.name}'s. Start as its owner or choose another folder.")


def _socket_folder(path: Path) -> Path:
    """A folder for the socket whose path fits; every process that uses `path` finds the same one."""
    digest = hashlib.sha256(os.fsencode(path)).hexdigest()[:16]
    for folder in (path / "run", Path(tempfile.gettempdir()) / f"pencils-down-{digest}"):
        if len(os.fsencode(folder / SOCKET)) <= LONGEST_SOCKET_PATH and PLAIN.fullmatch(str(folder)):
            return folder
    raise ConfigError(f"DATA_DIR: {path} is too long a path for a socket: choose a shorter one.")
