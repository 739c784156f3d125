"""What a command answers when it cannot be done: why, and what to type instead."""

from collections.abc import Sequence
from datetime import datetime

from bot.errors import Told
from bot.text import when
from bot.text.markdown import code, plain
from bot.text.projects import some


def not_allowed(who: str, teams: str) -> Told:
    """The author may not give this command."""
    if who == "owner":
        return Told("E-OWNER", "Only an owner of this organisation can do that.", "Ask one of them to write it.")
    if who == "student":
        instead = "In their own repository students can use `/status` and `/evidence`."
        return Told("E-STAFF", "Only the teachers of this course can do that.", instead)
    if who == "students":
        reason = "Only the students of this repository and the teachers of its course can ask that here."
        return Told("E-STUDENT", reason, "Write it in an issue of your own repository.")
    return Told("E-STAFF", f"Only the teachers of this course can do that: {teams}.", "Ask one of them to write it.")


def no_course() -> Told:
    """There is no course here."""
    return Told(
        "E-NO-COURSE",
        "This repository runs no course yet.",
        "An owner begins with `/course init --timezone Europe/Zurich --staff @org/team`.",
    )


def no_project() -> Told:
    """A project's command outside its control issue."""
    return Told(
        "E-NO-PROJECT",
        "There is no project in this issue.",
        "Write it in the issue where `/project create` was written, or create one here (`/help project create`).",
    )


def not_private() -> Told:
    """Commands are answered in private repositories alone."""
    return Told("E-PUBLIC", "This repository is public: students' names would be too.", "Make it private first.")


def not_this_repository(word: str) -> Told:
    """In a student's repository nothing is said about any other one."""
    return Told(
        "E-WHO", f"{code(word)} is not this repository, and only this one is shown here.", "Leave it out of the line."
    )


def needs_who(command: str, count: int, most: int) -> Told:
    """All repositories of the project would be too many."""
    return Told(
        "E-WHO-NEEDED",
        f"This project has {count} repositories, and at most {most} are shown at once.",
        f"Write whose: {code(f'/{command} lab1-amy')}, `@login` or a pattern.",
    )


def too_many(names: Sequence[str], most: int) -> Told:
    """WHO means more repositories than one answer holds."""
    return Told(
        "E-WHO-MANY",
        f"That means {len(names)} repositories, and at most {most} are shown at once.",
        f"Narrow it down to some of {some(names)}.",
    )


def student_repository() -> Told:
    """A course cannot be run from a student's repository."""
    return Told(
        "E-STUDENT-REPOSITORY", "This is a student's repository.", "Write it in a repository that only staff can read."
    )


def course_exists() -> Told:
    """The repository runs a course already."""
    return Told("E-COURSE-EXISTS", "This repository runs a course already.", "`/status` shows its projects.")


def unknown_zone(name: str) -> Told:
    """Not an IANA time zone."""
    return Told(
        "E-ZONE", f"{code(name)} is no IANA time zone.", "Write for example `Europe/Zurich` or `America/New_York`."
    )


def unknown_team(slug: str) -> Told:
    """GitHub shows no such team."""
    return Told(
        "E-TEAM", f"This organisation has no team {code(slug)}, or the App may not see it.", "Check its name on GitHub."
    )


def secret_team(slug: str) -> Told:
    """GitHub lets no secret team bypass a ruleset."""
    return Told(
        "E-TEAM-SECRET",
        f"The team {code(slug)} is secret: GitHub would lock its members out with the students.",
        "Make the team visible in its settings, then write the command again.",
    )


def project_exists(slug: str, issue_number: int, here: bool) -> Told:
    """The issue has a project, or the name is taken."""
    if here:
        return Told("E-PROJECT-EXISTS", f"This issue is the control issue of {code(slug)}.", "Open another issue.")
    return Told("E-PROJECT-EXISTS", f"{code(slug)} exists already, in #{issue_number}.", "Choose another name.")


def in_the_past(instant: datetime, zone: str) -> Told:
    """A deadline must lie ahead."""
    return Told(
        "E-PAST",
        f"{when.at(instant, zone)} has passed.",
        "Write a time that lies ahead, such as `+30m` or `fri 18:00`.",
    )


def opens_after_deadline() -> Told:
    """Opening and deadline are the wrong way round."""
    return Told("E-OPENS", "The project would open after its deadline.", "Choose an earlier `--opens`.")


def grace_out_of_range() -> Told:
    """A grace period has bounds."""
    return Told("E-GRACE", "The grace period is between nothing and a day.", "Write for example `--grace 30m`.")


def not_a_branch(name: str) -> Told:
    """A word that cannot name a branch."""
    return Told("E-BRANCH", f"{code(name)} cannot name a branch.", "Write for example `--branches main,report`.")


def not_a_workflow(path: str) -> Told:
    """A workflow lives at one place in a repository."""
    return Told(
        "E-WORKFLOW",
        f"{code(path)} is no workflow file.",
        "Write for example `--workflow .github/workflows/grading.yml`.",
    )


def nothing_matches(globs: Sequence[str], left_out: Sequence[tuple[str, str]]) -> Told:
    """No repository fits the pattern, or none that can be enrolled."""
    if left_out:
        reasons = ", ".join(f"{code(name)} ({why})" for name, why in left_out)
        return Told("E-NO-REPOSITORY", f"Nothing is left to enrol: {reasons}.", "`/status all` shows who takes part.")
    return Told(
        "E-NO-REPOSITORY",
        f"No repository that the App can reach matches {', '.join(code(glob) for glob in globs)}.",
        "Check the pattern, and that the App is installed on these repositories.",
    )


def nothing_enrolled() -> Told:
    """A project without repositories cannot open."""
    return Told(
        "E-EMPTY", "No repository is enrolled, so nobody would see it.", "Create repositories that match its pattern."
    )


def draft_has_no_locks() -> Told:
    """The staff's hand speaks where a project is open or closed."""
    return Told("E-STATE", "The project is a draft: nothing of it is closed or opened yet.", "`/publish` opens it.")


def not_a_draft(state: str) -> Told:
    """Only a draft is published."""
    return Told(
        "E-STATE", f"The project is {state}: only a draft is published.", "`/deadline WHEN` moves its deadline."
    )


def unknown_command(name: str, near: str | None) -> Told:
    """A word after the slash that is close to a command."""
    instead = f"Did you mean {code('/' + near)}?" if near else "`/help` lists them all."
    return Told("E-UNKNOWN", f"There is no `/{name}`.", instead)


def not_shown(reason: str) -> Told:
    """GitHub does not let the App read what the answer takes."""
    return Told(
        "E-PERMISSION",
        f"GitHub does not show the App what it must know for that ({plain(reason)}).",
        "An owner looks whether the App was granted all that it asks for, then you write the command again.",
    )


def our_fault() -> Told:
    """Something in the bot itself failed, several times."""
    return Told(
        "E-INTERNAL",
        "Something failed on our side and nothing was changed.",
        "Write the command again; if it fails again, the operator finds the reason in the service's log.",
    )


def needs_mode() -> Told:
    """`--lift` and `--keep` say what becomes of the locks when a course goes into shadow mode."""
    return Told("E-OPTION-NEEDED", "`--lift` and `--keep` belong to `--mode shadow`.", "Write them together.")


def no_task(number: str) -> Told:
    """No open task of this course has that number."""
    return Told("E-TASK", f"This course has no open task {code(number)}.", "`/tasks` lists them with their numbers.")


def task_word(word: str) -> Told:
    """What can be done with a task."""
    return Told(
        "E-TASK-WORD",
        f"A task cannot be {code(word)}.",
        "Write `/task 3 done`, `/task 3 refuse --reason TEXT` or `/task 3 assign @login`.",
    )


def needs_reason() -> Told:
    """Who refuses says why."""
    return Told("E-REASON", "A task is refused with a reason.", "Add `--reason TEXT`.")


def not_a_teacher(given: str) -> Told:
    """A task waits for somebody who can do something about it."""
    return Told(
        "E-TEACHER", f"{code(given)} does not teach in this course.", "Name a member of its teams, or an owner."
    )
