"""Local commands of a client that hangs them all on one caveat, and what a resume makes of them.

Nobody went back: the session is one line. The client itself would pass by what was said
between two commands; after `repair` it sends everything.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bough.query.sessions.load_session import read_session
from bough.timetravel import operations as travel
from tests.client.conftest import Verdict
from tests.client.laboratory import (
    NEXT,
    VERSIONS,
    Block,
    Client,
    Terminal,
    hangs_commands_on_one_caveat,
    rested,
)

pytestmark = pytest.mark.client

PROMPTS = ["prompt one", "prompt two USE_BASH", "prompt three", "prompt four"]


@pytest.fixture(scope="module", params=[v for v in VERSIONS if hangs_commands_on_one_caveat(v)])
def client(request: pytest.FixtureRequest) -> Iterator[Client]:
    with Client(request.param, "local_commands") as client:
        yield client


@pytest.fixture(scope="module")
def conversation(client: Client) -> Path:
    with Terminal(client) as terminal:
        terminal.shell("pwd", "pwd")
        terminal.say("prompt one", "reply")
        terminal.shell("echo hello", "echo hello")
        terminal.say("prompt two USE_BASH", "tool done")
        terminal.say("/cost", "Total cost")
        terminal.say("prompt three", "reply")
        terminal.say("/mcp", "No MCP servers")
        terminal.say("prompt four", "reply")
        terminal.leave()
    return rested(client.newest())


def bough(*arguments: object) -> str:
    """Run a command of bough; give what it says."""
    command = [sys.executable, "-m", "bough", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def before(request: list[Block], prompt: str) -> list[Block]:
    """Give what a request holds before a prompt.

    Without the list of todos, which is of now, and the caveats: the client says one before
    every command and writes only the first.
    """
    own = json.dumps({"text": prompt, "type": "text"})
    at = next(n for n, (_, block) in enumerate(request) if block == own)
    own_words = ("your todo list", '"Caveat: The messages below were generated')
    return [b for b in request[:at] if not any(words in b[1] for words in own_words)]


def test_commands_of_one_caveat_are_one_line(conversation: Path, verdict: Verdict) -> None:
    session = read_session(conversation)

    assert session.branch_points == []
    turns = [message.text.strip() for message in session.conversation().turns]
    assert turns == [
        "pwd",
        "prompt one",
        "echo hello",
        "prompt two USE_BASH",
        "/cost",
        "prompt three",
        "/mcp",
        "prompt four",
    ]
    assert "1 branch, 8 turns" in bough("tree", conversation)
    verdict("local commands on one caveat", "one line")


def test_doctor_says_what_the_client_then_leaves_out(
    client: Client, conversation: Path, verdict: Verdict
) -> None:
    said = bough("doctor", conversation)
    sent = before(client.say(NEXT, "--resume", client.copy(conversation).stem), NEXT)

    assert 'continue at "prompt four" and lose 6 turns, the first of them "! pwd"' in said
    texts = [text for _, block in sent if (text := json.loads(block).get("text")) in PROMPTS]
    assert texts == ["prompt four"]
    verdict("local commands on one caveat: resumed as it is", "loses 6 turns of 8, as told")


@pytest.mark.parametrize("in_place", [True, False], ids=["in place", "a copy"])
def test_a_repaired_session_with_local_commands_is_sent_whole(
    client: Client, conversation: Path, in_place: bool, verdict: Verdict
) -> None:
    original = before(client.find_request("prompt four"), "prompt four")
    file = client.copy(conversation)
    plan = travel.repair(file, in_place=in_place, environment=client.desk)
    travel.apply(plan, client.desk)

    sent = before(client.say(NEXT, "--resume", plan.result or ""), NEXT)

    assert sent[: len(original)] == original
    (asked, answered) = sent[len(original) :]
    assert json.loads(asked[1])["text"] == "prompt four"
    assert answered[0] == "assistant"
    place = "in place" if in_place else "copy"
    verdict(f"local commands on one caveat: repaired {place}", "all that was said")
