"""`/unlock`: the staff's hand leaves repositories open, for good or until a time."""

from bot.rules import when
from bot.slash import handling
from bot.slash.command import Context, Done, SlashCommand
from bot.slash.parse.options import Option, Parsed, Spec
from bot.text import refusals


async def run(context: Context, parsed: Parsed) -> Done:
    """An exemption that no later pass overrides, until the deadline moves or `--until` comes."""
    zone = context.course.timezone
    until = None
    if "--until" in parsed.options:
        until = when.parse(parsed.options["--until"], zone=zone, now=context.reading.at, base=context.reading.at).at
        if until <= context.now:
            raise refusals.in_the_past(until, zone)
    return await handling.set_hand(context, parsed.words, lock=False, until=until)


COMMAND = SlashCommand(
    spec=Spec("unlock", "/unlock WHO… [--until WHEN]", least=1, most=None, options=(Option("--until", takes="words"),)),
    who="assistants",
    where="project",
    does="opens repositories by hand after their deadline, for good or until a time",
    run=run,
)
