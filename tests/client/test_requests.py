"""What a client sends after time travel is what it sent itself on the original line.

The yardstick is not what bough reads from the file but the requests of the client: the one it
made with the prompt after a point holds all that Claude knew there. Every block before that
prompt is compared whole, the client's own reminders too. Hooks run at each start and stop.
"""

import json
from pathlib import Path

import pytest
from msgspec import Struct

from bough.query.sessions.load_session import read_session
from bough.timetravel import operations as travel
from bough.timetravel.errors import GotoUnsafe
from tests.client.conftest import Verdict
from tests.client.laboratory import (
    NEXT,
    PIXEL,
    Block,
    Client,
    history_of,
    is_of_resume,
    loses_parallel_results,
    rested,
)

pytestmark = pytest.mark.client

TURNS = {
    "hello": "turn1 hello",
    "a call": "turn2 USE_BASH",
    "thinking and a call": "turn3 THINK_BASH",
    "parallel calls": "turn4 USE_PARALLEL",
    "an agent": "turn5 USE_TASK",
    "two texts": "turn6 MULTI",
    "an image in a prompt": "turn7 look at this",
    "an image in a result": "turn8 SHOW_IMAGE",
    "the last": "turn9 bye",
}
PROMPTS = list(TURNS.values())
IMAGES_SENT = {"2.1.50": 1}
"""How many of the two images a client still sends after resumes; all others send both."""


def hook(command: str) -> dict[str, object]:
    return {"hooks": [{"type": "command", "command": command}]}


class Line(Struct):
    """A conversation, and what the client sent with each of its prompts and with one more."""

    file: Path
    requests: list[list[Block]]


def lead(client: Client, *prompts: str) -> Line:
    """Lead a conversation with hooks, one process for each prompt."""
    hooks = {"Stop": [hook("echo stop")], "SessionStart": [hook("echo started")]}
    if client.version.startswith("1."):
        del hooks["SessionStart"]  # with it, --continue starts anew there
    (Path(client.lab.cfg) / "settings.json").write_text(json.dumps({"hooks": hooks}))
    requests = [client.say(prompts[0])]
    file = client.newest()
    for prompt in prompts[1:]:
        say = client.show if prompt == TURNS["an image in a prompt"] else client.say
        requests.append(say(prompt, "--resume", file.stem))
        file = client.newest()
    return Line(rested(file), requests)


@pytest.fixture(scope="module")
def line(client: Client) -> Line:
    line = lead(client, *PROMPTS)
    last = [json.loads(block) for _, block in line.requests[-1]]
    assert len([block for block in last if PIXEL in json.dumps(block)]) == IMAGES_SENT.get(
        client.version, 2
    )
    return line


def after(line: Line, turn: int) -> list[Block]:
    """Give what the client sent of all that was said up to the end of a turn."""
    return history_of(line.requests[turn])


def resumed(client: Client, session: str, cwd: Path | None = None) -> list[Block]:
    """Resume a session with one more prompt; give what the client sent of its history."""
    sent = client.say(NEXT, "--resume", session, cwd=cwd)
    history = history_of(sent)
    assert NEXT in [json.loads(block)["text"] for _, block in sent[len(history) :]]
    return history


def check_sent(client: Client, sent: list[Block], original: list[Block]) -> None:
    """Check that a client sends the original, and what it had lost of parallel calls by itself."""
    if not loses_parallel_results(client.version):
        assert sent == original
        return
    more = list(sent)
    for block in original:
        assert block in more
        more.remove(block)
    assert [block for block in sent if block not in more] == original
    assert {json.loads(block)["type"] for _, block in more} <= {"tool_use", "tool_result"}


@pytest.mark.parametrize("kind", list(TURNS)[:-1])
def test_a_fork_is_sent_as_the_client_sent_the_original(
    client: Client, line: Line, kind: str, verdict: Verdict
) -> None:
    turn = list(TURNS).index(kind) + 1
    plan = travel.fork(line.file, TURNS[kind], environment=client.desk)
    travel.apply(plan, client.desk)

    check_sent(client, resumed(client, plan.result or ""), after(line, turn))
    verdict(f"with hooks: fork after {kind}", "as the original")


@pytest.mark.parametrize("kind", list(TURNS)[:-1])
def test_goto_is_sent_as_the_client_sent_the_original(
    client: Client, line: Line, kind: str, verdict: Verdict
) -> None:
    turn = list(TURNS).index(kind) + 1
    file = client.copy(line.file)
    try:
        travel.apply(travel.goto(file, TURNS[kind], environment=client.desk), client.desk)
    except GotoUnsafe:
        assert loses_parallel_results(client.version)
        verdict(f"with hooks: goto after {kind}", "refused")
        return

    assert resumed(client, file.stem) == after(line, turn)
    verdict(f"with hooks: goto after {kind}", "as the original")


def test_branches_made_by_earlier_gotos_are_told_apart(
    client: Client, line: Line, verdict: Verdict
) -> None:
    """Go back twice with a turn on each branch; then fork at each and go back once more."""
    file = client.copy(line.file)
    said: dict[str, list[Block]] = {}
    for words, at in (("g1 new", PROMPTS[0]), ("g2 new", None), ("h1 newer", "g1 new")):
        if at is not None:
            plan = travel.goto(rested(file), at, environment=client.desk)
            travel.apply(plan, client.desk)
        said[words] = client.say(words, "--resume", file.stem)
        file = client.newest()
    assert history_of(said["h1 newer"]) == history_of(said["g2 new"])
    session = read_session(rested(file))

    assert [len(point.children) for point in session.branch_points] == [2, 2] or (
        client.version.startswith("1.")
    )
    plan = travel.fork(file, "g1 new", environment=client.desk)
    travel.apply(plan, client.desk)
    assert resumed(client, plan.result or "") == history_of(said["g2 new"])
    verdict("with hooks: fork on a branch made by goto", "as the original")


def test_a_fork_of_a_fork_is_sent_as_the_original(
    client: Client, line: Line, verdict: Verdict
) -> None:
    first = travel.fork(line.file, PROMPTS[4], environment=client.desk)
    travel.apply(first, client.desk)
    second = travel.fork(first.path or "", PROMPTS[2], environment=client.desk)
    travel.apply(second, client.desk)

    assert resumed(client, second.result or "") == after(line, 3)
    verdict("with hooks: fork of a fork", "as the original")


def test_an_undone_goto_is_sent_as_if_nothing_had_been(
    client: Client, line: Line, verdict: Verdict
) -> None:
    file = client.copy(line.file)
    before = resumed(client, client.copy(line.file).stem)
    travel.apply(travel.goto(file, PROMPTS[1], environment=client.desk), client.desk)
    travel.apply(travel.undo(environment=client.desk), client.desk)

    assert resumed(client, file.stem) == before
    verdict("with hooks: goto, undone", "as the original")


def test_a_renamed_session_is_sent_as_before(client: Client, line: Line, verdict: Verdict) -> None:
    file = client.copy(line.file)
    before = resumed(client, client.copy(line.file).stem)
    travel.apply(travel.rename(file, "Another name", environment=client.desk), client.desk)

    assert resumed(client, file.stem) == before
    verdict("with hooks: renamed", "as the original")


@pytest.mark.parametrize("in_place", [True, False], ids=["in place", "a copy"])
def test_a_repaired_session_is_sent_as_before_the_damage(
    client: Client, line: Line, in_place: bool, verdict: Verdict
) -> None:
    file = client.copy(line.file)
    before = resumed(client, client.copy(line.file).stem)
    lines = file.read_bytes().splitlines(keepends=True)
    at = next(n for n, raw in enumerate(lines) if is_prompt(raw, PROMPTS[2]))
    record = json.loads(lines[at]) | {"parentUuid": "nowhere"}
    lines[at] = json.dumps(record, separators=(",", ":")).encode() + b"\n"
    file.write_bytes(b"".join(lines))
    rested(file)

    plan = travel.repair(file, in_place=in_place, environment=client.desk)
    travel.apply(plan, client.desk)

    # What the client wrote at the resume before the prompt hung on the link that is gone.
    sent = resumed(client, plan.result or "")
    said = [[b for b in blocks if not is_of_resume(b)] for blocks in (sent, before)]
    check_sent(client, *said)
    verdict(f"with hooks: repaired {'in place' if in_place else 'copy'}", "all that was said")


def test_a_session_that_was_moved_is_sent_as_before(
    client: Client, line: Line, tmp_path: Path, verdict: Verdict
) -> None:
    project = tmp_path / "moved here"
    project.mkdir()
    before = resumed(client, client.copy(line.file).stem)
    folder = line.file.parent.parent / "-with-hooks"
    folder.mkdir()
    file = client.copy(line.file)
    file = file.rename(folder / file.name)
    travel.apply(travel.move(folder, project), client.desk)

    assert resumed(client, file.stem, cwd=project) == before
    verdict("with hooks: moved", "as the original")


def is_prompt(raw: bytes, text: str) -> bool:
    record = json.loads(raw)
    return record.get("type") == "user" and record["message"].get("content") in (
        text,
        [{"type": "text", "text": text}],
    )


def test_a_fork_after_a_compaction_is_sent_as_the_client_sent_the_original(
    client: Client, verdict: Verdict
) -> None:
    prompts = ("c1 hello", "c2 USE_BASH", "c3 bye")
    line = lead(client, *prompts)
    client.lab.claude(
        "-p", "/compact", "--resume", line.file.stem, "--dangerously-skip-permissions"
    )
    file = client.newest()
    client.say("d1 USE_BASH", "--resume", file.stem)
    sent = client.say("d2 hello", "--resume", client.newest().stem)
    file = rested(client.newest())

    plan = travel.fork(file, "d1 USE_BASH", environment=client.desk)
    travel.apply(plan, client.desk)

    assert resumed(client, plan.result or "") == history_of(sent)
    verdict("with hooks: fork after a compaction", "as the original")
