"""Events: what the stream shows of each change."""

from pathlib import Path

import msgspec

from bough.files.lines import split_lines
from bough.ingest.live.changes import (
    RecordsAppended,
    SidecarChanged,
    StateChanged,
    TranscriptRenamed,
    TranscriptReplaced,
    TranscriptStarted,
    TranscriptVanished,
    WatchProblem,
)
from bough.ingest.live.watched_sessions import WatchedSessions
from bough.ingest.transcript_paths import TranscriptPath
from bough.model.agents.links import AgentMeta
from bough.model.live.status import SessionState, SessionStatus
from bough.query.live.events import EventBuilder, StreamEvent, describe_state
from bough.records.decode import decode_lines
from bough.sample import SampleSession, session

MAIN = TranscriptPath("/c/projects/-p", "s", "/c/projects/-p/s.jsonl")
AGENT = TranscriptPath("/c/projects/-p", "s", "/c/projects/-p/s/subagents/agent-a1.jsonl", "a1")


class Told:
    """A board and the events of what is put on it."""

    def __init__(self, tmp_path: Path) -> None:
        self.board = WatchedSessions([tmp_path])
        self.events = EventBuilder(self.board)

    def append(
        self, builder: SampleSession, place: TranscriptPath = MAIN, *, past: bool = False
    ) -> list[StreamEvent]:
        items = tuple(decode_lines(split_lines([builder.bytes()])))
        self.board.add(place, items)
        return self.events.build_events([RecordsAppended(place, items, past=past)])


def kinds(events: list[StreamEvent]) -> list[str]:
    return [event.kind for event in events]


def test_a_title_is_told_first_and_again_when_it_changes(tmp_path: Path) -> None:
    told = Told(tmp_path)

    first = told.append(session("s").user("Make it so"))
    second = told.append(session("t").assistant("Yes."))
    third = told.append(session("u").ai_title("Made so"))

    assert [(event.kind, event.text) for event in first] == [
        ("title", "Make it so"),
        ("prompt", "Make it so"),
    ]
    assert kinds(second) == ["text"]
    assert [(event.kind, event.text) for event in third] == [("title", "Made so")]


def test_an_event_says_where_it_comes_from(tmp_path: Path) -> None:
    builder = session("s", cwd="/home/dev/shop").user("Go", name="P")

    event = Told(tmp_path).append(builder, past=True)[-1]

    assert (event.session, event.project, event.name) == ("s", "-p", "shop")
    assert (event.uuid, event.offset, event.past) == (builder.uuid("P"), 0, True)
    assert event.time == "2026-01-05T09:00:00.000Z"


def test_an_agent_announces_itself_before_its_first_word(tmp_path: Path) -> None:
    told = Told(tmp_path)
    told.append(session("s").user("x"))
    told.board.watched(AGENT).metas["a1"] = AgentMeta("Explore", "Find every caller", "toolu_1")

    first = told.append(session("a").user("brief").thinking("Where?"), AGENT)
    second = told.append(session("b").assistant("Found."), AGENT)

    assert kinds(first) == ["agent", "prompt", "thinking"]
    assert (first[0].text, first[0].call) == ("Explore: Find every caller", "toolu_1")
    assert {event.depth for event in (*first, *second)} == {1}


def test_an_agent_started_by_an_agent_is_deeper(tmp_path: Path) -> None:
    told = Told(tmp_path)
    told.append(session("s").user("x"))
    first = told.append(session("a").user("brief").tool("Task", {"prompt": "look"}, None), AGENT)
    call = next(event.call for event in first if event.kind == "tool")
    inner = TranscriptPath(AGENT.folder, "s", AGENT.path.replace("a1", "a2"), "a2")
    told.board.watched(inner).metas["a2"] = AgentMeta("Explore", "Deeper", call)

    second = told.append(session("b").user("brief"), inner)

    assert {event.depth for event in second} == {2}


def test_a_sidechain_inside_the_file_is_indented_too(tmp_path: Path) -> None:
    builder = session("s", version="1.0.128").user("x").agent("Explore", "look", layout="inline")

    depths = {event.depth for event in Told(tmp_path).append(builder)}

    assert depths == {0, 1}


def test_a_result_says_how_it_ended(tmp_path: Path) -> None:
    builder = session("s").user("x")
    builder.tool("Bash", {"command": "make"}, "Exit code 2\nboom failed", is_error=True)

    events = Told(tmp_path).append(builder)

    call, end = events[-2:]
    assert (call.kind, call.tool, call.about, call.outcome) == ("tool", "Bash", "make", None)
    assert (end.kind, end.call, end.outcome, end.text) == ("result", call.call, "failed", "exit 2")
    assert end.reason == "boom failed"
    assert (end.seconds or 0) > 0


def test_changes_of_files_are_told_in_words(tmp_path: Path) -> None:
    events = EventBuilder(WatchedSessions([tmp_path]))
    before = TranscriptPath(MAIN.folder, "oldname-1", "/c/projects/-p/oldname-1.jsonl")

    told = events.build_events(
        [
            TranscriptStarted(MAIN),
            TranscriptStarted(AGENT),
            TranscriptRenamed(MAIN, before),
            TranscriptReplaced(MAIN),
            TranscriptVanished(AGENT),
            WatchProblem("Cannot read it.", "/x"),
            SidecarChanged(AGENT),
        ]
    )

    assert [(event.kind, event.text) for event in told] == [
        ("started", "Session began."),
        ("renamed", "Session oldname- goes by another name."),
        ("replaced", "The file was rewritten."),
        ("vanished", "The file is gone."),
        ("trouble", "Cannot read it."),
    ]


def test_a_state_is_told_with_its_words(tmp_path: Path) -> None:
    stands = SessionStatus(
        SessionState.WAITING, sure=False, asks="run make?", since="2026-01-05T09:00:00.000Z"
    )

    (event,) = EventBuilder(WatchedSessions([tmp_path])).build_events([StateChanged(MAIN, stands)])

    assert (event.kind, event.state, event.sure) == ("state", SessionState.WAITING, False)
    assert event.text == "probably waits for you: run make?"
    assert event.time == stands.since


def test_every_state_has_its_words() -> None:
    assert len({describe_state(SessionStatus(state)) for state in SessionState}) == len(
        SessionState
    )


def test_json_leaves_out_what_has_no_value(tmp_path: Path) -> None:
    event = Told(tmp_path).append(session("s").user("Go"))[-1]

    fields = msgspec.json.decode(msgspec.json.encode(event))

    assert set(fields) >= {"kind", "session", "project", "uuid", "time", "text"}
    assert not set(fields) & {"call", "tool", "outcome", "state", "agent", "past"}
