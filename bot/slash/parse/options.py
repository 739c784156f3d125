"""The words and options of one command, by the command's own list of them.

Not argparse: it takes `-48h` for an option, cannot end a value of several words at the next option, and its errors
leave the process and do not teach.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Literal

from bot.errors import Told
from bot.rules.quoting import code
from bot.slash.parse.tokens import Word, words

# `-48h` and `+2d` are words; `-reason` is an option with a slip.
_OPTION = re.compile(r"--?[A-Za-z]")


@dataclass(frozen=True, slots=True)
class Option:
    """An option such as `--deadline WHEN`.

    It `takes` one word, or all words up to the next option (a time, a text; a quoted one ends by itself), or, being a
    flag, nothing. Where there are `choices`, its value is one of them.
    """

    name: str
    takes: Literal["word", "words", "nothing"] = "word"
    choices: tuple[str, ...] = ()
    required: bool = False


@dataclass(frozen=True, slots=True)
class Spec:
    """What may follow a command: from `least` to `most` words (None: any number), and options.

    The `name` may have two words, `project create`; the `usage` is what an error tells to type.
    """

    name: str
    usage: str
    least: int = 0
    most: int | None = 0
    options: tuple[Option, ...] = ()


@dataclass(frozen=True, slots=True)
class Parsed:
    """The words of a command in order, and the options given: by name (`--reason`) their value, "" for a flag."""

    words: list[str] = field(default_factory=list)
    options: dict[str, str] = field(default_factory=dict)


def parse(spec: Spec, line: str) -> Parsed:
    """What `line`, the whole command with its name, says by `spec`. Raises Told with the usage to type instead.

    Codes: `E-OPTION-UNKNOWN`, `-TWICE`, `-VALUE` (missing), `-CHOICE`, `-NEEDED`, `E-WORD-MISSING`, `-EXTRA`.
    """
    plain, groups = _groups(words(line)[len(spec.name.split()) :])
    options: dict[str, str] = {}
    for name, given in groups:
        option = _option(spec, name)
        if option.name in options:
            raise _told(spec, "E-OPTION-TWICE", f"`{option.name}` is given twice.")
        options[option.name], rest = _value(spec, option, given)
        plain += rest
    parsed = Parsed([word.text for word in plain], options)
    _check_complete(spec, parsed)
    return parsed


def _groups(line: Sequence[Word]) -> tuple[list[Word], list[tuple[str, list[Word]]]]:
    """The words before the first option, then each option with the words up to the next."""
    plain: list[Word] = []
    groups: list[tuple[str, list[Word]]] = []
    for word in line:
        if word.quoted or not _OPTION.match(word.text):
            (groups[-1][1] if groups else plain).append(word)
            continue
        name, _, value = word.text.partition("=")
        groups.append((name.lower(), [Word(value)] if value else []))
    return plain, groups


def _option(spec: Spec, name: str) -> Option:
    known = {option.name: option for option in spec.options}
    if name in known:
        return known[name]
    close = get_close_matches(name, known, n=1)
    hint = f"Did you mean `{close[0]}`? " if close else ""
    raise _told(spec, "E-OPTION-UNKNOWN", f"`/{spec.name}` has no option {code(name)}.", hint)


def _value(spec: Spec, option: Option, given: list[Word]) -> tuple[str, list[Word]]:
    """The option's value, and the words that are not part of it."""
    if option.takes == "nothing":
        return "", given
    if not given or not given[0].text:
        raise _told(spec, "E-OPTION-VALUE", f"`{option.name}` needs a value.")
    taken = len(given) if option.takes == "words" and not given[0].quoted else 1
    value = " ".join(word.text for word in given[:taken])
    if option.choices and value not in option.choices:
        allowed = " or ".join(f"`{choice}`" for choice in option.choices)
        raise _told(spec, "E-OPTION-CHOICE", f"`{option.name}` takes {allowed}, not {code(value)}.")
    return value, given[taken:]


def _check_complete(spec: Spec, parsed: Parsed) -> None:
    missing = [option.name for option in spec.options if option.required and option.name not in parsed.options]
    if missing:
        raise _told(spec, "E-OPTION-NEEDED", f"`/{spec.name}` needs `{missing[0]}`.")
    if len(parsed.words) < spec.least:
        raise _told(spec, "E-WORD-MISSING", f"`/{spec.name}` needs more than that.")
    if spec.most is not None and len(parsed.words) > spec.most:
        raise _told(spec, "E-WORD-EXTRA", f"{code(parsed.words[spec.most])} is more than `/{spec.name}` takes.")


def _told(spec: Spec, kind: str, reason: str, hint: str = "") -> Told:
    return Told(kind, reason, f"{hint}Write `{spec.usage}`.")
