"""Hundreds of comments and GitHub's limits on them."""

from tests.flows.course import Course
from tests.flows.test_limits import comments_keep_to_what_github_allows


async def test_comments_keep_to_what_github_allows_a_minute_and_an_hour(course: Course) -> None:
    await comments_keep_to_what_github_allows(course)
