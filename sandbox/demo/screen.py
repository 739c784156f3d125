"""What the person at the terminal sees: lines with bars below them, or lines alone where there is no terminal."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from zoneinfo import ZoneInfo

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Table

from sandbox.demo.cast import ZONE
from sandbox.demo.proof import Promise

NOTHING_YET = " " * 8


class Screen:
    """Writes to a console; `clock` tells the course's time once there is one."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.clock: Callable[[], datetime] | None = None
        self._progress = Progress(
            TextColumn("{task.description:>18}"),
            BarColumn(bar_width=40),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._bars: dict[str, TaskID] = {}

    def act(self, title: str) -> None:
        """A part of the story begins."""
        self.console.print(f"\n[bold]{title}[/]")

    def say(self, text: str) -> None:
        """One thing happened, at this time of the course."""
        when = NOTHING_YET if self.clock is None else f"{self.clock().astimezone(ZoneInfo(ZONE)):%H:%M:%S}"
        self.console.print(f"[cyan]{when}[/]  {text}", highlight=False, soft_wrap=True)

    def show(self, name: str, done: int, total: int) -> None:
        """How far something is."""
        if name not in self._bars:
            self._bars[name] = self._progress.add_task(name, total=total)
        self._progress.update(self._bars[name], completed=done, total=total)

    @contextmanager
    def live(self) -> Iterator[None]:
        """Keep the bars at the bottom while the block runs."""
        with self._progress:
            yield

    def summary(self, promises: list[Promise], calls: Mapping[str, int]) -> None:
        """What was proven, and what it took."""
        self.console.print()
        self.console.print(_promises(promises))
        self.console.print(_calls(calls))


def _promises(promises: list[Promise]) -> Table:
    table = Table(title="What was proven", title_justify="left", show_lines=False)
    table.add_column("")
    table.add_column("Promise")
    table.add_column("Found")
    for promise in promises:
        verdict = "[green]held[/]" if promise.held else "[bold red]BROKEN[/]"
        table.add_row(verdict, promise.claim, promise.found, style=None if promise.held else "red")
    return table


def _calls(calls: Mapping[str, int]) -> Table:
    table = Table(title="Calls to GitHub", title_justify="left")
    table.add_column("Calls", justify="right")
    table.add_column("Route")
    for route, count in sorted(calls.items(), key=lambda call: -call[1]):
        table.add_row(str(count), route)
    table.add_row(str(sum(calls.values())), "in all")
    return table
