"""Agents below `subagents/workflows/`: what counts in the cost is shown."""

import msgspec
import pytest

from bough.sample import session
from tests.cli.screens import piped
from tests.conftest import Home


@pytest.mark.parametrize("command", ["tree", "show"])
def test_agents_of_a_workflow_that_no_call_names_are_shown(home: Home, command: str) -> None:
    builder = session(version="2.1.250").user("Fold all pages").tool("Workflow", {}, "launched")
    for number in (1, 2):
        builder.agent("folder", f"fold page {number}", layout="workflow", agent_id=f"a{number}")
    del builder.entries[-4:]
    for place, meta in builder.companions.items():
        if place.endswith(".meta.json"):
            told = msgspec.json.decode(meta) | {"toolUseId": None}
            builder.companions[place] = msgspec.json.encode(told)
    with home.writing() as folder:
        path = builder.write(folder)

    text = piped(command, str(path), claude=home.path).stdout

    assert "fold page 1" in text
    assert "fold page 2" in text
    assert "2 agents" in text or command == "tree"
