"""The server as a client meets it: a process of its own, asked by the official client."""

import asyncio
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from mcp.shared.exceptions import MCPError

from bough.mcp.tools import TOOLS
from bough.sample.data.ids import uuid_of
from tests.mcp.histories import FOREIGN, OURS

T = TypeVar("T")
ORCHARD = uuid_of("orchard")
ARGUMENTS: dict[str, dict[str, Any]] = {
    "search": {"query": "queue"},
    "read": {"place": "latest"},
    "sessions": {},
    "decisions": {"about": "job queue"},
    "file_history": {"path": "queue.py"},
    "before": {"command": "make test"},
    "usage": {"since": "2026-01-01"},
    "compare": {"session": ORCHARD, "tip_a": "active"},
    "dropped": {"session": ORCHARD},
}
"""Something to ask every tool."""


def start(
    history: tuple[Path, Path], *words: str, cwd: Path | None = None
) -> StdioServerParameters:
    claude, index = history
    options = ["--claude-dir", str(claude), "--index", str(index)]
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "bough", "mcp", *options, *words],
        cwd=cwd,
    )


def talk(
    server: StdioServerParameters,
    talk_to: Callable[[Client], Coroutine[Any, Any, T]],
    mode: str = "auto",
) -> T:
    async def run() -> T:
        async with Client(server, mode=mode) as client:
            return await talk_to(client)

    return asyncio.run(asyncio.wait_for(run(), 60))


def text_of(result: Any) -> str:
    (content,) = result.content
    return str(content.text)


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_official_client_asks_every_tool(history: tuple[Path, Path], mode: str) -> None:
    async def ask(client: Client) -> dict[str, str]:
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == [tool.name for tool in TOOLS]
        for tool in tools:
            assert tool.annotations is not None
            assert tool.annotations.read_only_hint
            assert tool.annotations.open_world_hint is False
        found = {}
        for name, arguments in ARGUMENTS.items():
            result = await client.call_tool(name, arguments)
            assert not result.is_error, (name, text_of(result))
            found[name] = text_of(result)
        wrong = await client.call_tool("read", {"place": "../../etc/passwd"})
        assert wrong.is_error
        return found

    answers = talk(start(history, "--project", OURS), ask, mode)

    assert set(answers) == {tool.name for tool in TOOLS}
    assert "Use SQLite" in answers["search"]
    assert FOREIGN not in "".join(answers.values())


@pytest.mark.slow
def test_resources_prompts_and_completion_reach_the_client(history: tuple[Path, Path]) -> None:
    async def ask(client: Client) -> None:
        listed = (await client.list_resources()).resources
        assert [one.uri for one in listed] == [
            f"bough://session/{uuid_of('worktree')}",
            f"bough://session/{ORCHARD}",
        ]
        templates = (await client.list_resource_templates()).resource_templates
        assert [one.name for one in templates] == ["session", "turn", "file"]
        (content,) = (await client.read_resource(listed[1].uri)).contents
        assert "Use SQLite" in getattr(content, "text", "")
        with pytest.raises(MCPError, match="No session in scope"):
            await client.read_resource(f"bough://session/{uuid_of('other')}")
        names = [one.name for one in (await client.list_prompts()).prompts]
        assert names == ["recall", "resume-summary", "handover"]
        (message,) = (await client.get_prompt("handover", {"session": ORCHARD})).messages
        assert "Use SQLite" in getattr(message.content, "text", "")
        (message,) = (await client.get_prompt("recall", {"topic": "queues"})).messages
        assert getattr(message.content, "text", "").endswith("Topic: queues")
        with pytest.raises(MCPError, match="needs its argument"):
            await client.get_prompt("recall", {})

    talk(start(history, "--project", OURS), ask)


@pytest.mark.slow
def test_without_a_project_the_folder_it_is_started_in_counts(
    history: tuple[Path, Path], tmp_path: Path
) -> None:
    async def ask(client: Client) -> str:
        return text_of(await client.call_tool("sessions", {}))

    assert '"total":0' in talk(start(history, cwd=tmp_path), ask)
    assert '"total":3' in talk(start(history, "--all-projects"), ask)


@pytest.mark.slow
def test_the_memory_profile_has_three_tools(history: tuple[Path, Path]) -> None:
    async def ask(client: Client) -> list[str]:
        refused = await client.call_tool("usage", {})
        assert refused.is_error
        return [tool.name for tool in (await client.list_tools()).tools]

    assert talk(start(history, "--profile", "memory"), ask) == ["search", "read", "decisions"]
