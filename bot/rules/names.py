"""Which repositories and people a word of a command means (docs/design.md section 11)."""

import re
from collections.abc import Sequence
from fnmatch import fnmatchcase

from bot.errors import Told
from bot.model import Enrolment
from bot.rules.quoting import code

SLUG = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?", re.ASCII)
TEAM = re.compile(r"@([A-Za-z0-9-]+)/([A-Za-z0-9._-]+)", re.ASCII)


# Thrice the longest name of a repository; some thousand characters would hold the process up in `fnmatch` for long.
LONGEST_GLOB = 300


def matches(name: str, glob: str) -> bool:
    """Whether a repository's name fits the pattern; GitHub's names do not tell upper from lower case.

    None fits a pattern of more than LONGEST_GLOB characters.
    """
    return len(glob) <= LONGEST_GLOB and fnmatchcase(name.casefold(), glob.casefold())


def check_slug(slug: str) -> str:
    """A project's short name as it was given. Raises Told if it is none."""
    if not SLUG.fullmatch(slug):
        raise Told(
            "E-SLUG", "A project's short name has letters a to z, digits and hyphens.", "Write for example `lab1`."
        )
    return slug


def team_slug(text: str, organisation: str) -> str:
    """The slug in `@org/team`. Raises Told for anything else, and for a team of another organisation."""
    match = TEAM.fullmatch(text)
    if not match or match[1].casefold() != organisation.casefold():
        raise Told(
            "E-TEAM", f"A team of this organisation is needed, not {code(text)}.", f"Write `@{organisation}/team`."
        )
    return match[2]


def select(who: Sequence[str], enrolments: Sequence[Enrolment]) -> list[Enrolment]:
    """The enrolled repositories that WHO means: names, `@login`s, globs, `all`. Raises Told naming what fits none."""
    chosen: dict[int, Enrolment] = {}
    for word in who:
        found = [enrolment for enrolment in enrolments if _means(word, enrolment)]
        if not found:
            raise Told(
                "E-WHO",
                f"{code(word)} is no repository of this project, nor a student of one.",
                "Write a repository's name, `@login`, a pattern such as `lab1-*`, or `all`; `/status all` lists them.",
            )
        chosen |= {enrolment.repository_id: enrolment for enrolment in found}
    return sorted(chosen.values(), key=lambda enrolment: enrolment.name)


def _means(word: str, enrolment: Enrolment) -> bool:
    if word == "all":
        return True
    if word.startswith("@"):
        return word[1:].casefold() in {login.casefold() for login in enrolment.students}
    return matches(enrolment.name, word)
