"""The one list of commands: `/help`, the README's table and the parser are made from it."""

from collections.abc import Mapping

from bot.slash import (
    confirm,
    course_init,
    course_set,
    course_status,
    deadline,
    enrol,
    evidence,
    extend,
    help,
    lock,
    project_create,
    publish,
    status,
    task,
    tasks,
    undo,
    unlock,
    withdraw,
)
from bot.slash.command import SlashCommand
from bot.slash.parse.lines import Line
from bot.slash.parse.nearest import suggest
from bot.text.markdown import table

COMMANDS: Mapping[str, SlashCommand] = {
    module.COMMAND.spec.name: module.COMMAND
    for module in (
        *(course_init, course_set, course_status),
        *(project_create, publish, enrol, withdraw, deadline, extend, lock, unlock),
        *(tasks, task, confirm, undo, status, evidence, help),
    )
}

WHO_TEXT = {
    "owner": "an owner",
    "staff": "staff",
    "assistants": "assistants, staff",
    "anyone": "anyone",
    "as the command": "whoever may give that command",
}


def find(line: Line) -> SlashCommand | None:
    """The command that a line gives; those of two words go by both."""
    words = line.text[1:].split()
    two = " ".join(word.lower() for word in words[:2])
    return COMMANDS.get(two) or COMMANDS.get(line.name)


def nearest(line: Line) -> str | None:
    """What a mistyped line may have meant, with the rest of what was typed; None for no command, as `/home/user`."""
    words = line.text[1:].split()
    first = suggest(line.name, {name.split()[0] for name in COMMANDS})
    if first is None:
        return None
    if first in COMMANDS:
        return " ".join([first, *words[1:]])
    second = suggest(words[1].lower(), _seconds(first)) if len(words) > 1 else None
    return " ".join([first, second or next(iter(_seconds(first))), *words[2:]])


def _seconds(first: str) -> list[str]:
    """The second words of the commands of two words that begin with `first`."""
    return [name.split()[1] for name in COMMANDS if name.startswith(f"{first} ")]


def readme_table() -> str:
    """The commands as the README shows them."""
    rows = [
        [f"`{command.spec.usage.replace('|', chr(92) + '|')}`", _who_text(command), command.does]
        for command in COMMANDS.values()
    ]
    return table(["Command", "Who", "Does"], rows)


def _who_text(command: SlashCommand) -> str:
    return WHO_TEXT[command.who] + ("; students in their own repository" if command.of_students else "")
