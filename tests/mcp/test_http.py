"""The server over streamable HTTP: the official client with the token, and nobody without."""

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from bough.errors import Misuse
from bough.mcp.http import parse_address
from tests.mcp.histories import FOREIGN, OURS
from tests.mcp.test_stdio import ARGUMENTS, text_of

TOKEN = "a-token-of-the-tests"
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
ACCEPT = {"Accept": "application/json, text/event-stream"}


@pytest.fixture(scope="module")
def address(history: tuple[Path, Path]) -> Iterator[str]:
    claude, index = history
    options = ["--claude-dir", str(claude), "--index", str(index), "--project", OURS]
    server = subprocess.Popen(
        [sys.executable, "-m", "bough", "mcp", "--http", "127.0.0.1:0", *options],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "BOUGH_MCP_TOKEN": TOKEN},
    )
    assert server.stderr is not None
    line = server.stderr.readline()
    match = re.search(r"http://\S+", line)
    assert match, line
    assert TOKEN in line
    yield match[0]
    server.terminate()
    server.wait(20)
    server.stderr.close()


def post(address: str, **headers: str) -> httpx2.Response:
    return httpx2.post(address, json=LIST, headers={**ACCEPT, **headers}, timeout=20)


@pytest.mark.slow
def test_the_official_client_asks_every_tool(address: str) -> None:
    async def ask() -> dict[str, str]:
        async with (
            httpx2.AsyncClient(headers={"X-Bough-Token": TOKEN}) as http,
            Client(streamable_http_client(address, http_client=http)) as client,
        ):
            found = {}
            for name, arguments in ARGUMENTS.items():
                result: Any = await client.call_tool(name, arguments)
                assert not result.is_error, text_of(result)
                found[name] = text_of(result)
            return found

    answers = asyncio.run(asyncio.wait_for(ask(), 60))

    assert "Use SQLite" in answers["search"]
    assert FOREIGN not in "".join(answers.values())


@pytest.mark.slow
def test_nobody_asks_without_the_token_by_another_name_or_from_another_page(address: str) -> None:
    token = {"X-Bough-Token": TOKEN}

    assert post(address).status_code == 403
    assert post(address, **{"X-Bough-Token": "wrong"}).status_code == 403
    assert post(address, **token, Host="evil.test").status_code == 403
    assert post(address, **token, Origin="http://evil.test").status_code == 403
    assert post(address, **token, **{"Sec-Fetch-Site": "cross-site"}).status_code == 403
    assert httpx2.get(address, headers=ACCEPT, timeout=20).status_code == 403
    assert httpx2.delete(address, timeout=20).status_code == 403
    assert "inputSchema" not in post(address).text
    assert post(address, **token).status_code == 200


@pytest.mark.parametrize("text", ["", "8421", "127.0.0.1", ":8421", "x:y", "x:99999"])
def test_an_address_has_a_host_and_a_port(text: str) -> None:
    with pytest.raises(Misuse, match=r"127\.0\.0\.1:8421"):
        parse_address(text)
    assert parse_address("[::1]:8421") == ("::1", 8421)
