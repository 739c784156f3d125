"""`python -m bench [REPOSITORIES]`: every measure over so many repositories (1,000 unless said), a line each."""

import argparse
import asyncio

from bench import intake, ticks
from bench.measure import Measure
from bot.store import embedded

MEASURES: tuple[Measure, ...] = (ticks.measure, intake.measure)
ROUNDS = 15


async def run(server: str, size: int, rounds: int) -> None:
    """Print each ratio as soon as it is known."""
    for measure in MEASURES:
        async for ratio in measure(server, size, rounds):
            print(ratio, flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench", description="What things cost, as ratios in one run.")
    parser.add_argument("repositories", nargs="?", type=int, default=1_000)
    size = parser.parse_args().repositories
    with embedded.temporary_folder() as folder:
        use = embedded.start(folder, announce=print)
        try:
            asyncio.run(run(use.dsn, size, ROUNDS))
        finally:
            use.release()


if __name__ == "__main__":
    main()
