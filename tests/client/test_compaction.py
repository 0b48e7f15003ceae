"""Forks before and after a compaction the client made itself; goto is refused there."""

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bough.query.sessions.load_session import read_session
from bough.timetravel import operations as travel
from bough.timetravel.errors import GotoUnsafe
from tests.client.conftest import Verdict
from tests.client.laboratory import NEXT, Client, history_of, lab, rested, told

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


def follow_pointer(client: Client, file: Path, last: str) -> None:
    """Let the client itself go on at a message; those that know no pointer go on at the end."""
    pointer = {"type": "last-prompt", "leafUuid": last, "sessionId": file.stem}
    append(file, pointer)
    client.say("e1 hello", "--resume", file.stem)


def write_turn(client: Client, file: Path, last: str) -> None:
    """Write a turn on a message, as a client would that went on there."""
    rec, now = lab().rec, f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%S}"
    given = (file.stem, client.lab.work, client.version)
    prompt = rec("user", "e1", None, "e1 hello", *given, timestamp=f"{now}.998Z", parentUuid=last)
    answer = rec("assistant", "e1a", "e1", "reply to e1", *given, timestamp=f"{now}.999Z")
    pointer = {"type": "last-prompt", "leafUuid": answer["uuid"], "sessionId": file.stem}
    append(file, prompt, answer, pointer)


def append(file: Path, *records: Mapping[str, object]) -> None:
    with file.open("a", encoding="utf-8") as lines:
        lines.writelines(json.dumps(record, separators=(",", ":")) + "\n" for record in records)


@pytest.mark.parametrize("go_back", [follow_pointer, write_turn], ids=["pointer", "turn"])
def test_a_branch_from_the_last_message_before_a_compaction_is_read_as_the_client_sends_it(
    client: Client,
    conversation: Path,
    go_back: Callable[[Client, Path, str], None],
    verdict: Verdict,
) -> None:
    file = client.copy(conversation)
    messages = read_session(file).conversation().messages
    go_back(client, file, next(m.uuid or "" for m in messages if m.text.endswith("to: c3 bye")))
    client.say("e2 hello", "--resume", file.stem)
    file = rested(client.newest())

    sent = client.say(NEXT, "--resume", client.copy(file).stem)
    texts = [json.loads(block).get("text") for _, block in sent]
    went_back = "d1 USE_BASH" not in texts
    assert [len(point.children) for point in read_session(file).branch_points] == [2] * went_back
    plan = travel.fork(file, "e1 hello", environment=client.desk)
    travel.apply(plan, client.desk)
    again = client.say(NEXT, "--resume", plan.result or "")
    assert history_of(again) == history_of(sent[: texts.index("e2 hello")])
    place = "before it" if "c1 hello" in texts else "behind the summary"
    verdict(
        f"a {'pointer to' if go_back is follow_pointer else 'turn on'} what a compaction follows",
        f"leaves {place}" if went_back else "goes on at the end",
    )


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
