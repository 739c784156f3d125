"""The process that keeps the embedded PostgreSQL while anybody uses it. Run as a program; standard library only.

Every user holds the lock file `use.lock` shared. The keeper is the server's parent and waits for that lock alone: the
kernel grants it when the last user is gone, however it ended, and the server is shut down. As the parent it also
reaps a server that was killed, so that no zombie holds the server's pid file, and starts it again.
"""

import ctypes
import fcntl
import os
import signal
import subprocess
import sys
import threading
import time

PR_SET_PDEATHSIG = 1  # linux/prctl.h
PAUSE_SECONDS = 0.25  # between two starts; orphans of a killed server hold its memory for a moment
LONG_ENOUGH_SECONDS = 5.0  # a server that ran so long did start
MOST_FAILURES = 20  # in a row


class Keeper:
    """Runs `command` as user `uid` and group `gid`, again and again, until the last user is gone."""

    def __init__(self, command: list[str], uid: int, gid: int) -> None:
        self._command = command
        self._uid = uid
        self._gid = gid
        self._unused = threading.Event()
        self._changing = threading.Lock()
        self._server: subprocess.Popen[bytes] | None = None
        self._libc = ctypes.CDLL(None)

    def run(self, use_lock: int) -> None:
        """Return when the server has stopped for want of users, or cannot be started."""
        threading.Thread(target=self._stop_with_last_user, args=(use_lock,), daemon=True).start()
        failures = 0
        while failures < MOST_FAILURES and (server := self._start()):
            began = time.monotonic()
            server.wait()
            failures = failures + 1 if time.monotonic() - began < LONG_ENOUGH_SECONDS else 0
            self._unused.wait(PAUSE_SECONDS)

    def _start(self) -> "subprocess.Popen[bytes] | None":
        with self._changing:
            if self._unused.is_set():
                return None
            switching = self._uid != os.geteuid()
            self._server = subprocess.Popen(  # noqa: S603 - the list our own process gave us, without a shell
                self._command,
                user=self._uid if switching else None,
                group=self._gid if switching else None,
                extra_groups=[] if switching else None,
                preexec_fn=self._end_with_keeper,
            )
            return self._server

    def _end_with_keeper(self) -> None:
        """Runs in the child: if the keeper is killed, the kernel asks the server for a fast shutdown."""
        self._libc.prctl(PR_SET_PDEATHSIG, signal.SIGINT)

    def _stop_with_last_user(self, use_lock: int) -> None:
        fcntl.flock(use_lock, fcntl.LOCK_EX)
        with self._changing:
            self._unused.set()
            if self._server:
                self._server.send_signal(signal.SIGINT)


def main() -> None:
    """Arguments: descriptors of keeper.lock, which is ours already, and of use.lock; uid, gid; the command."""
    keeper_lock, use_lock, uid, gid = (int(argument) for argument in sys.argv[1:5])
    if os.fork():
        os._exit(0)  # whoever started us waits for this one and is not our parent any more
    Keeper(sys.argv[5:], uid, gid).run(use_lock)
    os.close(keeper_lock)  # before use.lock, at our end: who gets that one next must not find a keeper


if __name__ == "__main__":
    main()
