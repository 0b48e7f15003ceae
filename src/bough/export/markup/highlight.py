"""Colours for the languages that most sessions are full of, by one pattern for each.

Five hues need no grammar, and are approximate by design: comments, strings, numbers, words of
the language, names where they are defined. Other languages are left to pygments.

A pattern takes what has no hue together with what follows it, so that Python sees only what
has one.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final

from bough.export.markup.escape import escape_markup
from bough.export.markup.languages import LANGUAGES, SAME

# Fast path: benchmarks/export.py, 1.8 s instead of 4.8 with the lexers of pygments.
_NUMBER: Final = r"\d(?<![\w.]\d)[\d_]*+(?:\.\d[\d_]*+)?+(?:[eE][+-]?\d+)?+\w*+"
_NAME: Final = re.compile(r"[^\W\d]\w*+")
_SIGNS: Final = "!\"#$%&'()*+,-./:;<=>?@[\\]^`{|}~ \t\n"
_CONSTANTS: Final = "True False None true false null undefined nil NaN"
_DEFINES: Final = frozenset({
    "class", "def", "enum", "fn", "fun", "func", "function", "impl", "interface", "mod",
    "namespace", "struct", "trait", "type",
})  # fmt: skip
"""After one of these words comes a name, in whatever language."""

# Tags are set with signs that no written code has, until its own are escaped.
_OPEN: Final = {hue: f'\x01i class="{hue}"\x02' for hue in "cnsmk"}
_CLOSE: Final = "\x01/i\x02"


def has_language(language: str) -> bool:
    """Tell whether a language has a pattern here."""
    return language in LANGUAGES or language in SAME


def highlight_code(code: str, language: str) -> str:
    """Write code as HTML, in one pass and anew on each line; odd characters stay as they are."""
    if "\x01" in code or "\x02" in code:
        return escape_markup(code)
    out: list[str] = []
    for plain, hue, text in _split_code(code, language):
        if not hue:
            out += (plain, text)
        elif "\n" not in text:
            out += (plain, _OPEN[hue], text, _CLOSE)
        else:
            tag = _OPEN[hue]
            lines = [f"{tag}{line}{_CLOSE}" if line else "" for line in text.split("\n")]
            out += (plain, "\n".join(lines))
    return escape_markup("".join(out)).replace("\x01", "<").replace("\x02", ">")


def _split_code(code: str, language: str) -> Iterator[tuple[str, str, str]]:
    """Give what is plain, the hue of what follows it, and that."""
    name = SAME.get(language, language)
    words = _word_colors(name)
    fold = LANGUAGES[name].fold
    defining = False
    for plain, sigil, string, word, number, comment, sign in _build_pattern(name).findall(code):
        if defining and (named := _NAME.search(plain)):
            yield plain[: named.start()], "n", named[0]
            plain = plain[named.end() :]  # noqa: PLW2901 - the rest of it
            defining = False
        if word:
            known = word.lower() if fold else word
            yield plain, words.get(known) or ("n" if defining else ""), word
            defining = known in _DEFINES
            continue
        if sign:
            yield plain, "", sign
            continue
        defining = False
        if string:
            yield plain, "s", string
        elif number:
            yield plain, "m", number
        elif sigil:
            yield plain, "n", sigil
        else:
            yield plain, "c" if comment else "", comment


@cache
def _word_colors(name: str) -> dict[str, str]:
    return dict.fromkeys(LANGUAGES[name].words.split(), "k") | dict.fromkeys(
        _CONSTANTS.split(), "m"
    )


@cache
def _build_pattern(name: str) -> re.Pattern[str]:
    """Match what is plain up to something that has a hue, or may have one, or to the end."""
    language = LANGUAGES[name]
    known = _match_any({*_word_colors(name), *_DEFINES})
    if language.fold:
        known = f"(?ai:{known})"
    known += r"\b"
    other = f"|{language.wordlike}" if language.wordlike else ""
    signs = f"[{re.escape(''.join(sorted(set(_SIGNS) - set(language.opens))))}]*+"
    plain = rf"{signs}(?:(?!{known}{other})[A-Za-z_]\w*+{signs})*+"
    groups = (
        language.sigils or "(?!)",
        "|".join(language.strings),
        rf"{known}|[^\W\dA-Za-z_]\w*+",
        _NUMBER,
        language.comment,
        r"[^\w\x00-\x7f]++|[\s\S]",
    )
    choices = "|".join(f"({group})" for group in groups)
    return re.compile(rf"({plain})(?:{choices}|\Z)", re.MULTILINE)


def _match_any(words: Iterable[str]) -> str:
    """Match any of some words; one look at the first letter is enough for most others."""
    rests: dict[str, list[str]] = {}
    for word in sorted(words):
        rests.setdefault(word[0], []).append(word[1:])
    choices = (f"{first}(?:{'|'.join(rest)})" for first, rest in rests.items())
    return f"(?:{'|'.join(choices)})"
