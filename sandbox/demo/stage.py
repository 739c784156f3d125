"""The organisation as it is before the course begins."""

from sandbox.demo.cast import ASSISTANT, ORGANISATION, OWNER, STAFF, TEACHER, Cast
from sandbox.demo.remote import Remote

ISSUE_TITLE = "Lab 1"


async def build(remote: Remote, cast: Cast) -> int:
    """People, teams, the staff repository and one for each student; the number of the assignment's issue."""
    await remote.post("/organisations", login=ORGANISATION, plan="team", owners=[OWNER], members=[TEACHER, ASSISTANT])
    await remote.post("/teams", organisation=ORGANISATION, name="teachers", members=[TEACHER])
    await remote.post("/teams", organisation=ORGANISATION, name="tas", members=[ASSISTANT])
    students = [
        {
            "name": student.repository.removeprefix(f"{ORGANISATION}/"),
            "collaborators": {student.login: "write"},
            "workflow": {"points": f"{student.number % 7}/6" if student.number % 7 else "4.5/6"},
        }
        for student in cast.students
    ]
    await remote.post("/repositories", organisation=ORGANISATION, repositories=[{"name": "staff"}, *students])
    issue = await remote.post("/issues", repository=STAFF, login=TEACHER, title=ISSUE_TITLE)
    number: int = issue["number"]
    return number


async def install(remote: Remote) -> None:
    """Install the App on the organisation: from here on GitHub tells the service."""
    await remote.post("/installations", organisation=ORGANISATION)
