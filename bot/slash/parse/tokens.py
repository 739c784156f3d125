"""The words of a command line. `shlex` will not do: it stops at the apostrophe of don't, and “ ” are letters to it."""

import re
from dataclasses import dataclass


def _quoted(name: str, kind: str) -> str:
    """Quotes of one kind end with any of that kind: phones and languages pair them differently („…“, “…”, »…«).

    One inside a word belongs to it; one that begins another word, or an option's value, says that the first was never
    closed. So no end is looked for beyond the next beginning, and a line takes time in proportion to its length.
    """
    return rf"[{kind}] (?P<{name}> (?: [^{kind}] | (?<=[^\s=]) [{kind}] (?=\S) )* ) [{kind}]"


_TOKEN = re.compile(
    rf"""
    (?P<option> (?:--|[—–]) [A-Za-z][A-Za-z0-9-]* = )?
    (?: (?: {_quoted("double", '"“”„«»')} | {_quoted("single", "'‘’‚‹›")} | {_quoted("code", "`")} ) (?= \s | $ )
      | (?P<bare> \S+ ) )
    """,
    re.VERBOSE,
)
_DASH = re.compile(r"^[—–](?=[A-Za-z])")


@dataclass(frozen=True, slots=True)
class Word:
    """One word; a quoted one may hold spaces and is never an option."""

    text: str
    quoted: bool = False


def words(line: str) -> list[Word]:
    """The words of `line`. Quotes count where they begin a word (or an option's value) and end one."""
    return [word for match in _TOKEN.finditer(line) for word in _split(match)]


def _split(match: re.Match[str]) -> list[Word]:
    """One word, or two for an option and its quoted value: `--reason="ill, seen"`."""
    option = _hyphens(match["option"] or "")
    if match["bare"] is not None:
        return [Word(_hyphens(option + match["bare"]))]
    value = Word(match["double"] or match["single"] or match["code"] or "", quoted=True)
    return [Word(option.removesuffix("=")), value] if option else [value]


def _hyphens(word: str) -> str:
    """Phones turn the two hyphens of an option into one dash."""
    return _DASH.sub("--", word)
