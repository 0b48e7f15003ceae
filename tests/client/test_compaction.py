"""Forks before and after a compaction the client made itself; goto is refused there."""

import json
from pathlib import Path

import pytest

from bough.query.sessions.load_session import read_session
from bough.timetravel import operations as travel
from bough.timetravel.errors import GotoUnsafe
from tests.client.conftest import Verdict
from tests.client.laboratory import NEXT, Client, rested, told

pytestmark = pytest.mark.client

TURNS = ("c1 hello", "c2 USE_BASH", "c3 bye", "/compact", "d1 USE_BASH", "d2 hello", "d3 bye")


@pytest.fixture(scope="module")
def conversation(client: Client) -> Path:
    file = client.talk(*TURNS)
    kinds = {getattr(record, "subtype", None) for record in read_session(file).records}
    assert "compact_boundary" in kinds
    return file


@pytest.mark.parametrize("prompt", ["c2 USE_BASH", "c3 bye"])
def test_a_fork_before_a_compaction_has_everything(
    client: Client, conversation: Path, prompt: str, verdict: Verdict
) -> None:
    plan = travel.fork(conversation, prompt, environment=client.desk)
    travel.apply(plan, client.desk)

    planned = told(read_session(plan.path or ""))
    assert client.resume(plan.result or "") == [*planned, ("text", "user", NEXT)]
    assert ("text", "user", "c1 hello") in planned
    verdict("fork before a compaction", "exact")


@pytest.mark.parametrize("prompt", ["d1 USE_BASH", "d3 bye"])
def test_a_fork_after_a_compaction_has_the_summary_and_what_was_kept(
    client: Client, conversation: Path, prompt: str, verdict: Verdict
) -> None:
    plan = travel.fork(conversation, prompt, environment=client.desk)
    travel.apply(plan, client.desk)

    planned = told(read_session(plan.path or ""))
    assert client.resume(plan.result or "") == [*planned, ("text", "user", NEXT)]
    assert any("FAKE COMPACT SUMMARY" in words[-1] for words in planned)
    assert plan.resume_view is not None
    kept = "exact, messages kept" if plan.resume_view.preserved else "exact"
    verdict("fork after a compaction", kept)


def test_a_branch_that_left_before_a_compaction_is_told_and_sent_as_such(
    client: Client, conversation: Path, verdict: Verdict
) -> None:
    """Let the client go back by its own pointer to the last message before the compaction.

    Clients whose compactions keep messages, and those that know no pointer, go on at the end.
    """
    file = client.copy(conversation)
    session = read_session(file)
    last = next(m for m in session.conversation().messages if m.text.endswith("to: c3 bye"))
    pointer = {"type": "last-prompt", "lastPrompt": "c3 bye", "leafUuid": last.uuid}
    with file.open("a", encoding="utf-8") as lines:
        lines.write(json.dumps(pointer | {"sessionId": file.stem}) + "\n")
    client.say("e1 hello", "--resume", file.stem)
    client.say("e2 hello", "--resume", file.stem)
    rested(file)

    before = [words[2] for words in client.resume(client.copy(file).stem) if words[0] == "text"]
    went_back = "c1 hello" in before
    session = read_session(file)
    assert [len(point.children) for point in session.branch_points] == [2] * went_back
    plan = travel.fork(file, "e1 hello", environment=client.desk)
    travel.apply(plan, client.desk)
    sent = [words[2] for words in client.resume(plan.result or "") if words[0] == "text"]
    assert sent[:-1] == before[: before.index("e2 hello")]
    outcome = "leaves before it" if went_back else "the client goes on at the end"
    verdict("a pointer before a compaction", outcome)


def test_goto_in_a_compacted_session_is_refused(
    client: Client, conversation: Path, verdict: Verdict
) -> None:
    with pytest.raises(GotoUnsafe, match="compacted") as refusal:
        travel.goto(client.copy(conversation), "d1 USE_BASH", environment=client.desk)

    assert refusal.value.danger == "compaction"
    verdict("goto in a compacted session", "refused")


def test_branch_forks_where_goto_is_refused(client: Client, conversation: Path) -> None:
    plan = travel.branch(client.copy(conversation), "d1 USE_BASH", environment=client.desk)

    assert plan.operation == "fork"
