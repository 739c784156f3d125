"""Who is called when a task has waited too long."""

from datetime import UTC, datetime

from bot.model import Person
from bot.rules.tasks import Task, logins_to_call

ADA = Person(1, "ada-lovelace")


def task(addressee_id: int | None) -> Task:
    """A task of the staff, or of the person of that number."""
    return Task(
        account_id=5,
        id=1,
        kind="not confirmed",
        project_id=1,
        slug="lab1",
        issue_number=1,
        repository="lab1-amy",
        detail={},
        addressee_kind="role" if addressee_id is None else "user",
        addressee="staff" if addressee_id is None else "ada",
        addressee_id=addressee_id,
        created_at=datetime(2026, 12, 1, tzinfo=UTC),
        due_at=None,
        escalate_at=None,
        reminded_at=None,
        escalated_at=None,
    )


def test_what_nobody_was_given_is_the_teams() -> None:
    assert logins_to_call([task(None)], [ADA]) == ([], True)


def test_a_person_is_called_by_the_login_they_have_now() -> None:
    assert logins_to_call([task(ADA.id)], [ADA]) == (["ada-lovelace"], False)


def test_for_one_who_no_longer_teaches_the_team_is_called() -> None:
    assert logins_to_call([task(ADA.id)], []) == ([], True)


def test_a_person_and_the_team_are_called_where_both_have_something_to_do() -> None:
    assert logins_to_call([task(None), task(ADA.id), task(ADA.id)], [ADA]) == (["ada-lovelace"], True)
