"""Events as lines."""

import re
from datetime import UTC, datetime

import pytest

from bough.model.live.status import SessionState
from bough.query.live.events import StreamEvent
from bough.terminal.capabilities import ColorDepth, Terminal
from bough.terminal.reports.live_stream import EventRenderer, join_calls
from bough.terminal.style import styles_for, text_of
from bough.terminal.text import width

NOW = datetime(2026, 11, 15, 15, 10, 31, tzinfo=UTC)
CODES = re.compile(r"\x1b\[[\d;]*m")
PIPE = Terminal()


@pytest.fixture(autouse=True)
def utc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")


def event(kind: str, text: str = "", **fields: object) -> StreamEvent:
    given: dict[str, object] = {
        "session": "3f9c21d0",
        "project": "-home-dev-shop",
        "name": "shop",
        "uuid": "u",
        "time": "2026-11-15T15:10:31.000Z",
        **fields,
    }
    return StreamEvent(kind=kind, text=text, **given)  # type: ignore[arg-type]


def call(about: str = "pytest -q", **fields: object) -> StreamEvent:
    return event("tool", f"Bash {about}", tool="Bash", about=about, call="c1", **fields)


def end(text: str = "exit 1", outcome: str = "failed", **fields: object) -> StreamEvent:
    given: dict[str, object] = {"tool": "Bash", "about": "pytest -q", "call": "c1", **fields}
    return event("result", text, outcome=outcome, **given)


def lines(*events: StreamEvent, terminal: Terminal = PIPE, labels: bool = False) -> list[str]:
    shown = EventRenderer(labels=labels).render_events(events, terminal, NOW)
    return list(styles_for(terminal).paint_lines(shown))


def bodies(*events: StreamEvent) -> list[str]:
    return [line[9:] for line in lines(*events)]


def test_a_line_is_the_time_the_label_and_what_happened() -> None:
    (line,) = lines(event("prompt", "Ship it"), labels=True)

    assert re.fullmatch(r"\d\d:10:31 shop 3f9c +◉ Ship it", line)


def test_a_session_followed_alone_needs_no_label() -> None:
    (line,) = lines(event("prompt", "Ship it"))

    assert line.endswith(":10:31 ◉ Ship it")


@pytest.mark.parametrize(
    ("what", "body"),
    [
        (event("thinking", "Is it green?"), "~ Is it green?"),
        (event("thinking", kept=False), "~ Thought, text not kept"),
        (event("text", "It **is**."), "  It **is**."),
        (event("command", "/review src"), "◉ /review src"),
        (event("queued", "Then this"), "◉ queued: Then this"),
        (call(), "● Bash pytest -q"),
        (end(), "✗ Bash pytest -q  exit 1"),
        (end("220 lines", "ok", seconds=4.2), "✓ Bash pytest -q  220 lines  4.2 s"),
        (end("ok", "ok"), "✓ Bash pytest -q"),
        (end("stopped by you", "stopped"), "- Bash pytest -q  stopped by you"),
        (event("error", "API Error: 529"), "✗ API Error: 529"),
        (event("interrupted", "[Request interrupted by user]"), "- Interrupted by you"),
        (event("compacted", "Conversation compacted"), "┊ Conversation compacted"),
        (event("notice", "A task\nended"), "- A task ended"),
        (event("state", "finished", state=SessionState.FINISHED), "✓ finished"),
        (event("state", "waits for you: x?", state=SessionState.WAITING), "■ waits for you: x?"),
        (event("state", "failed: x", state=SessionState.FAILED), "✗ failed: x"),
        (event("state", "interrupted", state=SessionState.INTERRUPTED), "- interrupted"),
        (event("state", "compacts", state=SessionState.COMPACTING), "┊ compacts"),
    ],
)
def test_each_kind_has_its_sign(what: StreamEvent, body: str) -> None:
    assert bodies(what) == [body]


def test_that_it_works_goes_without_saying() -> None:
    assert lines(event("state", "works", state=SessionState.WORKING)) == []


def test_a_state_does_not_repeat_what_was_just_said() -> None:
    stopped = event("state", "interrupted", state=SessionState.INTERRUPTED)
    failed = event("state", "failed: API Error", state=SessionState.FAILED)

    assert len(lines(event("interrupted"), stopped)) == 1
    assert len(lines(event("error", "API Error"), failed)) == 1
    assert len(lines(event("text", "x"), failed)) == 2


def test_that_a_session_began_is_told_by_its_title() -> None:
    assert lines(event("started", "Session began.")) == []


def test_an_agents_prompt_is_its_brief() -> None:
    assert bodies(event("prompt", "Look around", depth=1)) == ["  ◉ Brief: Look around"]


def test_a_bad_end_says_why_below() -> None:
    assert bodies(end(reason="FAILED tests/x.py"))[1].strip() == "FAILED tests/x.py"


def test_further_lines_stand_below_the_words() -> None:
    first, second = lines(event("prompt", "One\ntwo"), labels=True)

    assert second.index("two") == first.index("One")


def test_agents_stand_two_columns_further_in() -> None:
    outer, agent, inner = bodies(
        call(), event("agent", "Explore: look", depth=1), call(depth=1, about="ls")
    )

    assert outer.startswith("● Bash")
    assert agent == "  ◆ Explore: look"
    assert inner == "  ● Bash ls"


def test_a_session_is_named_when_it_first_speaks_and_when_its_title_changes() -> None:
    stream = EventRenderer()
    title = event("title", "Ship the import")

    first = stream.render_events([title, event("prompt", "a"), event("prompt", "b")], PIPE, NOW)
    again = stream.render_events([title, event("prompt", "c")], PIPE, NOW)
    other = stream.render_events([event("title", "Shipped")], PIPE, NOW)

    assert text_of(first[0]) == "╌╌ shop 3f9c Ship the import ╌╌"
    assert len(first) == 3
    assert len(again) == 1
    assert [text_of(line) for line in other] == ["╌╌ shop 3f9c Shipped ╌╌"]


def test_a_call_and_its_end_in_one_batch_are_one_line() -> None:
    shown = join_calls([call(), event("text", "x"), end()])

    assert [one.kind for one in shown] == ["result", "text"]


def test_an_end_whose_call_was_shown_before_is_a_line_of_its_own() -> None:
    assert join_calls([end()]) == [end()]


def test_long_output_of_a_command_is_shortened() -> None:
    text = "\n".join(str(number) for number in range(100))

    assert [body.strip() for body in bodies(event("output", text))] == [
        *"01234",
        "(95 more lines)",
    ]


@pytest.mark.parametrize("columns", [40, 80, 160])
def test_nothing_is_wider_than_the_terminal(columns: int) -> None:
    words = "the offset was saved before the newline was counted " * 20
    terminal = Terminal(ColorDepth.SIXTEEN, width=columns, height=24)
    events = [event("text", words), event("thinking", words), call(words), end(words, about=words)]
    events.append(event("title", words))

    for line in lines(*events, terminal=terminal, labels=True):
        assert width(CODES.sub("", line)) <= columns


def test_a_pipe_gets_every_word() -> None:
    words = "word " * 50_000

    assert words.strip() in "\n".join(lines(event("text", words)))


def test_a_terminal_is_spared_megabytes() -> None:
    terminal = Terminal(width=80, height=24)

    shown = "".join(lines(event("text", "word " * 50_000), terminal=terminal))

    assert "230.0k more characters" in shown
    assert len(shown) < 60_000


def test_nothing_of_a_transcript_acts_on_the_terminal() -> None:
    evil = "\x1b]0;title\x07\x1b[2J\u202e evil"
    events = [event(kind, evil) for kind in ("prompt", "text", "thinking", "notice", "error")]
    events += [call(evil), end(evil, reason=evil), event("title", evil)]

    shown = "\n".join(lines(*events, labels=True))

    assert "\x1b" not in shown
    assert "\x07" not in shown
    assert "\u202e" not in shown
