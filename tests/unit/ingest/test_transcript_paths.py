"""What a file below a Claude folder is, told by its path alone."""

from pathlib import Path

import pytest

from bough.files.discover import discover_projects
from bough.ingest.transcript_paths import FileRole, classify_path
from bough.sample import session
from tests.conftest import Home

CLAUDE = Path("/home/dev/.claude")
FOLDER = str(CLAUDE / "projects" / "-p")


@pytest.mark.parametrize(
    ("path", "role", "owner", "agent"),
    [
        ("projects/-p/s.jsonl", FileRole.TRANSCRIPT, "s", None),
        ("projects/-p/agent-a1.jsonl", FileRole.TRANSCRIPT, "", "a1"),
        ("projects/-p/s/subagents/agent-a1.jsonl", FileRole.TRANSCRIPT, "s", "a1"),
        ("projects/-p/s/subagents/workflows/w/agent-a1.jsonl", FileRole.TRANSCRIPT, "s", "a1"),
        ("projects/-p/s/subagents/agent-a1.meta.json", FileRole.META, "s", "a1"),
        ("projects/-p/agent-a1.meta.json", FileRole.META, "", "a1"),
        ("projects/-p/s/custom-title.json", FileRole.TITLE, "s", None),
    ],
)
def test_every_layout_is_known(path: str, role: FileRole, owner: str, agent: str | None) -> None:
    found = classify_path(CLAUDE, str(CLAUDE / path))

    assert found is not None
    assert found.role is role
    assert found.place is not None
    assert (found.place.folder, found.place.session, found.place.agent) == (FOLDER, owner, agent)
    assert found.place.project == "-p"


def test_a_companion_names_the_transcript_it_describes() -> None:
    meta = classify_path(CLAUDE, f"{FOLDER}/s/subagents/agent-a1.meta.json")
    title = classify_path(CLAUDE, f"{FOLDER}/s/custom-title.json")

    assert meta is not None
    assert meta.place is not None
    assert meta.place.path == f"{FOLDER}/s/subagents/agent-a1.jsonl"
    assert title is not None
    assert title.place is not None
    assert title.place.path == f"{FOLDER}/s.jsonl"


def test_a_clients_note_belongs_to_no_transcript() -> None:
    found = classify_path(CLAUDE, str(CLAUDE / "sessions" / "42.json"))

    assert found is not None
    assert (found.role, found.place) == (FileRole.CLIENT, None)


@pytest.mark.parametrize(
    "path",
    [
        "projects/-p/s/subagents/workflows/w/journal.jsonl",
        "projects/-p/s/tool-results/x.txt",
        "projects/-p/s/other.jsonl",
        "projects/s.jsonl",
        "sessions/42.abc.key",
        "history.jsonl",
    ],
)
def test_other_files_are_nothing(path: str) -> None:
    assert classify_path(CLAUDE, str(CLAUDE / path)) is None


def test_a_listing_and_a_path_tell_the_same(home: Home) -> None:
    with home.writing():
        builder = session("one").user("x").agent("Explore", "look around").assistant("y")
        builder.write(home.path)

    for project in discover_projects(home.path):
        for files in project.sessions:
            for agent in files.agents:
                found = classify_path(home.path, str(agent.path))
                assert found is not None
                assert found.place is not None
                assert (found.place.session, found.place.agent) == (files.id, agent.id)
