"""What was said at a terminal: queued prompts and interrupted turns, sent as the client sent them.

The yardstick is the request that the client made at the terminal with the next prompt. All
that it holds before that prompt is compared, block by block, with what a resume sends after
time travel.
"""

import json
from pathlib import Path

import pytest
from msgspec import Struct

from bough.sample.data.client_versions import is_since
from bough.timetravel import operations as travel
from tests.client.conftest import Verdict
from tests.client.laboratory import NEXT, Block, Client, Terminal, is_of_resume, rested

pytestmark = pytest.mark.client

POINTS = {
    "a queued prompt": "t3 queued words",
    "an interrupted answer": "t4 SLOW",
    "an interrupted call": "t5 SLOWBASH",
}
COMPARED_SINCE = "2.1.110"
PROMPTS = ["t4 SLOW", "t5 SLOWBASH", "t6 bye"]
"""What was said after each of them."""


def hook(command: str, **more: object) -> dict[str, object]:
    return {"hooks": [{"type": "command", "command": command}], **more}


class Line(Struct):
    """A conversation at a terminal, and what the client sent of it with the prompt after each."""

    file: Path
    histories: dict[str, list[Block]]


@pytest.fixture(scope="module")
def line(client: Client) -> Line:
    if not is_since(client.version, COMPARED_SINCE):
        pytest.skip(f"at a terminal {client.version} sends reminders that no file keeps")
    hooks: dict[str, object] = {
        "Stop": [hook("echo stop")],
        "SessionStart": [hook("echo started")],
        "PreToolUse": [hook("sleep 6", matcher="Read")],
    }
    if client.version.startswith("1."):
        del hooks["SessionStart"]  # with it, a resume starts anew there
    (Path(client.lab.cfg) / "settings.json").write_text(json.dumps({"hooks": hooks}))
    with Terminal(client) as terminal:
        terminal.say("t1 hello", "to: t1 hello")
        terminal.begin("t2 USE_READ")
        terminal.wait('"tool_use"')
        terminal.add("t3 queued words")
        terminal.wait("t3 queued words", "tool done")
        terminal.begin("t4 SLOW")
        terminal.wait_for_request("t4 SLOW")
        terminal.interrupt("Request interrupted by user")
        terminal.begin("t5 SLOWBASH")
        terminal.wait("sleep 20")
        terminal.interrupt("Request interrupted by user for tool use")
        terminal.say("t6 bye", "reply")
        terminal.leave()
    histories = {
        point: before(client.find_request(prompt), prompt)
        for point, prompt in zip(POINTS, PROMPTS, strict=True)
    }
    return Line(rested(client.newest()), histories)


def before(request: list[Block], prompt: str) -> list[Block]:
    """Give what a request holds before a prompt, without what a resume puts there itself.

    The newline with which a client ends a text before another one is a joint, not a word.
    """
    texts = [json.loads(block).get("text") for _, block in request]
    found = request[: texts.index(prompt)]
    while is_of_resume(found[-1]):
        found.pop()
    return [
        (role, block.replace('\\n", "type": "text"}', '", "type": "text"}'))
        for role, block in found
    ]


@pytest.mark.parametrize("point", POINTS)
def test_a_fork_at_a_terminal_turn_is_sent_as_the_client_sent_the_original(
    client: Client, line: Line, point: str, verdict: Verdict
) -> None:
    plan = travel.fork(line.file, POINTS[point], environment=client.desk)
    travel.apply(plan, client.desk)

    sent = client.say(NEXT, "--resume", plan.result or "")
    assert before(sent, NEXT) == line.histories[point]
    verdict(f"at a terminal: fork after {point}", "as the original")


@pytest.mark.parametrize("point", POINTS)
def test_goto_a_terminal_turn_is_sent_as_the_client_sent_the_original(
    client: Client, line: Line, point: str, verdict: Verdict
) -> None:
    file = client.copy(line.file)
    travel.apply(travel.goto(file, POINTS[point], environment=client.desk), client.desk)

    sent = client.say(NEXT, "--resume", file.stem)
    assert before(sent, NEXT) == line.histories[point]
    verdict(f"at a terminal: goto after {point}", "as the original")
