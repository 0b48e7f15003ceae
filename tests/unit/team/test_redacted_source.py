"""A redacted source is a source: the same places, the same lengths, and no secret by any way in."""

from pathlib import Path

import pytest

from bough.files.byte_source import DISK, DiskSource, find_bytes
from bough.team.line_redactor import LineRedactor
from bough.team.redacted_source import RedactedFinder, RedactedSource
from tests.unit.export.planted import SHAPED, Maker, private_key

TOKEN = SHAPED["GitHub"](Maker(3)).encode()
LINES = [
    b'{"type":"user","x":"plain"}\n',
    b'{"type":"user","x":"use ' + TOKEN + b' now"}\n',
    b"\n",
    b'{"type":"user","x":"end"}\n',
]
WHOLE = b"".join(LINES)
MASKED = WHOLE.replace(TOKEN, b"*" * len(TOKEN))


@pytest.fixture
def source(tmp_path: Path) -> RedactedSource:
    path = tmp_path / "s.jsonl"
    path.write_bytes(WHOLE)
    return RedactedSource(DiskSource(str(path)), LineRedactor())


def test_every_way_of_reading_gives_masked_bytes(source: RedactedSource) -> None:
    assert b"".join(line.raw for line in source.lines()) == MASKED
    assert source.at(0, 10_000) == MASKED
    with source.open() as file:
        assert file.read() == MASKED
    assert find_bytes(source, TOKEN) == -1
    assert source.state().size == len(WHOLE)


def test_any_stretch_is_that_of_the_whole(source: RedactedSource) -> None:
    for start in range(len(WHOLE) + 2):
        for length in (0, 1, 7, 60):
            assert source.at(start, length) == MASKED[start : start + length]


def test_an_open_source_goes_to_any_place(source: RedactedSource) -> None:
    with source.open() as file:
        for place in (40, 0, len(LINES[0]), 3):
            file.seek(place)
            found = file.read(30)
            assert found
            assert MASKED[place:].startswith(found)


def test_a_last_line_is_left_out_until_it_is_finished(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    source = RedactedSource(DiskSource(str(path)), LineRedactor())
    path.write_bytes(WHOLE + b'{"x":"' + TOKEN[:20])
    assert source.at(0, 10_000) == MASKED
    path.write_bytes(WHOLE + b'{"x":"' + TOKEN + b'"}')
    assert source.at(len(WHOLE), 1_000) == b'{"x":"' + b"*" * len(TOKEN) + b'"}'


def test_what_lies_beside_is_masked_as_one_text(tmp_path: Path) -> None:
    key = private_key(Maker(1), "RSA ")
    path = tmp_path / "out.txt"
    path.write_text(f"before\n{key.text}\nbehind\n")
    found = RedactedFinder(DISK).find(str(path))
    assert found is not None
    text = found.at(0, 10_000).decode()
    assert not any(line in text for line in key.secrets)
    assert text.count("\n") == path.read_text().count("\n")
    assert text.startswith("before\n*")
    assert text.endswith("*\nbehind\n")
