"""Who of the people in a repository are its students (docs/design.md section 3)."""

from collections.abc import Collection, Sequence

from bot.model import Person


def students(people: Sequence[Person], staff_ids: Collection[int]) -> tuple[Person, ...]:
    """The people who do not teach; where all of them do, an assistant who also studies is taken for the student."""
    others = tuple(person for person in people if person.id not in staff_ids)
    return others or tuple(people)
