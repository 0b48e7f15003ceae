"""Sessions in which real clients did something odd, each with what is true of it."""

from pathlib import Path

import pytest

from bough.model.conversation.content import TextBlock
from bough.model.outline.session_outline import outline_of
from bough.model.session import Session
from bough.query.sessions.load_session import read_session


def read_sessions_of_case(shared: Path, name: str) -> list[Session]:
    """Read the sessions of a case, the longest first, or skip."""
    found = (shared / "client-cases" / name).glob("projects/*/*.jsonl")
    sessions = sorted(map(read_session, found), key=lambda session: -len(session.records))
    if not sessions:
        pytest.skip(f"needs {name} of ../shared/client-cases, which is not here")
    return sessions


def read_case(shared: Path, name: str) -> Session:
    """Read the only session of a case, or skip."""
    (session,) = read_sessions_of_case(shared, name)
    return session


def turns_of(session: Session) -> list[str]:
    """List the turns of all branches as they stand in the tree."""
    return [turn.text for turn in outline_of(session).all_turns]


def test_gotos_in_a_session_with_hooks_are_two_branch_points_and_three_tips(shared: Path) -> None:
    session = read_case(shared, "2.1.150-hooks-goto")
    words = {
        uuid: message.text
        for conversation in session.conversations
        for message in conversation.messages
        for uuid in message.uuids
    }

    assert [[words[child] for child in p.children] for p in session.branch_points] == [
        ["f2 USE_BASH", "g1 new"],
        ["g2 new", "h1 newer"],
    ]
    assert [[turn.messages[0].text for turn in c.turns] for c in session.conversations] == [
        ["f1 hello", "f2 USE_BASH", "f3 hello"],
        ["f1 hello", "g1 new", "g2 new"],
        ["f1 hello", "g1 new", "h1 newer"],
    ]
    assert [tip.active for tip in session.tips] == [False, False, True]


def test_the_pair_of_a_resume_is_shown_as_what_it_is(shared: Path) -> None:
    session = read_case(shared, "2.1.150-hooks-goto")

    shown = [
        (str(message.kind), block.text)
        for message in session.conversation().messages
        for block in message.blocks
        if isinstance(block, TextBlock)
    ]

    assert shown.count(("meta", "Continue from where you left off.")) == 2
    assert shown.count(("notice", "No response requested.")) == 2


def test_local_commands_on_one_caveat_are_one_line_in_file_order(shared: Path) -> None:
    session = read_case(shared, "1.0.51-local-commands")

    assert session.branch_points == []
    assert [tip.active for tip in session.tips] == [True]
    assert turns_of(session) == [
        "!pwd",
        "prompt one",
        "!echo hello",
        "prompt two USE_BASH",
        "/cost",
        "prompt three",
        "/mcp",
        "prompt four",
    ]
    assert session.conversation().turn_count == len(turns_of(session))


@pytest.mark.parametrize("version", ["2.1.325", "2.1.250"])
def test_a_rewind_that_restored_the_code_is_one_branch_point(shared: Path, version: str) -> None:
    session, alone = read_sessions_of_case(shared, f"{version}-file-history")
    begun = ["one hello", "two USE_EDIT", "three hello"]

    assert [len(point.children) for point in session.branch_points] == [2]
    assert [[turn.messages[0].text for turn in c.turns] for c in session.conversations] == [
        [*begun, "four USE_EDIT", "five USE_WRITE", "six USE_BASH", "seven USE_EDIT"],
        [*begun, "eight after rewind"],
    ]
    assert [tip.active for tip in session.tips] == [False, True]
    assert turns_of(alone) == ["nine USE_EDIT"]
