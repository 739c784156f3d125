"""Processes of the demo: each ends with the director, however that one ends."""

import asyncio
import ctypes
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from sandbox.demo.ground import Broken

ROOT = Path(__file__).resolve().parents[2]
READY = "sandbox ready on "
STOP_SECONDS = 10.0
PR_SET_PDEATHSIG = 1  # linux/prctl.h
LIBC = ctypes.CDLL(None)


@asynccontextmanager
async def sandbox(folder: Path) -> AsyncIterator[str]:
    """A sandbox of its own process; the address at which it answers. Its log is in `folder`."""
    log = folder / "sandbox.log"
    process = await spawn(
        (sys.executable, "-m", "sandbox", "--port", "0", "--with-parent"), log, stdin=PIPE, stdout=PIPE
    )
    try:
        assert process.stdout is not None
        line = (await process.stdout.readline()).decode()
        if not line.startswith(READY):
            raise Broken(f"The sandbox does not start; see {log}.")
        yield line.removeprefix(READY).strip()
    finally:
        await stop(process)


async def spawn(
    command: Sequence[str],
    log: Path,
    environment: Mapping[str, str] | None = None,
    stdin: int | None = asyncio.subprocess.DEVNULL,
    stdout: int | None = None,
) -> Process:
    """Start `command` in the project's folder; what it says is added to `log`."""
    with log.open("ab") as words:
        return await asyncio.create_subprocess_exec(
            *command,
            cwd=ROOT,
            env=environment,
            stdin=stdin,
            stdout=words if stdout is None else stdout,
            stderr=words,
            preexec_fn=_end_with_parent,
            start_new_session=True,
        )


async def stop(process: Process) -> None:
    """Ask it to finish the calls in hand; kill it if it takes too long."""
    if process.returncode is not None:
        return
    with suppress(ProcessLookupError):
        process.terminate()
    try:
        await asyncio.wait_for(process.wait(), STOP_SECONDS)
    except TimeoutError:
        process.kill()
        await process.wait()


def _end_with_parent() -> None:
    """Runs in the child: if the director is killed, the kernel kills the child too."""
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
