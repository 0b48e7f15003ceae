"""What a call that still runs shows of itself."""

import pytest

from bough.model.tools.call_progress import read_progress_line
from bough.records.types import Progress
from bough.sample import session
from tests.unit.model.readings import read


def line_of(kind: str, **data: object) -> str | None:
    (record,) = (
        one
        for one in read(session(version="2.1.50").user("Go").progress(kind, data))
        if isinstance(one, Progress)
    )
    return read_progress_line(record)


def copied(*blocks: object, of: str = "assistant") -> dict[str, object]:
    return {"type": of, "message": {"role": of, "content": list(blocks)}}


@pytest.mark.parametrize(
    ("output", "line"),
    [
        ("one\ntwo\n\n", "two"),
        ("\x1b[32mok\x1b[0m 3 passed\n", "ok 3 passed"),
        ("10 %\r20 %\r30 %", "30 %"),
        ("\n  \n", None),
    ],
)
def test_of_a_shell_it_is_the_last_line_with_words(output: str, line: str | None) -> None:
    assert line_of("bash_progress", output=output) == line


def test_of_an_agent_it_is_what_the_agent_does() -> None:
    call = {"type": "tool_use", "id": "t", "name": "Grep", "input": {"pattern": "ImportJob"}}

    assert line_of("agent_progress", message=copied(call)) == "Grep ImportJob"
    assert line_of("agent_progress", message=copied({"type": "text", "text": "a\nb"})) == "b"
    assert (
        line_of("agent_progress", message=copied({"type": "text", "text": "x"}, of="user")) is None
    )


def test_of_others_it_is_what_the_client_says() -> None:
    assert line_of("mcp_progress", status="started") == "started"
    assert line_of("query_update", query="resumable imports") == "searches: resumable imports"
    assert line_of("search_results_received", resultCount=1) == "1 result"
    assert line_of("waiting_for_task", taskDescription="the suite") == "waits for: the suite"
    assert line_of("hook_progress", hookEvent="Stop") is None
    assert line_of("bash_progress", output=7) is None
