"""Following one transcript: each line once, when its newline is there."""

import os
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bough.ingest.live import tail as follow
from bough.ingest.live.tail import FileTail, TailRead
from bough.records.record import BadLine, Record
from bough.sample import session
from tests.sampled import scale_examples


def story(seed: str = "one", turns: int = 3) -> bytes:
    builder = session(seed)
    for number in range(turns):
        builder.user(f"Prompt {number} äöü 漢字").thinking("How?").assistant("So.")
    return builder.bytes()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "s.jsonl"


def append(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


def uuids(grown: TailRead) -> list[str | None]:
    return [item.uuid for item in grown.items if isinstance(item, Record)]


def raws(grown: TailRead) -> bytes:
    return b"".join(item.raw for item in grown.items)


def test_what_is_there_is_given_out_once(path: Path) -> None:
    append(path, story())
    tail = FileTail(str(path))

    assert raws(tail.read()) == story()
    assert tail.read() == TailRead()


def test_a_torn_line_waits_for_its_end(path: Path) -> None:
    data = story(turns=1)
    first = data.index(b"\n") + 1
    append(path, data[: first + 20])
    tail = FileTail(str(path))

    assert raws(tail.read()) == data[:first]
    assert tail.read().items == ()
    append(path, data[first + 20 :])
    assert raws(tail.read()) == data[first:]


def test_every_place_of_a_tear_gives_the_same_records(path: Path) -> None:
    data = session("s").user("äöü 漢字").mode().bytes()
    for cut in range(1, len(data)):
        path.write_bytes(data[:cut])
        tail = FileTail(str(path))
        first = tail.read()
        append(path, data[cut:])
        second = tail.read()
        assert raws(first) + raws(second) == data, cut
        assert not second.over, cut


@pytest.mark.slow
@settings(
    max_examples=scale_examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(cuts=st.lists(st.integers(0, 4_000), max_size=12), most=st.integers(1, 3_000))
def test_any_chunking_of_the_writes_and_the_reads_gives_the_same_lines(
    path: Path, cuts: list[int], most: int
) -> None:
    data = story(turns=2)
    path.write_bytes(b"")
    tail = FileTail(str(path))
    given_out: list[Record | BadLine] = []
    edges = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    for start, end in pairwise(edges):
        append(path, data[start:end])
        grown = tail.read(most)
        given_out += grown.items
        while grown.more:
            grown = tail.read(most)
            given_out += grown.items

    assert b"".join(item.raw for item in given_out) == data
    offset = 0
    for number, item in enumerate(given_out, 1):
        assert (item.offset, item.number) == (offset, number)
        offset += len(item.raw)


def test_an_append_of_any_size_is_read_in_bounded_pieces(path: Path) -> None:
    data = story(turns=50)
    append(path, data)
    tail = FileTail(str(path))

    first = tail.read(1_000)

    assert first.more
    assert len(raws(first)) <= 1_000
    rest = raws(first)
    while (grown := tail.read(1_000)).items or grown.more:
        rest += raws(grown)
    assert rest == data


def test_a_line_that_comes_in_many_pieces_is_read_once(path: Path) -> None:
    line = session("big").user("x" * 300_000).bytes()
    read = 0
    tail = FileTail(str(path))
    path.touch()
    found = TailRead()
    for at in range(0, len(line), 1_000):
        append(path, line[at : at + 1_000])
        before = tail.read_to
        found = tail.read()
        read += tail.read_to - before

    assert raws(found) == line
    assert read == len(line)


def test_a_file_that_was_cut_starts_over_and_repeats_nothing(path: Path) -> None:
    data = story()
    append(path, data)
    tail = FileTail(str(path))
    tail.read()
    os.truncate(path, data.index(b"\n") + 1)

    cut = tail.read()
    append(path, data[data.index(b"\n") + 1 :] + story("two", 1))
    grown = tail.read()

    assert (cut.over, cut.items) == (True, ())
    assert raws(grown) == story("two", 1)


def test_a_file_that_was_rewritten_gives_only_what_is_new(path: Path) -> None:
    append(path, story("one"))
    tail = FileTail(str(path))
    tail.read()
    path.write_bytes(story("two", 1) + story("one"))

    grown = tail.read()

    assert grown.over
    assert raws(grown) == story("two", 1)


def test_a_replaced_file_that_begins_alike_goes_on(path: Path) -> None:
    append(path, story("one"))
    tail = FileTail(str(path))
    tail.read()
    other = path.with_suffix(".new")
    other.write_bytes(story("one") + story("two", 1))
    other.replace(path)

    grown = tail.read()

    assert not grown.over
    assert raws(grown) == story("two", 1)


def test_a_torn_end_that_is_taken_back_and_written_again(path: Path) -> None:
    data = story(turns=1)
    append(path, data[:-30])
    tail = FileTail(str(path))
    before = raws(tail.read())
    os.truncate(path, len(before))

    first = raws(tail.read())
    append(path, data[len(before) :])

    assert before + first + raws(tail.read()) == data


def test_lines_without_a_uuid_are_known_by_their_bytes(path: Path) -> None:
    data = session("s").mode().last_prompt("x").bytes()
    append(path, data)
    tail = FileTail(str(path))
    tail.read()
    os.truncate(path, 0)
    tail.read()

    append(path, data)

    assert tail.read().items == ()


def test_a_file_that_is_gone_says_so(path: Path) -> None:
    assert FileTail(str(path)).read().gone


def test_a_file_that_cannot_be_read_is_a_problem_and_not_an_error(path: Path) -> None:
    path.mkdir()

    grown = FileTail(str(path)).read()

    assert grown.problem is not None
    assert "Cannot read" in grown.problem.message


def test_a_line_without_its_end_can_be_looked_at(path: Path) -> None:
    append(path, story(turns=1) + b'{"type":')
    tail = FileTail(str(path))
    tail.read()
    append(path, b'"user"')
    tail.read()

    torn = tail.torn_line

    assert torn is not None
    assert (torn.offset, torn.raw) == (tail.offset, b'{"type":"user"')
    append(path, b"}\n")
    tail.read()
    assert tail.torn_line is None


def test_who_keeps_the_records_gets_all_again_when_the_file_starts_over(path: Path) -> None:
    data = story(turns=2)
    append(path, data)
    tail = FileTail(str(path), repeats=True)
    tail.read()
    first = data.index(b"\n") + 1
    path.write_bytes(data[:first])

    grown = tail.read()

    assert grown.over
    assert raws(grown) == data[:first]


def test_lines_can_be_left_out_without_losing_count(path: Path) -> None:
    data = story(turns=4)
    append(path, data)
    tail = FileTail(str(path))

    tail.skip_to(len(data) // 2)
    grown = tail.read()

    assert data.endswith(raws(grown))
    assert grown.items[0].offset == len(data) - len(raws(grown))
    assert grown.items[0].number == data[: grown.items[0].offset].count(b"\n") + 1


def test_bad_lines_are_given_out_like_others(path: Path) -> None:
    append(path, b"{oops\n" + story(turns=1))

    assert isinstance(FileTail(str(path)).read().items[0], BadLine)


def test_what_was_given_out_is_remembered_in_bounded_memory(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follow, "_REMEMBERED", 10)
    append(path, story(turns=20))
    tail = FileTail(str(path))

    tail.read()

    assert len(tail._given) <= 10
