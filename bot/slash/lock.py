"""`/lock`: the staff's hand closes repositories whatever their deadline says."""

from bot.slash import handling
from bot.slash.command import Context, Done, SlashCommand
from bot.slash.parse.options import Parsed, Spec


async def run(context: Context, parsed: Parsed) -> Done:
    """Closed until somebody unlocks it, or its deadline moves ahead."""
    return await handling.set_hand(context, parsed.words, lock=True, until=None)


COMMAND = SlashCommand(
    spec=Spec("lock", "/lock WHO…", least=1, most=None),
    who="assistants",
    where="project",
    does="closes repositories by hand, whatever their deadline says",
    run=run,
)
