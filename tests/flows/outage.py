"""An outage over a deadline in which hundreds of pushes are missed, half of whose deliveries have left GitHub's log."""

from datetime import UTC, datetime

from tests.flows.course import Course

DEADLINE = datetime(2026, 12, 1, 22, 59, tzinfo=UTC)
NOBODY = "http://127.0.0.1:1/webhook"


async def missed_by_the_hundred(course: Course, students: int) -> None:
    """Down from two hours before a deadline to an hour after it; ten pushes of each student are missed."""
    users = [course.world.user(f"s{number:02}") for number in range(students)]
    repos = [(it, course.org.repository(f"lab1-{it.login}", collaborators={it.login: "write"})) for it in users]
    await course.open_project(options="--grading none")
    course.world.app.webhook_url, door = NOBODY, course.world.app.webhook_url
    true: dict[int, list[tuple[str, datetime]]] = {repo.id: [] for _, repo in repos}
    walls = [f"2026-12-01 {hour}:{minute}:00" for hour in (22, 23) for minute in (10, 58)]
    walls += ["2026-12-01 23:59:00", "2026-12-01 23:59:01", "2026-12-02 00:05:00", "2026-12-02 00:30:00"]
    for wall in [*walls, "2026-12-02 00:45:00", "2026-12-02 00:55:00"]:
        instant = await course.at(wall)
        for user, repo in repos:
            true[repo.id].append((repo.push(user), instant))
    await course.world.hook.idle()
    course.world.hook.forget(lambda one: one.event == "push" and one.id % 2 == 0)
    course.world.app.webhook_url = door
    await course.at("2026-12-02 00:59:00")
    await course.outage(hours=3)
    for _ in range(4):
        await course.settle()
        await course.an_hour_passes()
    await course.settle()

    received = await course.rows("SELECT repository_id, head_sha, received_at, evidence FROM receipts")
    heard = {(row["repository_id"], row["head_sha"]): row for row in received}
    for repository_id, pushes in true.items():
        for sha, instant in pushes:
            assert heard[repository_id, sha]["received_at"] == instant
            assert heard[repository_id, sha]["evidence"] != "arrival"
    frozen = await course.rows("SELECT repository_id, submission_sha FROM enrolments WHERE frozen_at IS NOT NULL")
    assert {row["repository_id"]: row["submission_sha"] for row in frozen} == {
        repository_id: [sha for sha, instant in pushes if instant <= DEADLINE][-1]
        for repository_id, pushes in true.items()
    }
    assert all(course.is_closed(repo, user) for user, repo in repos)
