"""Private keys, which are blocks of lines between two marks.

A block may be cut off at either end, numbered by a tool that shows files, quoted in a diff, or
written on one line with an escaped newline. One without its end mark ends where its letters
do, and one without its first mark begins where they do. A mark alone, as in a text about keys,
is no key. Lines without any mark are the middle of a key if they are as long as those of a
key, follow each other and belong to no other block: certificates have marks of their own.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from typing import Final

from bough.export.secrets.heuristics import is_mixed

MARKER: Final = b"PRIVATE KEY"
_TYPE: Final = r"((?:[A-Z0-9]{1,20} ){0,3})PRIVATE KEY(?: BLOCK)?-----"
_BEGIN: Final = re.compile(r"-----BEGIN " + _TYPE)
_END: Final = re.compile(r"-----END " + _TYPE)
_BETWEEN: Final = r"(?:\\[nrt]|[\s\\>|+\d\N{RIGHTWARDS ARROW}:-]){0,20}"
_LINES: Final = re.compile(rf"(?:{_BETWEEN}[A-Za-z0-9+/=]{{16,120}}){{1,400}}")
_LETTERS: Final = re.compile(r"[A-Za-z0-9+/]{16}")
_LONGEST: Final = 40_000
_NAMES: Final = {"OPENSSH": "OpenSSH", "PGP": "PGP", "RSA": "RSA", "EC": "EC", "DSA": "DSA"}
_ANY_MARK: Final = re.compile(r"-----(BEGIN|END) ")
LINE_LENGTHS: Final = range(64, 74)
"""How long a line of a key is, with what an escape or a diff may put before it."""

KEY_LETTERS: Final = re.compile(rb"[A-Za-z0-9+/]{64}")
"""What stands in every line of a key but its last."""

# Keys are written in lines of 64 characters, those of OpenSSH in lines of 70.
_MIDDLE: Final = re.compile(
    r"(?:(?<![A-Za-z0-9+/=])|(?<=\\n)|(?<=^\+)|(?<=\\n\+))"
    r"(?P<line>[A-Za-z0-9+/]{70}|[A-Za-z0-9+/]{64})(?![A-Za-z0-9+/=])",
    re.MULTILINE,
)
# What stands between two lines: a newline, the number of a line, the sign of a diff.
_NEXT_LINE: Final = re.compile(
    r"\s{0,3}(?:\n|\\{1,4}n)[\s\d\N{RIGHTWARDS ARROW}:|>+-]{0,14}(?:\\t)?"
)
_FEWEST_LINES: Final = 2
_NO_LETTERS: Final = re.compile(r"[^A-Za-z0-9+/=\s\\>|:\N{RIGHTWARDS ARROW}-]")


def find_key_blocks(text: str) -> Iterator[tuple[int, int, str]]:
    """Find private keys: where each begins and ends, and its kind."""
    ends = list(_END.finditer(text))
    starts = [end.start() for end in ends]
    begins = list(_BEGIN.finditer(text))
    closed = set()
    for number, begin in enumerate(begins):
        first, last = begin.end(), _LONGEST + begin.end()
        following = begins[number + 1].start() if number + 1 < len(begins) else len(text)
        at = bisect_left(starts, first)
        if at < len(ends) and starts[at] <= min(last, following):
            body, end = text[first : starts[at]], ends[at].end()
            closed.add(at)
        else:
            lines = _LINES.match(text, first, min(last, following))
            end = lines.end() if lines else first
            body = text[first:end]
        if _LETTERS.search(body):
            yield begin.start(), end, _name_kind(begin)
    before = 0
    for at, mark in enumerate(ends):
        if at not in closed:
            yield from _find_tail(text, before, mark)
        before = mark.end()
    yield from _find_middles(text)


def _find_tail(text: str, before: int, mark: re.Match[str]) -> Iterator[tuple[int, int, str]]:
    """Find the rest of a key whose beginning is not there, before its end mark."""
    first = max(before, mark.start() - _LONGEST)
    odd = [match.end() for match in _NO_LETTERS.finditer(text, first, mark.start())]
    lines = _LETTERS.search(text, odd[-1] if odd else first, mark.start())
    if lines:
        yield lines.start(), mark.end(), _name_kind(mark)


def _find_middles(text: str) -> Iterator[tuple[int, int, str]]:
    """Find lines that are as long as those of a key, one below the other, without any mark."""
    marks = [(mark.start(), mark[1]) for mark in _ANY_MARK.finditer(text)]
    run: list[re.Match[str]] = []
    for line in _MIDDLE.finditer(text):
        if run and not _follows(text, run[-1], line):
            yield from _name_run(text, run, marks)
            run = []
        run.append(line)
    yield from _name_run(text, run, marks)


def _follows(text: str, line: re.Match[str], after: re.Match[str]) -> bool:
    """Tell whether a line stands right below another that is as long."""
    between = text[line.end() : after.start()] if after.start() - line.end() < 20 else ""
    same = len(line["line"]) == len(after["line"])
    return same and _NEXT_LINE.fullmatch(between) is not None


def _name_run(
    text: str, run: list[re.Match[str]], marks: list[tuple[int, str]]
) -> Iterator[tuple[int, int, str]]:
    if len(run) < _FEWEST_LINES or not all(is_mixed(line["line"]) for line in run):
        return
    start, end = run[0].start("line"), run[-1].end("line")
    if "+" not in text[start:end] and "/" not in text[start:end]:
        return
    at = bisect_left(marks, (start, ""))
    # Between marks it is a block that was looked at already, or one that is no private key.
    if (at and marks[at - 1][1] == "BEGIN") or (at < len(marks) and marks[at][1] == "END"):
        return
    last = _LINES.match(text, end, end + 200)
    yield start, last.end() if last else end, "private key"


def _name_kind(mark: re.Match[str]) -> str:
    name = _NAMES.get(mark[1].split(" ")[0], "")
    return f"{name} private key".strip()
