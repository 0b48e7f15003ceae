"""Files that a prompt names with an at sign, as in `@src/importer/reader.py`.

What is between back-ticks is code and names nothing; an at sign inside a word is an address.
Every face sets off the same ones.
"""

import re
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

_NAME: Final = re.compile(r'@(?<![\w@`]@)(?:"[^"\n]+"|[\w~./\\-][\w./\\~:+#-]*)')
_CODE: Final = re.compile(r"`[^`\n]+`")


class FileReference(Struct, frozen=True, gc=False):
    """Where a file is named in a text, and its path without the at sign."""

    start: int
    end: int
    path: str


def find_code_spans(text: str) -> list[tuple[int, int]]:
    """Find what stands between back-ticks, those included."""
    return [match.span() for match in _CODE.finditer(text)] if "`" in text else []


def find_file_references(text: str) -> Iterator[FileReference]:
    """Find the files that a text names, outside of code."""
    if "@" not in text:
        return
    at = 0
    for start, end in [*find_code_spans(text), (len(text), len(text))]:
        yield from _find_between(text, at, start)
        at = end


def _find_between(text: str, start: int, end: int) -> Iterator[FileReference]:
    for match in _NAME.finditer(text[start:end]):
        name = match[0].rstrip(".,:;")
        path = name[1:].strip('"')
        if "." in path or "/" in path or "\\" in path:
            place = start + match.start()
            yield FileReference(place, place + len(name), path)
