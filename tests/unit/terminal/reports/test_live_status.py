"""Sessions that are going on, as a table and as one line."""

import re
from datetime import UTC, datetime

import pytest
from msgspec.structs import replace

from bough.model.live.status import SessionState
from bough.query.live.running_sessions import LiveSession
from bough.terminal.canvas import Canvas
from bough.terminal.reports.live_status import render_status_line, render_status_table
from bough.terminal.style import UNICODE, text_of

NOW = datetime(2026, 11, 15, 15, 10, 45, tzinfo=UTC)
ROW = LiveSession(
    id="3f9c21d0-0000",
    project="-home-dev-shop",
    name="shop",
    path="/p/3f9c21d0-0000.jsonl",
    title="Make the import resumable",
    state=SessionState.WORKING,
    sure=True,
    asks=None,
    since="2026-11-15T15:10:31.000Z",
    active_at="2026-11-15T15:10:40.000Z",
    model="claude-opus-4-6",
    context_tokens=62_000,
    context_window=200_000,
    cost_usd=6.19,
    copied_cost_usd=0.0,
    unpriced_models=[],
    partial=False,
    thought="The suite should be green",
    agents=0,
    pid=7,
    version="2.1.325",
    git_branch="main",
)
WAITS = replace(
    ROW, state=SessionState.WAITING, asks="run make ship?", since="2026-11-15T15:06:00.000Z"
)


def table(*rows: LiveSession, columns: int | None = None) -> list[str]:
    return [text_of(line) for line in render_status_table(rows, Canvas(NOW, UNICODE, columns))]


def test_a_row_holds_state_project_title_context_cost_and_thought() -> None:
    (_, line) = table(ROW)

    assert line.startswith("3f9c21d0  ● working 0:14  now")
    assert re.search(r"shop +31%  \$6\.19  Make the import resumable  ~ The suite", line)


def test_who_waits_says_for_how_long_and_for_what() -> None:
    (_, line) = table(WAITS)

    assert "■ waits 4 min" in line
    assert "asks: run make ship?" in line


def test_what_is_only_likely_says_so() -> None:
    assert "■ probably waits" in table(replace(WAITS, sure=False))[1]


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (SessionState.FINISHED, "✓ finished"),
        (SessionState.FAILED, "✗ failed"),
        (SessionState.INTERRUPTED, "- interrupted"),
        (SessionState.COMPACTING, "┊ compacting 0:14"),
    ],
)
def test_each_state_has_its_sign_and_word(state: SessionState, words: str) -> None:
    assert words in table(replace(ROW, state=state))[1]


def test_when_it_is_narrow_state_and_title_stay() -> None:
    (_, line) = table(ROW, columns=44)

    assert len(line) <= 44
    assert "● working 0:14" in line
    assert "Make the" in line


def test_what_is_not_known_is_left_empty() -> None:
    unknown = replace(
        ROW, context_tokens=None, cost_usd=None, unpriced_models=["lab-9"], thought=None
    )

    (_, line) = table(unknown)

    assert "%" not in line
    assert "no price" in line


def test_the_line_counts_and_names_the_most_urgent() -> None:
    done = replace(ROW, state=SessionState.FINISHED)

    line = text_of(render_status_line([WAITS, ROW, done, done], NOW, UNICODE))

    assert line == "■ 1 waits  ● 1 working  ✓ 2 finished  shop: asks run make ship?"


def test_the_line_of_a_working_session_says_how_full_its_context_is() -> None:
    assert text_of(render_status_line([ROW], NOW, UNICODE)) == (
        "● 1 working  shop: working 0:14, 31% of context"
    )


def test_the_line_of_nothing_is_empty() -> None:
    assert render_status_line([], NOW, UNICODE) == ()
