"""What the place we print to can do: columns, colours, characters.

Decided once per command, from the options, the environment and stdout itself. A pipe has no
width: what goes into it is not cut. Colours follow the customs users know: --color first,
then NO_COLOR, CLICOLOR_FORCE, whether stdout is a terminal at all, and TERM.
"""

import os
from collections.abc import Mapping
from enum import IntEnum
from typing import Final, Literal, TextIO

from msgspec import Struct

ColorChoice = Literal["auto", "always", "never"]

_UTF8: Final = {"utf-8", "utf8", "utf_8", "cp65001"}
_LIGHT_BACKGROUNDS: Final = {"7", "15"}


class ColorDepth(IntEnum):
    """How a text may be set off: not at all, without colour, in 16 colours, in all."""

    PLAIN = 0
    ATTRIBUTES = 1
    SIXTEEN = 2
    TRUE = 3


class Terminal(Struct, frozen=True):
    """What stdout can do; no width and no height where it is not a terminal."""

    depth: ColorDepth = ColorDepth.PLAIN
    width: int | None = None
    height: int | None = None
    unicode: bool = True
    light: bool = False


def detect_terminal(
    stream: TextIO | None, environ: Mapping[str, str], color: ColorChoice
) -> Terminal:
    """Look at a stream and its environment."""
    if stream is None:
        return Terminal()
    shown = is_terminal(stream)
    size = screen_size() if shown else None
    return Terminal(
        depth=choose_color_depth(environ, color, shown=shown),
        width=size.columns if size else None,
        height=size.lines if size else None,
        unicode=can_show_unicode(stream.encoding, environ),
        light=environ.get("COLORFGBG", "").rpartition(";")[2] in _LIGHT_BACKGROUNDS,
    )


def screen_size() -> os.terminal_size:
    """Measure the terminal; 80 by 24 where it does not say."""
    from shutil import get_terminal_size  # noqa: PLC0415 - it brings along what a pipe never needs

    return get_terminal_size()


def is_terminal(stream: TextIO | None) -> bool:
    """Tell whether a person looks at this stream; a closed one is looked at by nobody."""
    try:
        return stream is not None and stream.isatty()
    except ValueError:
        return False


def choose_color_depth(
    environ: Mapping[str, str], color: ColorChoice, *, shown: bool
) -> ColorDepth:
    """Choose how far text may be set off."""
    if color == "never":
        return ColorDepth.PLAIN
    if color == "auto":
        forced = environ.get("CLICOLOR_FORCE", "0") not in ("", "0")
        if not shown and (environ.get("NO_COLOR") or not forced):
            return ColorDepth.PLAIN
        if environ.get("TERM") == "dumb" and not forced:
            return ColorDepth.PLAIN
        if environ.get("NO_COLOR") or (environ.get("CLICOLOR") == "0" and not forced):
            return ColorDepth.ATTRIBUTES
    truecolor = environ.get("COLORTERM", "").lower() in ("truecolor", "24bit")
    return ColorDepth.TRUE if truecolor else ColorDepth.SIXTEEN


def can_show_unicode(encoding: str | None, environ: Mapping[str, str]) -> bool:
    """Tell whether our glyphs can be shown.

    Python writes UTF-8 in the C locale whatever the terminal takes, so a locale that was
    set to C by hand is believed more than the stream.
    """
    if environ.get("LC_ALL") in ("C", "POSIX"):
        return False
    return (encoding or "").lower() in _UTF8
