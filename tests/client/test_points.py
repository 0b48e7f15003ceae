"""Fork and goto at the turns of a plain conversation: the client sends what was planned."""

from pathlib import Path

import pytest

from bough.query.sessions.load_session import read_session
from bough.timetravel import operations as travel
from bough.timetravel.errors import GotoUnsafe
from tests.client.conftest import Verdict
from tests.client.laboratory import NEXT, Client, loses_parallel_results, told

pytestmark = pytest.mark.client

TURNS = (
    "turn1 hello",
    "turn2 USE_BASH",
    "turn3 USE_PARALLEL",
    "turn4 THINK",
    "turn5 USE_BASH",
    "turn6 bye",
)
AFTER_NEXT = [("text", "user", NEXT)]


@pytest.fixture(scope="module")
def conversation(client: Client) -> Path:
    return client.talk(*TURNS)


@pytest.mark.parametrize("turn", [2, 3, 4, 6])
def test_a_fork_is_sent_as_planned(
    client: Client, conversation: Path, turn: int, verdict: Verdict
) -> None:
    before = conversation.read_bytes()

    plan = travel.fork(conversation, TURNS[turn - 1], environment=client.desk)
    travel.apply(plan, client.desk)

    planned = read_session(plan.path or "")
    assert client.resume(plan.result or "") == told(planned) + AFTER_NEXT
    prompts = [words[2] for words in told(planned) if words[:2] == ("text", "user")]
    assert prompts == list(TURNS[:turn])
    assert conversation.read_bytes() == before
    name = "parallel calls" if turn == 3 else "the last turn" if turn == 6 else f"turn {turn}"
    verdict(f"fork after {name}", "exact")


@pytest.mark.parametrize("turn", [2, 3, 4])
def test_goto_is_followed_or_refused(
    client: Client, conversation: Path, turn: int, verdict: Verdict
) -> None:
    file = client.copy(conversation)
    name = "parallel calls" if turn == 3 else f"turn {turn}"

    if loses_parallel_results(client.version) and turn > 2:
        # Three, or four where the calls do not end in their order, as on a busy machine.
        with pytest.raises(GotoUnsafe, match=r"would not see [34] messages"):
            travel.goto(file, TURNS[turn - 1], environment=client.desk)
        verdict(f"goto to the end of {name}", "refused")
        return
    plan = travel.goto(file, TURNS[turn - 1], environment=client.desk)
    travel.apply(plan, client.desk)

    assert client.resume(file.stem) == _until(conversation, TURNS[turn])
    verdict(f"goto to the end of {name}", "exact")


def test_undo_of_goto_gives_the_old_tip_back(
    client: Client, conversation: Path, verdict: Verdict
) -> None:
    file = client.copy(conversation)
    before = file.read_bytes()
    travel.apply(travel.goto(file, TURNS[1], environment=client.desk), client.desk)

    travel.apply(travel.undo(environment=client.desk), client.desk)

    assert file.read_bytes() == before
    prompts = [words[2] for words in client.resume(file.stem) if words[:2] == ("text", "user")]
    assert prompts == [*TURNS, NEXT]
    verdict("goto, undone", "exact")


def test_a_fork_of_a_fork_is_sent_as_planned(
    client: Client, conversation: Path, verdict: Verdict
) -> None:
    first = travel.fork(conversation, TURNS[4], environment=client.desk)
    travel.apply(first, client.desk)

    second = travel.fork(first.path or "", TURNS[2], environment=client.desk)
    travel.apply(second, client.desk)

    assert client.resume(second.result or "") == _until(conversation, TURNS[3])
    verdict("fork of a fork", "exact")


def _until(file: Path, prompt: str) -> list[tuple[str, ...]]:
    """Give what was said before a prompt, as bough reads it, and the new prompt."""
    words = told(read_session(file))
    return words[: words.index(("text", "user", prompt))] + AFTER_NEXT
