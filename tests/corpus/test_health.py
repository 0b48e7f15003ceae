"""Real files are mostly healthy: whatever is found in them is really there."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from bough.files.companions import is_agent_file
from bough.model.health import Finding
from bough.query.sessions.load_session import read_session

pytestmark = pytest.mark.slow

BAD_LINES = {"035d562e": 2, "cc124518": 2, "9dfbaa31": 2, "b8e36297": 2}
"""Comments that a publisher put before the first record."""
UNENDED = {"d196ab8c", "9929dac4", "d8470c42", "90937e05", "10dbc64b"}
REPLAYED = {"035d562e", "cc124518", "808f2765"}
BESIDE = {
    "4d1cdc24",
    "8db91065",
    "4c49e19e",
    "508df0f6",
    "65329738",
    "fbab8a9a",
    "b37366a7",
}
"""Files in which a prompt hangs beside the answer before it."""
ANEW = {"d3b1008e", "d18c4dd5"}


def findings(folder: Path) -> Iterator[tuple[str, Finding]]:
    for path in sorted(folder.rglob("*.jsonl")):
        if "projects" in path.parts and path.parent.name != "workflows":
            for finding in read_session(path).health.findings:
                name = path.stem if is_agent_file(path.name) else path.stem[:8]
                yield name, finding


@pytest.fixture(scope="module")
def corpus(shared: Path) -> list[tuple[str, Finding]]:
    return list(findings(shared / "corpus"))


def sessions(found: list[tuple[str, Finding]], kind: str, severity: str) -> Counter[str]:
    return Counter(name for name, f in found if (f.kind, f.severity) == (kind, severity))


def test_the_only_lines_that_cannot_be_read_are_comments(corpus: list[tuple[str, Finding]]) -> None:
    assert sessions(corpus, "bad-line", "problem") == BAD_LINES


def test_files_without_a_last_newline_are_found(corpus: list[tuple[str, Finding]]) -> None:
    assert set(sessions(corpus, "no-final-newline", "problem")) == UNENDED


def test_replays_and_repeats_are_found(corpus: list[tuple[str, Finding]]) -> None:
    assert set(sessions(corpus, "replayed-copies", "note")) == REPLAYED
    assert set(sessions(corpus, "duplicate-uuid", "note")) == {"agent-ae59d9d2b2752159a"}


def test_what_a_resume_would_miss_is_found(corpus: list[tuple[str, Finding]]) -> None:
    assert sessions(corpus, "dangling-parent", "problem") == {"9dfbaa31": 1}
    assert set(sessions(corpus, "off-path", "problem")) == BESIDE
    assert set(sessions(corpus, "begun-anew", "note")) == ANEW


def test_nothing_else_is_found(corpus: list[tuple[str, Finding]]) -> None:
    assert {(finding.kind, finding.severity) for _, finding in corpus} == {
        ("bad-line", "problem"),
        ("no-final-newline", "problem"),
        ("replayed-copies", "note"),
        ("duplicate-uuid", "note"),
        ("dangling-parent", "problem"),
        ("off-path", "problem"),
        ("begun-anew", "note"),
        ("lost-turns", "problem"),
        ("left-branch", "problem"),
    }


def test_a_resume_that_an_old_pointer_leads_to_one_of_several_calls_is_told(
    corpus: list[tuple[str, Finding]],
) -> None:
    """Clients of 2.1.132 and 2.1.140 were seen to continue at that call."""
    assert set(sessions(corpus, "left-branch", "problem")) == {"01138a16"}


def test_a_resume_that_would_continue_at_a_local_command_is_told(
    corpus: list[tuple[str, Finding]],
) -> None:
    assert set(sessions(corpus, "lost-turns", "problem")) == {"439608e1"}


def test_every_finding_says_where_and_what_to_do(corpus: list[tuple[str, Finding]]) -> None:
    assert all(f.where and f.message.endswith(".") and f.action.endswith(".") for _, f in corpus)


def test_files_that_clients_wrote_are_healthy(shared: Path) -> None:
    found = [(name, f.kind, f.severity) for name, f in findings(shared / "client-files")]

    # Its records are copies that hang on another file of the same project.
    assert found == [("4a6c5954", "dangling-parent", "note")]
