"""The only module that prints.

stdout is data, stderr is talk. Data goes through the pager when a person looks at it and it
is longer than the screen. Whoever reads may stop at any time: a closed pipe and a pager that
was left are no errors. Lines come as spans and are painted here, for the terminal they go to.
"""

import os
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from typing import Final, TextIO

import msgspec

from bough.terminal.capabilities import (
    ColorChoice,
    Terminal,
    detect_terminal,
    is_terminal,
    screen_size,
)
from bough.terminal.style import ASCII, UNICODE, StyledLine, styles_for
from bough.terminal.text import clean, fit

_NO_TERMINAL: Final = Terminal()
# JSON allows these as they are; a terminal would obey some of them.
_ACTING: Final = re.compile("[\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_SURROGATE: Final = re.compile("([\ud800-\udfff])")
_FALLBACKS: Final = {
    ord(sign): plain
    for sign, plain in zip(
        msgspec.structs.astuple(UNICODE), msgspec.structs.astuple(ASCII), strict=True
    )
    if sign
}


def detect_screen(color: ColorChoice = "auto") -> Terminal:
    """Look at what stdout can do."""
    found = detect_terminal(sys.stdout, os.environ, color)
    if sys.platform == "win32" and found.depth:
        os.system("")  # noqa: S605, S607 - makes the Windows console understand escape codes
    return found


def write(text: str) -> None:
    """Write data to stdout as it is."""
    _write_to(sys.stdout, text)


def write_lines(lines: Iterable[StyledLine], terminal: Terminal) -> None:
    """Write lines to stdout, at once and without a pager."""
    write("".join([f"{line}\n" for line in styles_for(terminal).paint_lines(lines)]))


def page_lines(
    lines: Iterable[StyledLine], terminal: Terminal = _NO_TERMINAL, start: int | None = None
) -> None:
    """Show lines in the looks of a terminal, in the pager where they are longer than it.

    `start` is as for `page_text`.
    """
    page_text(styles_for(terminal).paint_lines(lines), terminal, start)


def page_text(
    lines: Iterable[str], terminal: Terminal = _NO_TERMINAL, start: int | None = None
) -> None:
    """Show lines of plain text, in the pager where they are longer than the screen.

    `start` counts from 1 and is the line the pager opens at, where it can. Lines are taken
    one by one, so that what is long shows its beginning at once.
    """
    encodable = (_make_encodable(f"{line}\n", sys.stdout) for line in lines)
    for line in _feed_pager(encodable, terminal, start) if terminal.height else encodable:
        if sys.stdout is not None:
            sys.stdout.write(line)


def _feed_pager(lines: Iterable[str], terminal: Terminal, start: int | None) -> Iterable[str]:
    """Feed the pager; give back the lines that it did not take."""
    from bough.cli.pager import choose_pager, feed_pager  # noqa: PLC0415 - 10 ms; a pipe needs none

    command = choose_pager(os.environ)
    if command is None:
        return lines
    flush_output()
    return feed_pager(command, lines, terminal, _encoding_of(sys.stdout), start)


def emit_json(value: object, terminal: Terminal = _NO_TERMINAL) -> None:
    """Write one JSON document in UTF-8, whatever the locale."""
    try:
        document = msgspec.json.encode(value)
    except UnicodeEncodeError:
        document = msgspec.json.encode(_escape_surrogates(msgspec.to_builtins(value)))
    if terminal.height:
        indented = msgspec.json.format(document, indent=2).decode()
        page_text(_ACTING.sub(_escape_match, indented).split("\n"), terminal)
    else:
        emit_bytes(document + b"\n")


def emit_bytes(data: bytes) -> None:
    """Write bytes to stdout, untouched."""
    if sys.stdout is not None:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)


def say(text: str) -> None:
    """Tell the person something; it is no data, and nothing depends on it being heard."""
    with suppress(OSError, ValueError):
        _write_to(sys.stderr, clean(text) + "\n")


def show_status(text: str) -> None:
    """Show a line on stderr that the next one replaces; an empty one takes it away."""
    if not is_terminal(sys.stderr):
        return
    with suppress(OSError, ValueError):
        columns = screen_size().columns
        _write_to(sys.stderr, f"\r\x1b[K{fit(clean(text), columns - 1)}")
        sys.stderr.flush()


def flush_output() -> None:
    """Hand over what is still buffered, while its failure can be told."""
    if sys.stdout is not None and not sys.stdout.closed:
        sys.stdout.flush()


def discard_output() -> None:
    """Drop what is still buffered: nobody reads it, and Python would complain at its end."""
    if sys.stdout is None or is_terminal(sys.stdout):
        return
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def _write_to(stream: TextIO | None, text: str) -> None:
    if stream is not None:
        stream.write(_make_encodable(text, stream))


def _make_encodable(text: str, stream: TextIO | None) -> str:
    """Replace what a stream cannot take: our glyphs by their plain twins, the rest by ?."""
    if text.isascii():
        return text
    encoding = _encoding_of(stream)
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.translate(_FALLBACKS).encode(encoding, "replace").decode(encoding)
    return text


def _encoding_of(stream: TextIO | None) -> str:
    return (stream.encoding if stream is not None else None) or "utf-8"


def _escape_match(match: re.Match[str]) -> str:
    return f"\\u{ord(match.group()):04x}"


def _escape_surrogates(value: object) -> object:
    """Write lone surrogates (they stand for bytes of a file's name) as JSON escapes."""
    match value:
        case str():
            parts = _SURROGATE.split(value)
            inner = (
                f"\\u{ord(part):04x}".encode() if at % 2 else msgspec.json.encode(part)[1:-1]
                for at, part in enumerate(parts)
            )
            return msgspec.Raw(b'"' + b"".join(inner) + b'"')
        case list():
            return [_escape_surrogates(one) for one in value]
        case dict():
            return {
                _SURROGATE.sub("\ufffd", str(key)): _escape_surrogates(one)
                for key, one in value.items()
            }
        case _:
            return value
