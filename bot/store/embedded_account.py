"""Who runs the embedded PostgreSQL: it refuses root, and nothing of the service's environment may reach it."""

import os
import pwd
import subprocess
from dataclasses import dataclass
from pathlib import Path

# The service's own environment holds secrets, and a process's environment can be read by its account.
CLEAN_ENVIRONMENT = {"PATH": os.defpath, "LC_ALL": "C"}


@dataclass(frozen=True, slots=True)
class Account:
    """The account of this machine under which the server and its tools run."""

    name: str
    uid: int
    gid: int

    @property
    def is_ours(self) -> bool:
        """Whether this process runs under it already, so that nothing has to be switched."""
        return self.uid == os.geteuid()

    def run(self, *command: str, keep_open: tuple[int, ...] = ()) -> subprocess.CompletedProcess[str]:
        """Run `command` to its end under this account. Raises OSError if the account cannot reach the program.

        The descriptors `keep_open` stay open in it, and what they lock stays locked should we be killed meanwhile.
        """
        return subprocess.run(  # noqa: S603 - a list of our own making, without a shell
            command,
            user=None if self.is_ours else self.uid,
            group=None if self.is_ours else self.gid,
            extra_groups=None if self.is_ours else [],
            env=CLEAN_ENVIRONMENT,
            cwd="/",
            pass_fds=keep_open,
            capture_output=True,
            text=True,
            check=False,
        )

    def reaches(self, path: Path) -> bool:
        """Whether it can enter `path`, or the nearest folder above it that exists."""
        nearest = next(folder for folder in (path, *path.parents) if folder.exists())
        return self.is_ours or self.run("test", "-x", str(nearest)).returncode == 0


def account_for(*paths: Path) -> Account:
    """Ourselves; but as root the owner of the first of `paths` that is not root's, else `nobody`.

    An owner without an entry in the account database is passed over: initdb refuses to run as one.
    """
    if os.geteuid() != 0:
        return ourselves()
    owners = (path.stat().st_uid for path in paths if path.exists())
    accounts = (_account(uid) for uid in owners if uid != 0)
    return next((account for account in accounts if account), None) or _nobody()


def ourselves() -> Account:
    """The account of this process, with or without an entry in the account database."""
    return _account(os.geteuid()) or Account(f"user {os.geteuid()}", os.geteuid(), os.getegid())


def _account(uid: int) -> Account | None:
    try:
        entry = pwd.getpwuid(uid)
    except KeyError:
        return None
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)


def _nobody() -> Account:
    entry = pwd.getpwnam("nobody")
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid)
