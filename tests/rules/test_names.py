"""Which repositories and people a word of a command means (docs/design.md section 11)."""

import pytest

from bot.errors import Told
from bot.rules.names import check_slug, matches, select, team_slug

from .enrolled import enrolment

AMY = enrolment(1, "lab1-amy", "amy", "Bo")
CY = enrolment(2, "lab1-cy", "cy")
ALL = enrolment(3, "all")
EVERYONE = [CY, AMY, ALL]


@pytest.mark.parametrize(
    ("name", "glob", "fits"),
    [
        ("lab1-amy", "lab1-*", True),
        ("LAB1-Amy", "lab1-*", True),
        ("lab1-amy", "LAB1-*", True),
        ("lab1-", "lab1-*", True),
        ("lab10-amy", "lab1-*", False),
        ("my-lab1-amy", "lab1-*", False),
        ("lab1-amy", "lab1-amy", True),
        ("lab1-a", "lab1-?", True),
        ("lab2-a", "lab[12]-*", True),
        ("lab1.amy", "lab1-amy", False),
    ],
)
def test_a_pattern_fits_the_whole_name_whatever_its_case(name: str, glob: str, fits: bool) -> None:
    assert matches(name, glob) is fits


@pytest.mark.parametrize(
    ("who", "names"),
    [
        (["lab1-amy"], ["lab1-amy"]),
        (["LAB1-AMY"], ["lab1-amy"]),
        (["@amy"], ["lab1-amy"]),
        (["@bo"], ["lab1-amy"]),
        (["@BO", "lab1-amy", "@amy"], ["lab1-amy"]),
        (["lab1-*"], ["lab1-amy", "lab1-cy"]),
        (["lab1-cy", "@amy"], ["lab1-amy", "lab1-cy"]),
        (["all"], ["all", "lab1-amy", "lab1-cy"]),
    ],
)
def test_names_logins_patterns_and_all_choose_each_repository_once_by_name(who: list[str], names: list[str]) -> None:
    assert [chosen.name for chosen in select(who, EVERYONE)] == names


@pytest.mark.parametrize("word", ["amy", "@lab1-amy", "lab2-*", "@", "", "<!-- x -->", "@everyone"])
def test_a_word_that_means_nobody_is_named_in_the_refusal_even_beside_others(word: str) -> None:
    with pytest.raises(Told) as refusal:
        select(["lab1-cy", word], EVERYONE)

    assert refusal.value.code == "E-WHO"
    assert "<!--" not in refusal.value.reason
    assert not word or word.strip("<!-> ") in refusal.value.reason


@pytest.mark.parametrize("slug", ["lab1", "a", "7", "lab-1-final", "a" * 63])
def test_a_short_name_is_taken_as_it_is(slug: str) -> None:
    assert check_slug(slug) == slug


@pytest.mark.parametrize("slug", ["", "-lab", "lab-", "Lab1", "lab_1", "lab 1", "läb", "lab1\n", "a" * 64, "../x", "²"])
def test_anything_else_is_no_short_name(slug: str) -> None:
    with pytest.raises(Told, match="E-SLUG"):
        check_slug(slug)


@pytest.mark.parametrize("text", ["@prog1/teachers", "@PROG1/teachers"])
def test_a_team_of_this_organisation_is_known_by_its_slug(text: str) -> None:
    assert team_slug(text, "prog1") == "teachers"


@pytest.mark.parametrize(
    "text",
    ["teachers", "prog1/teachers", "@prog1", "@prog1/", "@other/teachers", "@prog1/a/b", "@prog1/a b", "@prog1/té"],
)
def test_anything_else_is_no_team_of_this_organisation(text: str) -> None:
    with pytest.raises(Told, match="E-TEAM") as refusal:
        team_slug(text, "prog1")

    assert refusal.value.instead == "Write `@prog1/team`."


def test_a_pattern_longer_than_any_name_fits_none_and_takes_no_time() -> None:
    assert matches("lab1-amy", "*" * 300)
    assert not matches("lab1-amy", "[!" * 30_000)
