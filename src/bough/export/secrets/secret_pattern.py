"""One kind of secret: how it is written, and what a line must hold before it is looked for.

Patterns are compiled when they are first needed: there are hundreds of them, and a history
meets a few. Every repeat in them is bounded, so that no text, however made, takes more than
linear time.
"""

import re
from collections.abc import Callable
from functools import cache
from typing import Final

from msgspec import Struct

# What a pattern is made of, as far as choices need to know it.
_PART: Final = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|.", re.DOTALL)
_FIRST_LETTERS: Final = re.compile(r"\A[a-z_]*(?![?*{])")
NEAR: Final = 1_150
FAR: Final = 20_100


def accept_any(_: str) -> bool:
    """Take whatever a pattern matched."""
    return True


class SecretPattern(Struct, frozen=True):
    """One kind of secret.

    The last group that matched is the secret, or the whole match where there is no group.
    `holds` looks closer at it. A line is asked first: it has to hold one of the `markers`, or
    one of the `words` between other letters, and then what the `gate` asks for. Markers
    and gates of patterns that ignore case are in small letters, and so is the line they are
    asked of; there a newline is still two characters. Tokens without markers are known by
    their gate alone, which is asked of the long words of a line, or of the whole line. What it
    matches has at most `NEAR` characters, its name included, or `FAR` where it `is_wide`.
    """

    kind: str
    expression: str
    markers: tuple[bytes, ...] = ()
    words: tuple[str, ...] = ()
    holds: Callable[[str], bool] = accept_any
    gate: str = ""
    is_asked_of_line: bool = False
    is_wide: bool = False
    ignores_case: bool = False

    @property
    def pattern(self) -> re.Pattern[str]:
        """Give the compiled pattern."""
        return _compile_pattern(self.expression, re.IGNORECASE if self.ignores_case else 0)

    def may_stand_in(self, line: bytes) -> bool:
        """Tell whether the gate lets a line pass."""
        return not self.gate or any(
            first in line and _compile_gate(choice).search(line)
            for first, choice in _list_choices(self.gate)
        )

    def compile_gate(self) -> re.Pattern[bytes]:
        """Give the compiled gate."""
        return _compile_gate(self.gate)


@cache
def _compile_pattern(expression: str, flags: int) -> re.Pattern[str]:
    return re.compile(expression, flags | re.MULTILINE)


@cache
def _list_choices(expression: str) -> list[tuple[bytes, str]]:
    """Give the choices that an expression begins with, each with the letters it begins with.

    One of these choices matches where the expression does.
    """
    # Fast path: the first look at 20 MB of code, 1.8 s instead of 2.2. What begins with a choice
    # is tried at every letter of a line, what begins with letters where these stand.
    choices: list[str] = []
    for choice in _split_choices(expression):
        end = _find_group_end(choice)
        inner = _split_choices(choice[len("(?:") : end - 1]) if end else [""]
        choices += [first + choice[end:] for first in inner]
    return [(_FIRST_LETTERS.findall(choice)[0].encode(), choice) for choice in choices]


def _split_choices(expression: str) -> list[str]:
    """Split an expression where a bar stands in no group."""
    choices, depth = [""], 0
    for part in _PART.findall(expression):
        depth += (part == "(") - (part == ")")
        if part == "|" and depth == 0:
            choices.append("")
        else:
            choices[-1] += part
    return choices


def _find_group_end(expression: str) -> int:
    """Find where the group ends that an expression begins with; 0 where there is none."""
    if not expression.startswith("(?:"):
        return 0
    depth = at = 0
    for part in _PART.findall(expression):
        depth += (part == "(") - (part == ")")
        at += len(part)
        if depth == 0:
            break
    return 0 if expression[at : at + 1] in ("?", "*", "+", "{") else at


@cache
def _compile_gate(expression: str) -> re.Pattern[bytes]:
    return re.compile(expression.encode())
