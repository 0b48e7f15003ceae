"""docs/library.md: its examples run, print what it says, and leave no name out."""

import os
import re
from collections.abc import Iterator
from contextlib import redirect_stdout
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path

import pytest

import bough
from bough import library
from bough.cli.main import COMMANDS
from bough.model.session import Agent
from bough.sample.demo import write_demo

NOW = datetime(2026, 3, 2, 15, 0, tzinfo=UTC)
FENCED = re.compile(r"^```(python|text)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
NAMED = re.compile(r"`([A-Za-z_][\w.]*)(?:\([^`]*\))?`")


@pytest.fixture(scope="module")
def page() -> str:
    return Path(__file__).parents[2].joinpath("docs", "library.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_demo(tmp_path_factory.mktemp("demo"), NOW)


def examples(page: str) -> Iterator[tuple[str, str | None]]:
    """Pair each example with the text that stands below it, if any."""
    blocks = FENCED.findall(page)
    for at, (kind, body) in enumerate(blocks):
        if kind == "python":
            below = blocks[at + 1] if at + 1 < len(blocks) else ("", "")
            yield body, below[1] if below[0] == "text" else None


def test_the_examples_print_what_the_page_says(
    page: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    demo = write_demo(tmp_path / "demo", NOW)  # its own: the page goes back in time
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", os.fspath(demo))
    monkeypatch.setenv("BOUGH_INDEX", os.fspath(tmp_path / "index.sqlite"))
    monkeypatch.setenv("XDG_DATA_HOME", os.fspath(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    printed, promised = [], []
    for code, text in examples(page):
        out = StringIO()
        with redirect_stdout(out):
            exec(compile(code, "docs/library.md", "exec"), names)
        printed.append(out.getvalue())
        promised.append(text or "")

    assert printed == promised
    assert len(printed) > 10


@pytest.mark.parametrize("name", sorted(set(bough.__all__) - {"__version__"}))
def test_every_public_name_is_described(page: str, name: str) -> None:
    assert name in {found.removeprefix("bough.") for found in NAMED.findall(page)}


@pytest.mark.parametrize("name", sorted(set(library.__all__) - {"Problem"}))
def test_every_name_of_the_library_is_described(page: str, name: str) -> None:
    rows = {"ConversationRow", "ConversationList", "SessionList"}
    documents = {"ConversationDocument", "TreeDocument", "DoctorDocument"}
    named = {found.rpartition(".")[2] for found in NAMED.findall(page)}

    assert name in named | rows | documents


def fields(cls: type) -> set[str]:
    """List what a user may ask of a value: fields, and what is defined on its class."""
    ours = [one for one in cls.__mro__ if one.__module__.startswith("bough.")]
    own = {name for one in ours for name in vars(one)}
    own |= {field for one in ours for field in getattr(one, "__struct_fields__", ())}
    return {name for name in own if not name.startswith("_")}


ATTRIBUTES: dict[type, set[str]] = {
    cls: fields(cls)
    for cls in (
        bough.BadLine,
        bough.BranchPoint,
        bough.Conversation,
        bough.Finding,
        bough.Health,
        bough.Origin,
        bough.Picture,
        bough.PlanLinks,
        bough.Project,
        bough.CallResult,
        bough.Session,
        bough.SessionRow,
        bough.Tip,
        bough.Tokens,
        bough.ToolBlock,
        bough.Turn,
        bough.Usage,
        bough.AppliedOperation,
        bough.BranchComparison,
        bough.Explanation,
        bough.Export,
        bough.Hit,
        bough.IndexCheck,
        bough.Message,
        bough.Plan,
        bough.Remedy,
        bough.SearchPage,
        bough.SessionMatches,
        bough.SqlResult,
        bough.Suggestion,
        bough.TableColumns,
        bough.TextMatch,
        bough.ToolCall,
        bough.UsageTotal,
        bough.UsageRow,
        bough.UsageTable,
        Agent,
    )
}


@pytest.mark.parametrize("cls", ATTRIBUTES, ids=lambda cls: cls.__name__)
def test_every_field_is_described(page: str, cls: type) -> None:
    named = {found.rpartition(".")[2] for found in NAMED.findall(page)}

    assert ATTRIBUTES[cls] - named == set()


def test_agents_have_what_the_page_promises(demo: Path) -> None:
    (row,) = [row for row in bough.sessions(claude_dir=demo) if row.id.startswith("3f9c21d0")]

    for agent in bough.read_session(row.path).agents:
        assert agent.type
        assert agent.description
        assert agent.brief
        assert agent.link is not None


PROGRAMS = {"web", "mcp", "demo", "help", "completion"}


def test_every_command_has_its_call(page: str) -> None:
    section = page.partition("## The call behind each command")[2].partition("\n## ")[0]
    rows = [row.split(" | ") for row in section.splitlines() if row.startswith("| `")]
    commands = {word.split()[0] for row in rows for word in re.findall(r"`([a-z -]+)`", row[0])}
    calls = {word for row in rows[1:] for word in re.findall(r"`(?:library\.)?(\w+)", row[1])}
    of_that_name = {word for row in rows[:1] for word in re.findall(r"`([a-z]+)`", row[0])}

    assert commands == {name for group in COMMANDS.values() for name in group} - PROGRAMS
    assert [name for name in of_that_name if name not in bough.__all__] == []
    assert calls - {*bough.__all__, *library.__all__} == set()
