"""Outlines say of a session's shape what the whole file says."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from bough.files.byte_source import DiskSource
from bough.files.lines import split_lines
from bough.ingest.index.outlines import unpack_outlines
from bough.ingest.index.record_rows import RowBuilder
from bough.ingest.index.refresh import refresh_index
from bough.ingest.index.session_facts import RecordCounts, compute_session_facts
from bough.query.sessions.load_session import read_records, read_session
from bough.records.decode import decode_lines
from bough.records.record import BadLine, Record
from bough.sample import session
from bough.sample.demo import sessions as demo_sessions
from bough.store.rows import SessionFacts
from tests.searched import indexed


def _by_outline(path: Path) -> SessionFacts:
    found, bad = read_records(DiskSource(str(path)))
    items: list[Record | BadLine] = sorted([*found, *bad], key=lambda item: item.offset)
    batch = RowBuilder(agent=False).batch(items)
    counts = RecordCounts(len(found), len(bad), 0)
    return compute_session_facts(
        path.stem, unpack_outlines(part for _, part in batch.outlines), counts, None
    )


def _agrees(path: Path) -> None:
    whole = read_session(path)
    facts = _by_outline(path)

    assert [(c.tip, bool(c.active), c.turns, c.messages) for c in facts.conversations] == [
        (c.tip, c.active, len(c.turns), len(c.messages)) for c in whole.conversations
    ]
    assert facts.branch_points == len(whole.branch_points)
    assert facts.active_tip == whole.active_tip
    assert facts.tip_rule == whole.choice.rule
    assert (facts.started_at, facts.ended_at) == (whole.started_at, whole.ended_at)
    assert (facts.version, facts.cwd, facts.git_branch) == (
        whole.version,
        whole.cwd,
        whole.git_branch,
    )


def test_every_session_of_the_demo_has_the_shape_its_outline_tells(tmp_path: Path) -> None:
    for builder in demo_sessions(datetime(2026, 11, 15, 15, 30, tzinfo=UTC)):
        _agrees(builder.write(tmp_path))


@pytest.mark.slow
def test_every_real_session_has_the_shape_its_outline_tells(shared: Path) -> None:
    real = [
        *shared.glob("corpus/projects/*/*.jsonl"),
        *shared.glob("client-files/*/*/**/projects/*/*.jsonl"),
    ]

    assert real
    for path in real:
        if not path.name.startswith("agent-"):
            _agrees(path)


def test_an_outline_is_a_small_part_of_the_file() -> None:
    builder = session("big").user("Read it all")
    builder.tool("Read", {"file_path": "/home/dev/big.txt"}, "line\n" * 50_000)
    data = builder.assistant("Done.").bytes()

    batch = RowBuilder(agent=False).batch(decode_lines(split_lines([data])))

    assert sum(len(part) for _, part in batch.outlines) < len(data) / 50


@pytest.mark.parametrize("length", [799, 800, 801, 5000])
def test_texts_that_differ_only_far_behind_stay_apart(tmp_path: Path, length: int) -> None:
    builder = session(f"far-{length}").user("a" * length + "1").assistant("One.")
    builder.user("a" * length + "2").assistant("Two.")

    _agrees(builder.write(tmp_path))


def test_outlines_are_made_when_a_session_first_grows(tmp_path: Path) -> None:
    builder = session().user("Where is it?").assistant("Here.", name="answer")
    with indexed(tmp_path, builder) as store:
        (file,) = (state.id for state in store.states().values())
        assert store.outlines(file) == []

        builder.user("And now?").assistant("There.").at("answer").user("Then?")
        path = builder.write(tmp_path)
        refresh_index(store, [tmp_path])

        kept, bad = unpack_outlines(store.outlines(file))
        assert [one.uuid for one in kept if one.uuid] == [
            one.uuid for one in read_records(DiskSource(str(path)))[0] if one.uuid
        ]
        assert bad == []
        (row,) = store.sessions()
        assert (row.tips, row.turns) == (2, 2)
