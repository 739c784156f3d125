"""The night of a deadline, which the service slept through; when it is started at 00:29, all is due at once."""

import asyncio

from sandbox.repository import Repository
from tests.crashes.calls import Calls
from tests.crashes.process import Process
from tests.flows.course import Course

OWN_RULESETS, ARCHIVE = "repository_lock.answered", "archive.answered"
READ_INSTALLATION = ("GET", "/app/installations/{installation_id}")
UNTIL_ELEVEN, UNTIL_NOON = "/extend @bo 2026-12-02 11:00", "/extend @bo +1h"
NOON_SAID = "`lab1-bo` now closes **Wed 2 Dec 2026, 12:00:00"
MARKED = ("main", "dev")
# No review of dan's: the night's one review is amy's, or it could not be told whose answer a process died of.
LAB2 = (
    "/project create lab2 --deadline 2026-12-01 23:59 --repos lab2-* "
    "--strategy commit --branches main,dev --grading none"
)


class Night:
    """Three students: amy is on time and then late, bo has an extension, cy never pushed and is renamed.

    Beside them dan works on two branches for another project, whose deadline is marked by commits.

    Where the failpoint is one of a weaker lock, the organisation has no rulesets.
    """

    def __init__(self, course: Course, failpoint: str) -> None:
        self.course = course
        self.mute = failpoint == ARCHIVE
        if failpoint in {OWN_RULESETS, ARCHIVE}:
            course.org.plan = "free"
        students = [course.student(login) for login in ("amy", "bo", "cy")]
        self.users = [user for user, _ in students]
        self.amys, self.bos, self.cys = self.repos = [repo for _, repo in students]
        for repo in self.repos:
            repo.private = failpoint != OWN_RULESETS
        self.dan = course.world.user("dan")
        self.dans = course.org.repository("lab2-dan", collaborators={"dan": "write"})
        self.on_time = self.late = self.extended = ""
        self.before_mark: dict[str, str] = {}
        self._calls = Calls(course.world)

    async def evening(self) -> None:
        """While all is well: two open projects, an extension, and pushes of amy, bo and dan."""
        course = self.course
        await course.open_project()
        other = course.staff.open_issue(course.teacher, "Lab 2")
        assert "is drafted" in await course.write(course.teacher, LAB2, other)
        assert "is open" in await course.write(course.teacher, "/publish", other)
        assert "now closes" in await course.write(course.assistant, UNTIL_ELEVEN)
        await course.at("2026-12-01 20:00:00")
        self.on_time = self.amys.push(self.users[0])
        self.extended = self.bos.push(self.users[1])
        self.before_mark = {branch: self.dans.push(self.dan, branch) for branch in MARKED}
        await course.settle()

    async def falls(self) -> None:
        """Nobody is there: the deadline and its grace pass, amy pushes late, cy's repository is renamed.

        Of these two GitHub tells nobody in time: they are only in its log, the push without its payload.
        """
        course = self.course
        course.world.hook.hold()
        course.world.hook.drop("push")
        course.world.hook.drop("repository")
        await course.at("2026-12-02 00:10:00")
        self.late = self.amys.push(self.users[0])
        pushed = next(one for one in reversed(course.world.hook.log) if one.event == "push")
        course.world.hook.lose_payload(lambda one: one is pushed)
        await course.at("2026-12-02 00:29:00")
        self.cys.rename("lab1-cyril")
        course.issue.comment(course.assistant, UNTIL_NOON)

    async def wakes(self, process: Process) -> None:
        """Once its first tick is over, which the process may not outlive, GitHub tells it everything."""
        if not await process.listens():
            return
        world = self.course.world
        world.app.webhook_url = process.webhook
        read = world.count(*READ_INSTALLATION)
        death = asyncio.create_task(process.ended())
        ticked = asyncio.create_task(self._calls.until(lambda: world.count(*READ_INSTALLATION) > read))
        await asyncio.wait({death, ticked}, return_when=asyncio.FIRST_COMPLETED)
        for task in (death, ticked):
            task.cancel()
        world.hook.release()

    async def goes_on(self, webhook: str) -> None:
        """Deliveries go elsewhere, and what met nobody is sent again, as one does on the App's page."""
        hook = self.course.world.hook
        await hook.idle()
        self.course.world.app.webhook_url = webhook
        arrived = {delivery.guid for delivery in hook.log if delivery.arrived}
        for guid in dict.fromkeys(one.guid for one in hook.log if one.guid not in arrived):
            hook.redeliver(guid)

    async def is_over(self) -> None:
        """Wait until the command is answered and whoever had no extension is closed."""
        await self._calls.until(lambda: self.answers() == 1 and self.closed()[0] and self.closed()[2])

    async def noon(self) -> None:
        """Bo's own deadline and its grace are over too."""
        await self.course.at("2026-12-02 12:30:00")

    async def is_closed_at_noon(self) -> None:
        """Wait until everybody is closed."""
        await self._calls.until(lambda: all(self.closed()))

    def marks(self, branch: str) -> list[tuple[str, ...]]:
        """The parents of each commit that was put on a branch since dan's last push."""
        new = self.dans.git.history(self.dans.head(branch), until=self.before_mark[branch])
        return [commit.parents for commit in new]

    def closed(self) -> list[bool]:
        """Whether GitHub refuses the push of each student."""
        return [self.course.is_closed(repo, user) for repo, user in zip(self.repos, self.users, strict=True)]

    def answers(self) -> int:
        """How often the command of the night was answered."""
        return sum(NOON_SAID in comment.body for comment in self.course.issue.comments)

    def reviewed(self, repo: Repository) -> list[str]:
        """The commits whose final review was asked for."""
        return [review.client_payload["sha"] for review in self.course.reviews(repo)]
