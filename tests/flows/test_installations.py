"""Where the App is installed, and what becomes of repositories: an event only names them, GitHub is asked."""

from tests.flows.course import Course

STATE = "SELECT state FROM installations ORDER BY installation_id"


async def test_a_late_replay_cannot_resurrect_an_installation(course: Course) -> None:
    created = next(delivery for delivery in course.world.hook.log if delivery.event == "installation")
    assert course.org.installation is not None
    course.org.installation.uninstall()
    await course.settle()

    course.world.hook.redeliver(created.guid)
    await course.rows("DELETE FROM deliveries WHERE guid::text = $1", created.guid)
    course.world.hook.redeliver(created.guid)
    await course.settle()

    assert [row["state"] for row in await course.rows(STATE)] == ["gone"]


async def test_a_new_installation_takes_the_place_of_the_old_one_and_the_deadline_is_kept(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    assert course.org.installation is not None
    course.org.installation.uninstall()
    await course.settle()
    course.org.install(course.world.app)
    await course.settle()

    await course.at("2026-12-01 23:59:00")
    await course.settle()

    assert [row["state"] for row in await course.rows(STATE)] == ["gone", "active"]
    assert course.is_closed(repo, amy)


async def test_a_suspended_installation_is_caught_up_with_when_it_is_back(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    assert course.org.installation is not None
    course.org.installation.suspend()
    await course.settle()
    await course.at("2026-12-01 23:59:00")
    await course.settle()
    (row,) = await course.rows(
        "SELECT deadline_applied_at, locked_at FROM enrolments JOIN repositories ON id = repository_id"
    )
    assert row["deadline_applied_at"] is not None
    assert row["locked_at"] is None

    course.org.installation.unsuspend()
    await course.settle()
    await course.an_hour_passes()
    await course.settle()

    assert course.is_closed(repo, amy)


async def test_an_installation_that_github_does_not_know_is_stored_and_ignored(course: Course) -> None:
    stray = course.world.organisation("elsewhere")
    installation = stray.install(course.world.app)
    await course.world.hook.idle()
    course.world.installations.pop(installation.id)
    repo = stray.repository("lab1-x", collaborators={"x": "write"})
    repo.push(course.world.user("x"))
    await course.settle()

    rows = await course.rows("SELECT state FROM installations WHERE account_id = $1", stray.id)
    assert [row["state"] for row in rows] == ["gone"]
    assert not await course.rows("SELECT FROM receipts WHERE repository_id = $1", repo.id)
    outcomes = await course.rows("SELECT outcome FROM deliveries WHERE repository_id = $1", repo.id)
    assert {row["outcome"] for row in outcomes} == {"ignored: GitHub knows no such installation"}


async def test_a_renamed_repository_is_followed_by_its_id_and_closed(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    repo.rename("lab1-amy-the-great")
    sha = repo.push(amy)
    await course.settle()
    assert "lab1-amy-the-great" in await course.write(course.teacher, "/status all")

    await course.at("2026-12-02 00:29:00")
    await course.settle()

    assert course.is_closed(repo, amy)
    assert [review.client_payload["sha"] for review in course.reviews(repo)] == [sha]


async def test_a_repository_created_later_is_enrolled_until_the_deadline(course: Course) -> None:
    course.student("amy")
    await course.open_project()
    bo, repo = course.student("bo")
    await course.settle()
    repo.push(bo)
    await course.settle()

    await course.at("2026-12-02 00:29:00")
    await course.settle()
    cy, too_late = course.student("cy")
    await course.settle()

    assert course.is_closed(repo, bo)
    assert len(course.reviews(repo)) == 1
    assert not course.is_closed(too_late, cy)


async def test_a_deleted_repository_is_noted_once_and_stops_nothing(course: Course) -> None:
    _, repo = course.student("amy")
    bo, other = course.student("bo")
    await course.open_project()
    repo.delete()
    await course.settle()

    await course.at("2026-12-01 23:59:00")
    await course.settle()

    assert course.is_closed(other, bo)
    events = await course.rows("SELECT detail FROM audit_log WHERE action = 'repository.gone'")
    assert [event["detail"] for event in events] == [{"how": "deleted"}]
    assert "Cannot be reached any more: `lab1-amy`" in await course.write(course.teacher, "/status")


async def test_a_repository_taken_from_the_app_and_given_back_is_looked_after_again(course: Course) -> None:
    amy, repo = course.student("amy")
    await course.open_project()
    installation = course.org.installation
    assert installation is not None
    installation.remove(repo)
    await course.settle()
    (row,) = await course.rows("SELECT gone_as FROM repositories")
    assert row["gone_as"] == "removed"

    installation.add(repo)
    await course.settle()
    await course.at("2026-12-01 23:59:00")
    await course.settle()

    assert course.is_closed(repo, amy)
