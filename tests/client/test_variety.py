"""Forks of sessions with hooks, thinking, agents, images and failing tools."""

import json
from pathlib import Path

import pytest

from bough.query.sessions.load_session import read_session
from bough.timetravel import operations as travel
from tests.client.conftest import Verdict
from tests.client.laboratory import NEXT, PIXEL, SKIP, Client, lab, told

pytestmark = pytest.mark.client

PROMPTS = {
    "hooks": "kind1 USE_BASH",
    "a failing tool": "kind2 USE_FAIL",
    "thinking and a tool": "kind3 THINK_BASH",
    "an agent": "kind4 USE_TASK",
    "two texts": "kind5 MULTI",
    "an image": "kind6 look at this",
    "a last word": "kind7 bye",
}


def hook(command: str) -> dict[str, object]:
    return {"hooks": [{"type": "command", "command": command}]}


SETTINGS = {
    "hooks": {
        "PreToolUse": [{"matcher": "Bash", **hook("echo before")}],
        "PostToolUse": [{"matcher": "Bash", **hook("echo after")}],
        "Stop": [hook("echo stop")],
        "UserPromptSubmit": [hook("echo submitted")],
        "SessionStart": [hook("echo started")],
    }
}


IMAGES_ARE_LOST = ("2.1.50",)
"""Clients that send "[image]" instead of an image after any resume."""


@pytest.fixture(scope="module")
def conversation(client: Client) -> Path:
    hooks = dict(SETTINGS["hooks"])
    if client.version.startswith("1."):
        del hooks["SessionStart"]  # with it, --continue starts anew there
    settings = Path(client.lab.cfg) / "settings.json"
    settings.write_text(json.dumps({"hooks": hooks}))
    prompts = list(PROMPTS.values())
    client.talk(*prompts[:5])
    client.show(prompts[5], "--continue")
    client.lab.claude("-p", prompts[6], "--continue", SKIP)
    settings.unlink()  # what a hook says now is not part of what was planned
    return client.newest()


@pytest.mark.parametrize("kind", PROMPTS)
def test_a_fork_after_any_kind_of_turn_is_sent_as_planned(
    client: Client, conversation: Path, kind: str, verdict: Verdict
) -> None:
    # On a resume 1.0.128 writes a prompt with an image once more, so its words stand twice.
    twice = client.version.startswith("1.") and kind == "an image"
    plan = travel.fork(conversation, "-1" if twice else PROMPTS[kind], environment=client.desk)
    travel.apply(plan, client.desk)

    planned = told(read_session(plan.path or ""))
    wanted = [*planned, ("text", "user", NEXT)]
    if client.version in IMAGES_ARE_LOST:
        wanted = [("text", "user", "[image]") if w[0] == "image" else w for w in wanted]
    assert client.resume(plan.result or "") == wanted
    typed = [words[2] for words in planned if words[:2] == ("text", "user")]
    so_far = list(PROMPTS.values())[: list(PROMPTS).index(kind) + 1]
    assert [text for text in typed if text.startswith("kind")] == so_far
    if kind == "a last word":
        assert ("image", PIXEL) in planned
    lost = client.version in IMAGES_ARE_LOST and "image" in {words[0] for words in planned}
    verdict(f"fork after {kind}", "as on any resume" if lost else "exact")


def test_the_lab_answers_as_this_module_expects(client: Client, conversation: Path) -> None:
    calls = [words[2] for words in told(read_session(conversation)) if words[0] == "call"]

    assert calls[:3] == ["Bash", "Bash", "Bash"]
    assert calls[3] in ("Task", "Agent")
    assert lab().binary(client.version)
