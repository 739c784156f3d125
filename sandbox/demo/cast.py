"""Who plays, and what each of them is up to."""

from collections.abc import Sequence
from dataclasses import dataclass

ORGANISATION = "prog1"
STAFF = f"{ORGANISATION}/staff"
OWNER, TEACHER, ASSISTANT = "olga", "tim", "ada"
ZONE = "Europe/Zurich"
EXTENDED = 6
FIRST = [
    "mia",
    "leo",
    "nora",
    "elif",
    "jan",
    "lea",
    "amir",
    "zoe",
    "ben",
    "ida",
    "luca",
    "mara",
    "noah",
    "sara",
    "tom",
    "yara",
    "finn",
    "jana",
    "kofi",
    "rosa",
]
LAST = ["berger", "keller", "novak", "rossi", "meyer"]


@dataclass(frozen=True, slots=True)
class Student:
    """One student with a repository. The number decides what they do, so that every demo is the same."""

    number: int

    @property
    def login(self) -> str:
        """Their account."""
        given, family = FIRST[(self.number - 1) % len(FIRST)], LAST[(self.number - 1) // len(FIRST) % len(LAST)]
        return f"{given}-{family}-{self.number}"

    @property
    def repository(self) -> str:
        """Its full name."""
        return f"{ORGANISATION}/lab1-{self.number:03}"

    @property
    def absent(self) -> bool:
        """Never pushes in time."""
        return self.number % 8 == 0

    @property
    def eager(self) -> bool:
        """Pushes twice."""
        return self.number % 8 == 1

    @property
    def forger(self) -> bool:
        """Lets git claim other dates."""
        return self.number % 8 == 2

    @property
    def last_second(self) -> bool:
        """Pushes in the last seconds only."""
        return self.number % 8 == 3

    @property
    def late(self) -> bool:
        """Pushes in time and tries again after the deadline; so do some who have nothing yet."""
        return self.number % 8 == 4 or self.number % 16 == 8

    @property
    def extended(self) -> bool:
        """Has been given more time."""
        return self.number == EXTENDED


@dataclass(frozen=True, slots=True)
class Cast:
    """All of them; at least eight, so that every part is taken."""

    students: Sequence[Student]

    @property
    def extended(self) -> Student:
        """The one who has been given more time."""
        return next(student for student in self.students if student.extended)

    def wave(self, number: int, waves: int) -> list[Student]:
        """Who pushes in this part of the afternoon: each once, the eager ones once more in the part after."""
        return [
            student
            for student in self.students
            if not student.absent
            and not student.last_second
            and number in {student.number % waves, *([(student.number + 1) % waves] if student.eager else [])}
        ]


def assemble(count: int) -> Cast:
    """A cast with `count` students."""
    return Cast([Student(number) for number in range(1, count + 1)])
