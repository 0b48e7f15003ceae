"""Small files beside transcripts."""

from pathlib import Path

import pytest

from bough.files.byte_source import DISK
from bough.ingest.sidecars import (
    meta_path_of,
    read_agent_meta,
    read_small_file,
    read_title,
    title_path_of,
)
from bough.model.agents.links import AgentMeta


def test_a_title_lies_in_the_folder_of_its_session(tmp_path: Path) -> None:
    title = title_path_of(tmp_path / "s.jsonl")
    title.parent.mkdir()
    title.write_text('{"customTitle": "Mine"}')

    assert title == tmp_path / "s" / "custom-title.json"
    assert read_title(title, DISK) == "Mine"


def test_a_title_that_was_cleared_is_empty(tmp_path: Path) -> None:
    (tmp_path / "custom-title.json").write_text('{"customTitle": ""}')

    assert read_title(tmp_path / "custom-title.json", DISK) == ""


def test_what_describes_an_agent_lies_beside_its_file(tmp_path: Path) -> None:
    meta = meta_path_of(tmp_path / "agent-1.jsonl")
    meta.write_text('{"agentType": "Explore", "description": 3}')

    assert meta.name == "agent-1.meta.json"
    assert read_agent_meta(meta, DISK) == AgentMeta(agent_type="Explore")


@pytest.mark.parametrize("path", [None, "nowhere.json", ".", "a\0b"])
def test_what_is_not_there_says_nothing(path: str | None) -> None:
    assert read_small_file(path, DISK) == b""
    assert read_title(path, DISK) is None
    assert read_agent_meta(path, DISK) is None


@pytest.mark.parametrize("data", [b"{", b"\xff\xfe", b"[]", b'{"customTitle": 3}'])
def test_damage_is_passed_over(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "x.json").write_bytes(data)

    assert read_title(tmp_path / "x.json", DISK) is None
    assert read_agent_meta(tmp_path / "x.json", DISK) == AgentMeta()


def test_of_a_file_that_is_not_small_the_beginning_is_read(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_bytes(b" " * 100_000)

    assert len(read_small_file(tmp_path / "x.json", DISK)) == 64 * 1024
