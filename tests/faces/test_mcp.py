"""What an agent is told over MCP are the numbers of the other faces."""

import json
from typing import Any

import pytest

import bough
from tests.faces.conftest import Faces
from tests.mcp.histories import make_answerer

pytestmark = pytest.mark.slow


def test_an_agent_is_told_the_sessions_turns_and_usage_of_the_library(faces: Faces) -> None:
    answerer = make_answerer(faces.claude, faces.index, project=None)

    def ask(tool: str, **arguments: Any) -> dict[str, Any]:
        answer = answerer.call_tool(tool, {"budget": 2000, **arguments})
        assert not answer.is_error, answer.text
        found: dict[str, Any] = json.loads(answer.text.partition("\n")[2])
        return found

    rows: list[dict[str, Any]] = []
    page = ask("sessions", limit=10)
    while True:
        rows += page.get("sessions", [])
        if "next" not in page:
            break
        page = ask("sessions", limit=10, cursor=page["next"])
    told = {row["session"]: row["turns"] for row in rows}
    assert told == {row.id: row.turns for row in faces.library}

    # One project at a time, so that all rows fit into an answer.
    for project in bough.projects(faces.claude, index=faces.index)[:5]:
        asked: dict[str, Any] = {"project": project.id, "since": "2000-01-01"}
        table = bough.usage("model", claude_dir=faces.claude, index=faces.index, **asked)
        used = ask("usage", report="model", **asked)
        assert "left_out" not in used
        output = [row["output_tokens"] for row in used.get("rows", [])]
        assert output == [row.amount.output_tokens for row in table.rows]
    answerer.close()
