"""Forks before and after a compaction the client made itself; goto is refused there."""

from pathlib import Path

import pytest

from bough.query.sessions.load_session import read_session
from bough.timetravel import operations as travel
from bough.timetravel.errors import GotoUnsafe
from tests.client.conftest import Verdict
from tests.client.laboratory import NEXT, Client, told

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
