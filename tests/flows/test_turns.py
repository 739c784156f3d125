"""Deadlines over the nights on which the clocks are turned: the lock comes at the instant that was said."""

import re

from tests.flows.course import ZONE, Course

CREATE = "/project create lab1 --repos lab1-* --deadline"


async def test_in_autumn_the_hour_that_comes_twice_is_asked_about_and_the_second_one_closes(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.at("2027-10-30 18:00:00")
    await course.begin()
    said = await course.write(course.teacher, f"{CREATE} 2027-10-31 02:30")
    assert "`E-WHEN-TWICE`" in said
    assert "Write `2027-10-31T00:30:00Z` or `2027-10-31T01:30:00Z`." in said
    drafted = await course.write(course.teacher, f"{CREATE} 2027-10-31T01:30:00Z")
    assert f"**Sun 31 Oct 2027, 02:30:00 {ZONE}** (01:30:00 UTC), in 9 h 30 min." in drafted
    await course.write(course.teacher, "/publish")

    await course.at("2027-10-31T00:45:30Z")  # 02:45 for the first time
    sha = repo.push(amy)
    await course.settle()
    assert re.match(r"On time: received 02:45:\d\d \(00:45:\d\d UTC\), 44 min 3\d s before", course.check(repo, sha))
    await course.at("2027-10-31T01:29:59Z")
    await course.settle()
    assert not course.is_closed(repo, amy)
    await course.at("2027-10-31T01:30:00Z")
    await course.settle()
    assert course.is_closed(repo, amy)

    await course.at("2027-10-31T02:00:00Z")
    await course.settle()
    assert [review.client_payload["sha"] for review in course.reviews(repo)] == [sha]


async def test_in_spring_a_day_more_ends_at_the_same_wall_time_and_24_hours_an_hour_later(course: Course) -> None:
    amy, by_days = course.student("amy")
    bo, by_hours = course.student("bo")
    await course.at("2027-03-26 18:00:00")
    await course.open_project("2027-03-27 23:59")

    assert "`E-WHEN-GAP`" in await course.write(course.teacher, "/deadline 2027-03-28 02:30")
    said = await course.write(course.assistant, "/extend @amy +1d")
    assert f"`lab1-amy` now closes **Sun 28 Mar 2027, 23:59:00 {ZONE}** (21:59:00 UTC)" in said
    said = await course.write(course.assistant, "/extend @bo +24h")
    assert f"`lab1-bo` now closes **Mon 29 Mar 2027, 00:59:00 {ZONE}** (Sun 28 Mar 2027, 22:59:00 UTC)" in said
    kept = await course.rows("SELECT deadline_wall, deadline_zone FROM enrolments ORDER BY deadline_at")
    assert [tuple(row) for row in kept] == [("2027-03-28 23:59:00", ZONE), ("2027-03-29 00:59:00", ZONE)]

    closed = []
    for instant in ("21:58:59", "21:59:00", "22:58:59", "22:59:00"):
        await course.at(f"2027-03-28T{instant}Z")
        await course.settle()
        closed.append((course.is_closed(by_days, amy), course.is_closed(by_hours, bo)))

    assert closed == [(False, False), (True, False), (True, False), (True, True)]


async def test_a_distance_counts_from_the_own_deadline_alone(course: Course) -> None:
    """A day after the project's deadline does not exist, but nobody asked for that."""
    course.student("amy")
    await course.at("2027-03-26 18:00:00")
    await course.open_project("2027-03-27 02:30")
    await course.write(course.assistant, "/extend @amy 2027-03-28 12:00")

    said = await course.write(course.assistant, "/extend @amy +1d")

    assert f"**Mon 29 Mar 2027, 12:00:00 {ZONE}** (10:00:00 UTC)" in said
