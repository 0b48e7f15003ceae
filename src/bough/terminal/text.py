"""Text on a terminal: made safe, measured, cut and wrapped.

A transcript holds what programs printed: escape sequences that move the cursor, set the
title or write to the clipboard, and characters that turn the direction of the text. None
of it may act on the terminal of the person who reads. Words are never dropped: an escape
sequence without its end loses its introducer, and the rest stays readable.

A character is one column, two (Chinese, most emoji) or none (accents put on afterwards).
Nearly all text is of the first kind and is told by one regular expression, so the tables
of `wcwidth`, slow to load, are asked for only by the rest.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Final

TAB: Final = 4

# A string sequence (title, clipboard, link) runs to its terminator. Its body holds no beginning
# of another, so an unfinished one is given up there, and the time stays linear in the text.
_STRINGS: Final = (
    r"(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])"
    r"[^\x07\x1b\x90\x98\x9c-\x9f\n]*+"
    r"(?:\x07|\x1b\\|\x9c)"
)
_CONTROL_SEQUENCE: Final = r"(?:\x1b\[|\x9b)[0-?]*+[ -/]*+[@-~]"
_SHORT_ESCAPE: Final = r"\x1b[ -/]*+[0-~]?"
# C0 but tab and newline, DEL, C1; embeddings, overrides and isolates of direction; the
# mark of byte order.
_CONTROLS: Final = "[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff]"
_UNSAFE: Final = re.compile(f"{_STRINGS}|{_CONTROL_SEQUENCE}|{_SHORT_ESCAPE}|{_CONTROLS}")
_ACTS: Final = re.compile(_CONTROLS[:-1] + "\t\n\u2028\u2029\ud800-\udfff]")
_LINE_ENDS: Final = re.compile("\r\n?|[\x85\u2028\u2029]")
_SURROGATES: Final = re.compile("[\ud800-\udfff]")
_SPACES: Final = re.compile(r"\s+")


def clean(text: str) -> str:
    """Strip what could act on a terminal; newlines and tabs stay."""
    if text.isascii() and text.isprintable():
        return text
    text = _LINE_ENDS.sub("\n", text)
    text = _UNSAFE.sub("", text)
    return _SURROGATES.sub("\ufffd", text)


def make_harmless(text: str) -> str:
    """Take out of a piece of a line whatever acts on a terminal, breaks of lines too.

    Renderers clean the words of transcripts themselves. This is for what nobody expects to hold
    any, such as the name of a file.
    """
    if (text.isascii() and text.isprintable()) or not _ACTS.search(text):
        return text
    return _ACTS.sub(" ", clean(text))


def one_line(text: str) -> str:
    """Clean a text and set it on one line, each run of white space one space."""
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip(" ")  # nearly all text is like this
    return _SPACES.sub(" ", clean(text)).strip()


def clean_lines(texts: list[str]) -> list[str]:
    """Set each of some texts on one line, as `one_line` does.

    Fast path: tables of 12,400 sessions, 40 ms less: most columns are looked at as one text.
    """
    together = "|".join(texts)
    if together.isascii() and together.isprintable():
        around = f"|{together}|"
        if not ("  " in around or "| " in around or " |" in around):
            return texts
    return [one_line(text) for text in texts]


def lines_of(text: str) -> list[str]:
    """Clean a text and split it into lines, with tabs as spaces."""
    return [line.expandtabs(TAB) for line in clean(text).split("\n")]


# Ranges in which every character takes one column; a test asks wcwidth about each of them.
_NARROW: Final = re.compile(
    "[\x20-\x7e\u00a0-\u00ac\u00ae-\u02ff\u0370-\u0482\u048a-\u0590\u1e00-\u200a\u2010-\u2027"
    "\u202f-\u205f\u20a0-\u20cf\u2100-\u2319\u2500-\u25fc\u2713-\u2718\u2800-\u28ff]*"
)
# Characters of two columns between which a line may break: kana, ideographs, hangul.
_BREAKABLE: Final = "\u3041-\u3096\u30a1-\u30fa\u3400-\u4db5\u4e00-\u9fef\uac00-\ud7a3\uff01-\uff60"
# Marks of wide writing that no line ends with, and those that no line begins with.
_OPENING: Final = "\u3008\u300a\u300c\u300e\u3010\u3014\uff08\uff3b\uff5b"
_CLOSING: Final = (
    "\u3001\u3002\u3009\u300b\u300d\u300f\u3011\u3015"
    "\uff01\uff09\uff0c\uff0e\uff1a\uff1b\uff1f\uff3d\uff5d"
)


def width(text: str) -> int:
    """Count the columns a cleaned text takes."""
    if _is_narrow(text):
        return len(text)
    if _wide_pattern().fullmatch(text):
        return 2 * len(text)
    return sum(columns for _, columns in _split_clusters(text))


def measure_lines(texts: list[str]) -> list[int]:
    """Count the columns of each of some cleaned texts, as `width` does."""
    if "".join(texts).isascii():
        return list(map(len, texts))
    return [width(text) for text in texts]


def fit(text: str, columns: int, ellipsis: str = "…") -> str:
    """Cut a text to so many columns; what was cut ends with an ellipsis."""
    if columns <= 0:
        return ""
    if _can_fit(text, columns):
        return text
    room = columns - width(ellipsis)
    if room <= 0:
        return _take_head(text, columns)
    return _take_head(text, room).rstrip(" ") + ellipsis


def fit_path(text: str, columns: int, ellipsis: str = "…") -> str:
    """Cut a path in its middle, so that the name of the file stays."""
    if columns <= 0 or _can_fit(text, columns):
        return fit(text, columns, ellipsis)
    at = max(text.rfind("/"), text.rfind("\\"))
    name = text[at:] if at > 0 else ""
    room = columns - width(name) - width(ellipsis)
    # A name that leaves nothing of its folder says more whole than with a letter before it.
    return (
        _take_head(text, room) + ellipsis + name
        if name and room > 0
        else fit(text, columns, ellipsis)
    )


def pad(text: str, columns: int, *, right: bool = False) -> str:
    """Fill a text with spaces up to so many columns, on the left when it stands right."""
    space = " " * (columns - width(text))
    return space + text if right else text + space


def wrap(text: str, columns: int, indent: str = "") -> list[str]:
    """Break a text into lines of at most so many columns, each behind the indent.

    Lines of the text stay lines. A word longer than a line is broken where it must be.
    """
    # Two columns at least: less would not take one wide character.
    room = max(2, columns - width(indent))
    lines: list[str] = []
    for line in text.split("\n"):
        flat = line.expandtabs(TAB)
        lines.extend([flat] if _can_fit(flat, room) else _break_line(flat, room))
    return [(indent + line).rstrip(" ") for line in lines]


def _is_narrow(text: str) -> bool:
    return text.isascii() or _NARROW.fullmatch(text) is not None


def _can_fit(text: str, columns: int) -> bool:
    """Tell whether a text takes at most so many columns, without measuring a long one."""
    if len(text) * 2 <= columns:
        return True
    if _is_narrow(text[: columns + 1]):
        return len(text) <= columns
    used = 0
    for _, cluster_columns in _split_clusters(text):
        used += cluster_columns
        if used > columns:
            return False
    return True


def _split_clusters(text: str) -> Iterator[tuple[str, int]]:
    """Give what a reader takes for one character, with the columns it takes."""
    graphemes, columns_of = _load_tables()
    for cluster in graphemes(text):
        columns = max(0, columns_of(cluster))
        if columns <= 2:
            yield cluster, columns
        else:
            # Marks that join nothing, such as a skin tone on a letter, are shown one by one.
            yield from ((one, max(0, columns_of(one))) for one in cluster)


# Made on first use: large sets of characters take long to compile.
@cache
def _piece_pattern() -> re.Pattern[str]:
    """Make the pattern of what a line is broken into; what is `free` may break anywhere."""
    free = f"(?![{_OPENING}{_CLOSING}])[{_BREAKABLE}]"
    other = f"[^ \t{_BREAKABLE}{_OPENING}{_CLOSING}]"
    return re.compile(
        f"(?P<free>(?:{free}(?![{_CLOSING}]))+)|[ \t]+"
        f"|[{_OPENING}]*(?:{free}|{other}+)[{_CLOSING}]*|[{_OPENING}{_CLOSING}]+"
    )


@cache
def _wide_pattern() -> re.Pattern[str]:
    return re.compile(f"[{_BREAKABLE}]+")


@cache
def _load_tables() -> tuple[Callable[[str], Iterator[str]], Callable[[str], int]]:
    from wcwidth import iter_graphemes, wcswidth  # noqa: PLC0415 - see the module's docstring

    return iter_graphemes, wcswidth


def _take_head(text: str, room: int) -> str:
    """Take from the start what fits into the room."""
    # One character more: it may be an accent that belongs to the last one.
    if _is_narrow(text[: room + 1]):
        return text[:room]
    used, end = 0, 0
    for cluster, columns in _split_clusters(text):
        if used + columns > room:
            break
        used += columns
        end += len(cluster)
    return text[:end]


def _slice_word(word: str, first: int, room: int) -> Iterator[str]:
    """Cut a word into pieces, the first for what is left of a line, the others for whole ones."""
    each = 1 if _is_narrow(word) else 2 if _wide_pattern().fullmatch(word) else 0
    if each:
        start = first // each
        yield word[:start]
        for at in range(start, len(word), room // each):
            yield word[at : at + room // each]
        return
    part: list[str] = []
    left = first
    for cluster, columns in _split_clusters(word):
        if columns > left:
            yield "".join(part)
            part, left = [], room
        part.append(cluster)
        left -= columns
    yield "".join(part)


def _break_line(line: str, room: int) -> Iterator[str]:
    """Break one line greedily at its spaces and between wide characters."""
    done, used = "", 0
    for match in _piece_pattern().finditer(line):
        piece = match.group()
        columns = width(piece)
        if used + columns <= room:
            done, used = done + piece, used + columns
        elif piece.isspace():
            if done:
                yield done
            done, used = "", 0
        elif columns > room or match["free"]:
            *whole, last = _slice_word(piece, room - used, room)
            for part in whole:
                yield done + part
                done = ""
            done += last
            used = width(done)
        else:
            yield done
            done, used = piece, columns
    if done.strip(" ") or not line.strip():
        yield done
