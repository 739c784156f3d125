"""Hundreds of repositories and of comments, and GitHub's limits on them."""

from tests.flows.course import Course
from tests.flows.test_limits import comments_keep_to_what_github_allows, three_hundred_close_under_enforced_limits


async def test_comments_keep_to_what_github_allows_a_minute_and_an_hour(course: Course) -> None:
    await comments_keep_to_what_github_allows(course)


async def test_three_hundred_repositories_close_under_enforced_limits_and_deadlines_come_first(pair: Course) -> None:
    await three_hundred_close_under_enforced_limits(pair)
