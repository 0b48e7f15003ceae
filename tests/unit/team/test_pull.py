"""A session that another machine sent can be continued here, and that can be taken back."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from bough import library
from bough.errors import SessionNotFound
from bough.sample import session
from bough.team.thinking_filter import drop_masked_thinking
from bough.timetravel.errors import AlreadyThere
from tests.team_server import TeamServer
from tests.unit.export.planted import SHAPED, Maker
from tests.unit.team.histories import CWD, machine, push, write, write_plain

TOKEN = SHAPED["GitHub"](Maker(3))

pytestmark = pytest.mark.writes_home


@pytest.fixture
def url(team_server: TeamServer) -> Iterator[str]:
    with team_server.database() as made:
        yield made


def send(url: str, place: Path) -> tuple[Path, Path]:
    """Push two sessions from another machine; give their files there."""
    with machine(place):
        claude = place / "claude"
        path = write_plain(claude, "abroad")
        told = session("thinks", cwd=CWD).user("Begin").thinking(f"They use {TOKEN} here.")
        thinks = write(told.assistant("Yes."), claude)
        push(url, claude)
    return path, thinks


def make_here(place: Path) -> tuple[Path, Path]:
    claude, work = place / "claude", place / "work"
    (claude / "projects").mkdir(parents=True)
    work.mkdir()
    return claude, work


def test_a_pulled_session_is_what_was_sent_with_its_agents(url: str, tmp_path: Path) -> None:
    there, _ = send(url, tmp_path / "there")
    with machine(tmp_path / "here"):
        claude, work = make_here(tmp_path / "here")
        plan = library.pull(there.stem[:8], work, store=url, claude_dir=claude)
        done = library.apply(plan)
        (found,) = claude.rglob(there.name)
        assert found.read_bytes() == there.read_bytes()
        assert found.parent.name == library.project_listings([claude])[0].dir
        assert len(list(claude.rglob("agent-*.jsonl"))) == 1
        command = library.resume_command(there.stem, claude_dir=claude)
        assert there.stem in command.text
        library.apply(library.undo(done.number, claude_dir=claude))
        assert list(claude.rglob("*.jsonl")) == []


def test_a_session_that_is_here_is_not_written_over(url: str, tmp_path: Path) -> None:
    there, _ = send(url, tmp_path / "there")
    with machine(tmp_path / "here"):
        claude, work = make_here(tmp_path / "here")
        library.apply(library.pull(there.stem, work, store=url, claude_dir=claude))
        with pytest.raises(AlreadyThere):
            library.pull(there.stem, work, store=url, claude_dir=claude)


def test_thinking_in_which_something_was_hidden_is_left_out_and_said(
    url: str, tmp_path: Path
) -> None:
    _, there = send(url, tmp_path / "there")
    with machine(tmp_path / "here"):
        claude, work = make_here(tmp_path / "here")
        plan = library.pull(there.stem, work, store=url, claude_dir=claude)
        assert any("block of thinking is left out" in note for note in plan.notes)
        library.apply(plan)
        read = library.read_session(there.stem, claude)
        assert not read.health.findings
        assert len(read.conversations) == 1


def test_a_session_that_nobody_sent_is_not_found(url: str, tmp_path: Path) -> None:
    with machine(tmp_path / "here"):
        claude, work = make_here(tmp_path / "here")
        with pytest.raises(SessionNotFound):
            library.pull("0000", work, store=url, claude_dir=claude)


def encode(*records: dict[str, object]) -> bytes:
    return b"".join(json.dumps(one).encode() + b"\n" for one in records)


def thought(uuid: str, parent: str | None, *blocks: dict[str, str]) -> dict[str, object]:
    message = {"role": "assistant", "content": list(blocks)}
    return {"type": "assistant", "uuid": uuid, "parentUuid": parent, "message": message}


MASKED = {"type": "thinking", "thinking": "a ******** b", "signature": "x"}
BOLD = {"type": "thinking", "thinking": "a **b** ***c***", "signature": "x"}
TEXT = {"type": "text", "text": "********"}


def test_a_record_of_masked_thinking_alone_goes_and_its_children_move_up() -> None:
    data = encode(
        thought("a", None, TEXT), thought("b", "a", MASKED), thought("c", "b", MASKED, TEXT)
    )
    left, count = drop_masked_thinking(data)
    assert count == 2
    records = [json.loads(line) for line in left.splitlines()]
    assert [(one["uuid"], one["parentUuid"]) for one in records] == [("a", None), ("c", "a")]
    assert records[1]["message"]["content"] == [TEXT]


def test_other_lines_stay_byte_for_byte() -> None:
    data = encode(thought("a", None, BOLD), thought("b", "a", TEXT)) + b"no JSON ****\n{"
    assert drop_masked_thinking(data) == (data, 0)
