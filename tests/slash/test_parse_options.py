"""Words and options by a command's own list, and what each error teaches."""

import pytest

from bot.errors import Told
from bot.slash.parse.options import Option, Parsed, Spec, parse

EXTEND = Spec(
    "extend",
    "/extend WHO… WHEN [--reason TEXT]",
    least=2,
    most=None,
    options=(Option("--reason", takes="words"),),
)
CREATE = Spec(
    "project create",
    "/project create SLUG --deadline WHEN --repos GLOB [--strategy lock|commit] [--grace D] [--quiet]",
    least=1,
    most=1,
    options=(
        Option("--deadline", takes="words", required=True),
        Option("--repos"),
        Option("--strategy", choices=("lock", "commit")),
        Option("--grace"),
        Option("--quiet", takes="nothing"),
    ),
)


def refused(spec: Spec, line: str) -> Told:
    with pytest.raises(Told) as told:
        parse(spec, line)
    return told.value


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("/extend @amy +2d", Parsed(["@amy", "+2d"], {})),
        ("/extend @amy -48h", Parsed(["@amy", "-48h"], {})),
        (
            "/extend @amy +2d --reason ill, certificate seen",
            Parsed(["@amy", "+2d"], {"--reason": "ill, certificate seen"}),
        ),
        ('/extend --reason "ill, seen" @amy +2d', Parsed(["@amy", "+2d"], {"--reason": "ill, seen"})),
        ("/extend —reason=“ill, seen” @amy +2d", Parsed(["@amy", "+2d"], {"--reason": "ill, seen"})),
        ("/extend @amy +2d --reason=ill since -2d", Parsed(["@amy", "+2d"], {"--reason": "ill since -2d"})),
        ('/extend @amy +2d --reason "--not an option"', Parsed(["@amy", "+2d"], {"--reason": "--not an option"})),
        ('/extend "--amy" +2d', Parsed(["--amy", "+2d"], {})),
        ("/extend @amy +2d --Reason ill", Parsed(["@amy", "+2d"], {"--reason": "ill"})),
    ],
)
def test_words_and_options_are_told_apart(line: str, expected: Parsed) -> None:
    assert parse(EXTEND, line) == expected


def test_a_value_of_several_words_ends_at_the_next_option() -> None:
    parsed = parse(CREATE, "/project create lab1 --deadline 2026-12-01 23:59 --repos lab1-* --grace=30m --quiet")

    assert parsed == Parsed(
        ["lab1"], {"--deadline": "2026-12-01 23:59", "--repos": "lab1-*", "--grace": "30m", "--quiet": ""}
    )


def test_an_option_of_one_word_leaves_the_next_to_the_command() -> None:
    assert parse(CREATE, "/project create --deadline '+2d' --repos lab1-* lab1").words == ["lab1"]


@pytest.mark.parametrize(
    ("spec", "line", "code", "says"),
    [
        (EXTEND, "/extend @amy +2d --resaon ill", "E-OPTION-UNKNOWN", "`--resaon`"),
        (EXTEND, "/extend @amy +2d -reason ill", "E-OPTION-UNKNOWN", "`-reason`"),
        (EXTEND, "/extend @amy +2d --reason a --reason b", "E-OPTION-TWICE", "`--reason`"),
        (EXTEND, "/extend @amy +2d --reason", "E-OPTION-VALUE", "`--reason`"),
        (EXTEND, "/extend @amy +2d --reason=", "E-OPTION-VALUE", "`--reason`"),
        (EXTEND, '/extend @amy +2d --reason ""', "E-OPTION-VALUE", "`--reason`"),
        (EXTEND, "/extend @amy", "E-WORD-MISSING", "`/extend`"),
        (CREATE, "/project create lab1", "E-OPTION-NEEDED", "`--deadline`"),
        (CREATE, "/project create lab1 --deadline --repos x", "E-OPTION-VALUE", "`--deadline`"),
        (CREATE, "/project create lab1 lab2 --deadline +2d", "E-WORD-EXTRA", "`lab2`"),
        (CREATE, "/project create lab1 --quiet yes --deadline +2d", "E-WORD-EXTRA", "`yes`"),
        (CREATE, "/project create lab1 --deadline +2d --strategy lokc", "E-OPTION-CHOICE", "`lock` or `commit`"),
    ],
)
def test_each_mistake_has_its_own_code_and_names_what_to_type(spec: Spec, line: str, code: str, says: str) -> None:
    told = refused(spec, line)

    assert told.code == code
    assert says in told.reason
    assert spec.usage in told.instead


@pytest.mark.parametrize("slip", ["--resaon", "-reason", "--reasons", "--Raeson"])
def test_a_slip_in_an_option_is_answered_with_the_right_name(slip: str) -> None:
    assert "Did you mean `--reason`?" in refused(EXTEND, f"/extend @amy +2d {slip} ill").instead


def test_an_unknown_option_cannot_ping() -> None:
    assert "``--x`@amy``" in refused(EXTEND, "/extend a +2d --x`@amy").reason
