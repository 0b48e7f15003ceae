"""Forks and gotos made through the routes of the web app: the client sends what was previewed."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bough import library
from tests.client.conftest import Verdict
from tests.client.laboratory import NEXT, Client, Words, told
from tests.web.serving import Served

pytestmark = pytest.mark.client

TURNS = ("turn1 hello", "turn2 USE_BASH", "turn3 THINK", "turn4 bye")
AFTER = ("text", "user", NEXT)


@pytest.fixture(scope="module")
def conversation(client: Client) -> Path:
    return client.talk(*TURNS)


@pytest.fixture(scope="module")
def served(client: Client, conversation: Path, tmp_path_factory: Any) -> Iterator[Served]:
    """Serve the Claude folder of the client."""
    with Served(Path(client.lab.cfg), tmp_path_factory.mktemp("web")) as server:
        yield server


def prompts_sent(words: list[Words]) -> list[str]:
    return [word[2] for word in words if word[:2] == ("text", "user")]


def is_listed(served: Served, session: str) -> bool:
    rows = served.get("/api/sessions?limit=200")["rows"]
    return any(row["resume"].endswith(session) for row in rows)


def preview(served: Served, operation: str, file: Path, turn: int) -> Any:
    """Ask for the preview as the page does: by the session's address and a message's id."""
    served.until(lambda: is_listed(served, file.stem))
    messages = library.read_session(file).conversation().messages
    at = next(one.uuid for one in messages if one.kind == "prompt" and one.text == TURNS[turn - 1])
    body = {"operation": operation, "session": file.stem, "at": at}
    return served.post("/api/travel/preview", body)["preview"]


def test_a_fork_made_in_the_web_app_is_sent_as_its_preview_showed(
    client: Client, conversation: Path, served: Served, verdict: Verdict
) -> None:
    before = conversation.read_bytes()
    shown = preview(served, "fork", conversation, 2)
    done = served.post("/api/travel/apply", {"plan": shown["plan"], "digest": shown["digest"]})

    planned = told(library.read_session(conversation.with_name(f"{done['session']}.jsonl")))

    sent = client.resume(done["session"])

    assert shown["prompts"] == list(TURNS[:2])
    assert sent == [*planned, AFTER]
    assert prompts_sent(sent) == [*shown["prompts"], NEXT]
    assert done["session"] in done["resume"]
    assert conversation.read_bytes() == before
    verdict("fork made in the web app", "exact")


def test_a_branch_made_active_in_the_web_app_is_resumed_and_its_undo_too(
    client: Client, conversation: Path, served: Served, verdict: Verdict
) -> None:
    file = client.copy(conversation)
    before = file.read_bytes()
    shown = preview(served, "goto", file, 1)
    done = served.post("/api/travel/apply", {"plan": shown["plan"], "digest": shown["digest"]})
    back = served.post("/api/travel/preview", {"operation": "undo", "number": done["number"]})[
        "preview"
    ]

    active = client.copy(file)
    planned = told(library.read_session(active))
    sent = client.resume(active.stem)
    assert sent == [*planned, AFTER]
    assert prompts_sent(sent) == [*shown["prompts"], NEXT]
    served.post("/api/travel/apply", {"plan": back["plan"], "digest": back["digest"]})

    assert file.read_bytes() == before
    assert prompts_sent(client.resume(file.stem)) == [*TURNS, NEXT]
    verdict("goto made in the web app, and undone", "exact")
