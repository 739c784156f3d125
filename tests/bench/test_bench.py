"""What `make bench` runs still runs, over a handful of repositories; how long it takes is not looked at."""

import pytest

from bench.__main__ import MEASURES
from bench.measure import Measure, compare
from tests.conftest import Servers


@pytest.mark.parametrize("measure", MEASURES, ids=lambda measure: measure.__module__)
async def test_each_measure_times_what_it_names(servers: Servers, server_version: int, measure: Measure) -> None:
    ratios = [ratio async for ratio in measure(servers.address(server_version), 2, 1)]

    assert ratios
    assert all(ratio.seconds > 0 and ratio.base_seconds > 0 for ratio in ratios)


async def test_a_ratio_is_of_medians_after_one_turn_that_is_not_counted() -> None:
    turns = {"slow": iter([9.0, 1.0, 4.0, 3.0]), "base": iter([9.0, 1.0, 2.0, 1.0])}

    async def slow() -> float:
        return next(turns["slow"])

    async def base() -> float:
        return next(turns["base"])

    assert (await compare("slow", slow, "base", base, 3)).times == 3.0
