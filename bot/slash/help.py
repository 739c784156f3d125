"""`/help`: the commands, from the same list as the parser."""

from bot.slash.command import Context, SlashCommand
from bot.slash.parse.options import Parsed, Spec
from bot.text import refusals


async def run(context: Context, parsed: Parsed) -> str:
    """All commands, or the one that is named with its usage."""
    # The list imports this file as one of its entries.
    from bot.slash.registry import COMMANDS, readme_table

    wanted = " ".join(parsed.words).lower().removeprefix("/")
    if not wanted:
        return readme_table()
    found = [command for name, command in COMMANDS.items() if name == wanted or name.split()[0] == wanted]
    if not found:
        raise refusals.unknown_command(wanted, None)
    return "\n\n".join(f"`{command.spec.usage}`\n{command.does}" for command in found)


COMMAND = SlashCommand(
    spec=Spec("help", "/help [COMMAND]", most=2),
    who="anyone",
    where="anywhere",
    does="lists the commands, or explains one",
    run=run,
    previewed=False,
)
