"""The one reply to a comment (docs/design.md section 10)."""

from bot.errors import Told
from bot.text.markdown import BODY_LIMIT, mark
from bot.text.replies import Answer, refusal, reply

from .voice import HOSTILE, check_voice

MARK = mark("reply", 1)
DONE = Answer("/publish", True, "**lab1** is open.")
TOLD = Told("E-PAST", "that time has passed.", "Write `+30m`.")


def test_a_refusal_gives_the_reason_what_to_type_instead_and_a_stable_code() -> None:
    answer = refusal("/deadline -2d", TOLD)

    assert answer == Answer("/deadline -2d", False, "Not done: that time has passed. Write `+30m`. (`E-PAST`)")


def test_a_refusal_without_an_alternative_has_no_gap() -> None:
    assert refusal("/x", Told("E-STATE", "No.")).text == "Not done: No. (`E-STATE`)"


def test_one_command_is_answered_without_being_repeated() -> None:
    assert reply(MARK, [DONE]) == f"{MARK}\n**lab1** is open."


def test_of_several_commands_each_is_named_before_its_own_answer_in_their_order() -> None:
    text = reply(MARK, [DONE, refusal("/deadline -2d", TOLD)])

    assert text.startswith(f"{MARK}\n\n`/publish`\n\n**lab1** is open.\n\n`/deadline -2d`\n\nNot done:")
    assert text.count(MARK) == 1


def test_a_command_that_is_repeated_can_neither_ping_nor_forge() -> None:
    check_voice(reply(MARK, [Answer(f"/extend {HOSTILE}", True, "Done."), DONE]), MARK)


def test_a_reply_fits_into_what_github_takes() -> None:
    assert len(reply(MARK, [Answer("/status", True, "line\n" * 50_000)])) <= BODY_LIMIT
