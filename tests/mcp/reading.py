"""Reading an answer as strictly as an agent should: what is quoted, and what is not."""

import json
import re
from collections.abc import Iterator
from typing import Any

from bough.mcp.quote_fences import NOTE, UNSEEN

FENCED = re.compile(
    r"<<<quote id=([0-9a-f]{8})>>> (.*) <<<end id=\1>>>( \([0-9,]+ characters left out\))?",
    re.DOTALL,
)
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_OURS = re.compile(r"[A-Za-z0-9 _.,:;#'()/+-]*")
"""What we say ourselves: ids, times, and plain words."""


def parse(text: str) -> dict[str, Any]:
    """Read an answer: the constant line, then one JSON object."""
    note, _, document = text.partition("\n")
    assert note == NOTE
    found = json.loads(document)
    assert isinstance(found, dict)
    return found


def list_texts(value: Any) -> Iterator[str]:
    """List all texts of a document, the names of fields too."""
    match value:
        case str():
            yield value
        case dict():
            for key, inner in value.items():
                yield key
                yield from list_texts(inner)
        case list():
            for inner in value:
                yield from list_texts(inner)
        case _:
            pass


def split_quotes(text: str) -> tuple[list[str], list[str]]:
    """Split an answer into what it quotes and what it says; fail where a quote leaves its fence."""
    quoted, said = [], []
    marks = set()
    for one in list_texts(parse(text)):
        match = FENCED.fullmatch(one)
        if match is None:
            assert "<<<" not in one, one
            assert ">>>" not in one, one
            assert _OURS.fullmatch(one), one
            said.append(one)
            continue
        inner = match[2]
        marks.add(match[1])
        assert "<<<" not in inner, inner
        assert ">>>" not in inner, inner
        assert not UNSEEN.search(inner), inner
        assert not _CONTROLS.search(inner), inner
        quoted.append(inner)
    assert len(marks) <= 1
    return quoted, said
