"""`bough statusline`: what is asked for on the command line, answered with one line.

The line is always one and the program always ends well: a client shows nothing of a status line
that fails. An option that nobody knows is named in the line itself.
"""

import os
import time
from collections.abc import Sequence

from bough import paths
from bough.status_line.client_status import ClientStatus, clean_text, read_client_status
from bough.status_line.limit_log import log_limits
from bough.status_line.line_format import LineParts, cut_to_width, write_line
from bough.status_line.number_cache import claim_refresh, read_numbers, start_refresh

_VALUED = ("--format", "--width", "--color", "--chain", "--claude-dir", "--index")


class LineOptions:
    """What was asked for."""

    def __init__(self, words: Sequence[str]) -> None:
        self.template: str | None = None
        self.width: int | None = _read_number(os.environ.get("COLUMNS"))
        self.color = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        self.chain: str | None = None
        self.folder: str | None = None
        self.prints_script = False
        self.unknown = ""
        rest = list(words)
        while rest:
            self._take(rest.pop(0), rest)

    def _take(self, word: str, rest: list[str]) -> None:
        name, sign, value = word.partition("=")
        if name not in _VALUED:
            if word == "--print-sh":
                self.prints_script = True
            else:
                self.unknown = self.unknown or word
            return
        value = value if sign else rest.pop(0) if rest else ""
        match name:
            case "--format":
                self.template = value
            case "--width":
                self.width = _read_number(value)
            case "--color":
                self.color = value == "always" or (value != "never" and self.color)
            case "--chain":
                self.chain = value
            case "--claude-dir":
                self.folder = paths.expand_user(value)
            case _:
                return  # --index: there is nothing that would need it


def answer(words: Sequence[str]) -> None:
    """Write the line to stdout."""
    options = LineOptions(words)
    if options.prints_script:
        from bough.status_line.shell_script import write_script  # noqa: PLC0415 - for one option

        _write(write_script(options.folder or paths.find_client_folder() or ""))
        return
    if options.chain is not None:
        from bough.status_line.chain import run_chained  # noqa: PLC0415 - for one option

        client, before = run_chained(options.chain)
        _write(f"{before}{make_line(options, client)}\n")
        return
    _write(make_line(options, read_client_status()) + "\n")


def make_line(options: LineOptions, client: ClientStatus, now: float | None = None) -> str:
    """Make the line; start the refresh of old numbers where nobody else has."""
    now = time.time() if now is None else now
    if options.unknown:
        words = f"bough statusline knows no {clean_text(options.unknown)}"
        return cut_to_width(words, options.width)
    folder = client.claude_folder or options.folder or paths.find_client_folder()
    cached = read_numbers(folder, now) if folder else None
    line = write_line(
        LineParts(client, cached, now),
        template=options.template,
        width=options.width,
        color=options.color,
    )
    log_limits(client, now)
    if folder and (cached is None or cached.is_due) and claim_refresh(folder, now):
        start_refresh(folder)
    return line


def _read_number(text: str | None) -> int | None:
    """Read a number of columns; None where it is none, or says that nobody knows it."""
    is_number = text is not None and text.isascii() and text.isdigit() and len(text) < 6
    return (int(text) or None) if text and is_number else None


def _write(text: str) -> None:
    data = text.encode("utf-8", "replace")
    try:
        while data:
            data = data[os.write(1, data) :]
    except OSError:
        return  # nobody reads any more
