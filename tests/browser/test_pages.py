"""The sandbox's pages, seen and used as a person does."""

from typing import Any

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page, expect

from sandbox.issues import Issue
from sandbox.world import World
from tests.flows.course import Course


async def visit(page: Page, address: str) -> None:
    """Open a page that is there."""
    answer = await page.goto(address)
    assert answer is not None
    assert answer.ok


async def say(page: Page, who: str, text: str) -> None:
    """Write a comment by the form."""
    await page.get_by_label("As", exact=True).select_option(who)
    await page.get_by_label("Comment").fill(text)
    await page.get_by_role("button", name="Comment").click()


async def closed_course(course: Course) -> list[str]:
    """A course past its deadline with something on each page; the addresses of all pages."""
    amy, repo = course.student("amy")
    course.student("bo")
    await course.open_project()
    sha = repo.push(amy)
    own = repo.open_issue(amy, "A question")
    await course.settle()
    await course.at("2026-12-02 00:29:00")
    await course.settle()
    assert course.is_closed(repo, amy)
    delivery = course.world.hook.log[0].id
    return [
        "/",
        "/prog1",
        "/prog1/staff",
        f"/prog1/staff/issues/{course.issue.number}",
        f"/{repo.full_name}",
        f"/{repo.full_name}?refused=amy",
        f"/{repo.full_name}/issues/{own.number}",
        f"/{repo.full_name}/commit/{sha}",
        "/-/calls",
        "/-/calls?only=changes",
        "/-/deliveries",
        f"/-/deliveries/{delivery}",
    ]


async def test_a_teacher_comments_and_sees_the_answer_appear(course: Course, window: Page) -> None:
    course.student("amy")
    await course.begin()
    await visit(window, f"/prog1/staff/issues/{course.issue.number}")

    await say(window, "tim", "/project create lab1 --deadline 2026-12-01 23:59 --repos lab1-*")
    await expect(window.get_by_role("article", name="tim").last).to_contain_text("/project create lab1")
    await course.settle()

    answer = window.get_by_role("article", name="pencils-down[bot]").last
    await expect(answer).to_contain_text("is drafted")
    await expect(window.get_by_role("article", name="tim").last).to_contain_text("🚀")
    await expect(answer).not_to_contain_text("<!--")
    await expect(window.get_by_label("As", exact=True)).to_have_value("tim")


async def test_a_students_push_is_taken_before_the_deadline_and_refused_after_it(course: Course, window: Page) -> None:
    _, repo = course.student("amy")
    await course.open_project()
    await visit(window, f"/{repo.full_name}")
    state = window.locator("#state")
    await expect(state).to_contain_text("open")

    await window.get_by_label("Message").fill("my solution")
    await window.get_by_role("button", name="Push").click()
    await expect(window.locator("#pushed tbody tr")).to_have_count(2)
    await course.settle()
    await expect(window.locator("#pushed")).to_contain_text("Deadline")

    await course.at("2026-12-01 23:59:00")
    await course.settle()
    await expect(state).to_contain_text("closed")
    await window.get_by_role("button", name="Push").click()
    await expect(window.get_by_role("alert")).to_contain_text("GH013: Repository rule violations found")
    await expect(window.locator("#declined")).to_contain_text("Cannot update this protected ref.")
    await expect(window.locator("#pushed tbody tr")).to_have_count(2)


async def test_a_student_reads_the_check_on_the_commit(course: Course, window: Page) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    repo.push(amy)
    await course.settle()

    await visit(window, f"/{repo.full_name}")
    await window.locator("#pushed").get_by_role("link", name="Deadline").click()

    await expect(window.locator("#checks article").first).to_contain_text("On time")
    await expect(window.locator("#checks")).to_contain_text("4.5/6")


async def test_an_owner_opens_an_issue_and_is_on_it(course: Course, window: Page) -> None:
    await visit(window, "/prog1/staff")

    await window.get_by_label("As", exact=True).select_option("olga")
    await window.get_by_label("Title").fill("Lab 2")
    await window.get_by_role("button", name="Open an issue").click()

    await expect(window.get_by_role("heading", level=1)).to_have_text("Lab 2 #2")
    assert course.staff.issues[2].user is course.owner


async def test_the_overview_of_an_organisation_tells_what_is_closed(course: Course, window: Page) -> None:
    await closed_course(course)
    await visit(window, "/")
    await window.get_by_role("link", name="prog1").click()

    row = window.get_by_role("row").filter(has=window.get_by_role("link", name="lab1-amy"))
    await expect(row).to_contain_text("closed")
    await expect(row).to_contain_text("Deadline")


async def test_the_log_shows_the_calls_that_closed_and_the_delivery_of_a_push(course: Course, window: Page) -> None:
    await closed_course(course)

    await visit(window, "/-/calls?only=changes")
    await expect(window.locator("#calls tbody tr").filter(has_text="rulesets").first).to_contain_text("done")
    await visit(window, "/-/deliveries")
    await window.get_by_role("link", name="push").first.click()
    await expect(window.locator("pre").first).to_contain_text('"pusher"')


async def test_no_page_has_a_fault_of_accessibility_or_scrolls_sideways_on_a_phone(course: Course, phone: Page) -> None:
    for address in await closed_course(course):
        await visit(phone, address)
        found: Any = await Axe().run(phone)
        assert found.violations_count == 0, f"{address}: {found.generate_report()}"
        assert await phone.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0, address


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_both_colour_schemes_can_be_read(course: Course, window: Page, scheme: Any) -> None:
    await window.emulate_media(color_scheme=scheme)
    for address in await closed_course(course):
        await visit(window, address)
        found: Any = await Axe().run(window, options={"runOnly": ["color-contrast"]})
        assert found.violations_count == 0, f"{address}: {found.generate_report()}"


async def test_what_people_write_is_shown_and_not_obeyed(course: Course, window: Page) -> None:
    issue: Issue = course.issue
    hostile = '<script>document.title="gone"</script> <img src=x onerror=alert(1)> <b>bold</b> [x](javascript:alert(1))'
    issue.comment(
        course.teacher, f"{hostile}\n\n<style>body {{ display: none }}</style>\n\n![p](https://example.org/p.png)"
    )

    await visit(window, f"/prog1/staff/issues/{issue.number}")

    comment = window.get_by_role("article", name="tim").last
    await expect(comment).to_contain_text("<b>bold</b>")
    await expect(comment.locator("script, img, style, b")).to_have_count(0)
    await expect(comment.get_by_role("link")).to_have_attribute("href", "https://example.org/p.png")


async def test_a_page_that_is_not_there_says_so_and_leaves_the_api_its_own(window: Page, course: Course) -> None:
    answer = await window.goto("/prog1/no-such-lab")
    assert answer is not None
    assert answer.status == 404
    await expect(window.get_by_text("There is no repository prog1/no-such-lab.")).to_be_visible()

    world: World = course.world
    unknown = await window.request.get("/zen")
    assert unknown.status == 501
    assert world.unknown_routes == ["GET /zen"]
    world.unknown_routes.clear()
