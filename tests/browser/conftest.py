"""A browser, and a window that looks at the sandbox of a course."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg
import pytest
from playwright.async_api import Browser, Page, async_playwright

from tests.flows import course as courses
from tests.flows.course import Course

CHROMIUM = Path("/usr/bin/chromium")
# Root needs the first; the others keep it from looking for more than the page.
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PHONE, DESK = (390, 844), (1100, 900)


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    """Debian's chromium."""
    async with async_playwright() as playwright:
        opened = await playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield opened
        await opened.close()


@pytest.fixture
async def course(pool: "asyncpg.Pool[asyncpg.Record]", dsn: str) -> AsyncIterator[Course]:
    """A course with one service, as the stories have it."""
    async with courses.course(pool, dsn) as begun:
        yield begun


@pytest.fixture
async def window(browser: Browser, course: Course) -> AsyncIterator[Page]:
    """A window at a desk."""
    async with opened(browser, course, DESK) as page:
        yield page


@pytest.fixture
async def phone(browser: Browser, course: Course) -> AsyncIterator[Page]:
    """A window in a hand."""
    async with opened(browser, course, PHONE) as page:
        yield page


@asynccontextmanager
async def opened(browser: Browser, course: Course, size: tuple[int, int]) -> AsyncIterator[Page]:
    """A window on the sandbox, in which nothing fails and which asks nobody else for anything."""
    width, height = size
    context = await browser.new_context(base_url=course.world.url, viewport={"width": width, "height": height})
    page = await context.new_page()
    asked, failed = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: failed.append(str(error)))
    yield page
    await context.close()
    assert [url for url in asked if not url.startswith((course.world.url, "data:"))] == []
    assert failed == []
