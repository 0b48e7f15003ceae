"""Hits in lines: who, when, which words, and what a reader must know beside them."""

from datetime import UTC, datetime

import pytest
from msgspec.structs import replace

from bough.query.search.search import Hit, SearchPage
from bough.terminal.canvas import Canvas
from bough.terminal.reports.search_hits import describe_page, render_hits
from bough.terminal.style import UNICODE, Role, StyledLine, text_of
from bough.terminal.text import width

NOW = datetime(2026, 11, 15, 15, 12).astimezone()
HIT = Hit(
    session="3f9c21d0-0000",
    project="-home-dev-orchard-shop",
    uuid="c2a9aaaa",
    timestamp="2026-11-15T13:41:00.000Z",
    kind="text",
    snippet="…instead of a checkpoint, one row per batch…",
    active=True,
    marks=((14, 24),),
    title="Make the CSV import resumable",
    project_name="resume-import",
    worktree_of="/home/dev/orchard-shop",
    role="assistant",
    tool=None,
    model=None,
    failed=False,
    branch=0,
    agent=None,
    agent_type=None,
    agent_description=None,
    path="",
    line=1,
)
TIME = datetime(2026, 11, 15, 13, 41, tzinfo=UTC).astimezone().strftime("%H:%M")


def styled(
    *hits: Hit, columns: int | None = 100, in_session: int | None = None
) -> list[StyledLine]:
    page = SearchPage(total=len(hits), exact=True, sessions=1, hits=hits)
    counts = {} if in_session is None else {HIT.session: in_session}
    return list(render_hits(page, Canvas(NOW, UNICODE, columns), counts))


def lines(*hits: Hit, columns: int | None = 100) -> list[str]:
    return [text_of(line) for line in styled(*hits, columns=columns)]


def told(**changes: object) -> str:
    return lines(replace(HIT, **changes))[1].split("  ", 3)[3]


def test_a_session_with_more_hits_than_are_shown_says_how_many() -> None:
    (heading, *_) = styled(HIT, replace(HIT, uuid="e1d2"), in_session=25)
    (complete, *_) = styled(HIT, in_session=1)

    assert text_of(heading).endswith("orchard-shop/resume-import  2 of 25 hits")
    assert text_of(complete).endswith("orchard-shop/resume-import")


def test_hits_stand_under_their_session() -> None:
    heading, first, second = lines(HIT, replace(HIT, uuid="e1d2", branch=1, active=False))

    place = "orchard-shop/resume-import"
    assert heading == f"{'3f9c21d0  Make the CSV import resumable'.ljust(100 - len(place))}{place}"
    assert first == f"  {TIME}  c2a9  Claude  …instead of a checkpoint, one row per batch…"
    assert second.endswith("batch…               left-behind branch")
    assert width(second) == 100


def test_sessions_come_in_the_order_of_their_best_hit() -> None:
    other = replace(HIT, session="other", title="Other", uuid="b1")

    shown = lines(HIT, other, replace(HIT, uuid="again"))

    assert [line.split()[0] for line in shown] == ["3f9c21d0", TIME, TIME, "other", TIME]


def test_a_message_that_forks_took_along_is_shown_once() -> None:
    fork, further = replace(HIT, session="fork"), replace(HIT, session="further")

    heading, line = lines(HIT, fork, further, fork)
    shown_twice = lines(HIT, fork, replace(HIT, uuid="e1d2"))

    assert heading.startswith("3f9c21d0")
    assert line.endswith("batch…         also in 2 other sessions")
    assert "also in 1 other session" in shown_twice[1]
    assert "also" not in shown_twice[2]


def test_what_only_looks_the_same_is_shown_each_time() -> None:
    alike = replace(HIT, uuid=None)
    changed = replace(HIT, session="fork", snippet="another text of the same record")

    assert len(lines(alike, replace(alike, session="fork"), changed)) == 2 + 3


@pytest.mark.parametrize(
    ("changes", "who"),
    [
        ({"kind": "prompt"}, "You"),
        ({"kind": "prompt", "agent": "a1"}, "Brief"),
        ({"kind": "thinking"}, "Thought"),
        ({"kind": "tool_input", "tool": "Edit"}, "Edit"),
        ({"kind": "tool_result", "tool": "Bash", "failed": True}, "Bash ✗"),
        ({"kind": "tool_result"}, "Tool"),
        ({"kind": "note"}, "Note"),
    ],
)
def test_who_speaks_is_named_in_plain_words(changes: dict[str, object], who: str) -> None:
    assert told(**changes).split("  ")[0] == who


def test_notes_say_whose_words_they_are() -> None:
    assert told(agent="a1", agent_type="Explore").endswith("  agent Explore")
    assert told(agent="a1", active=False).endswith("  agent a1, left-behind branch")
    assert told(branch=None, active=False).endswith("batch…")


def test_what_cannot_be_shown_is_said() -> None:
    assert told(snippet=None, marks=()) == "Claude  the file has changed since it was read"
    assert told(snippet="", marks=()) == "Claude  an image"


def test_only_the_match_is_set_off() -> None:
    assert styled(HIT)[1][-3:] == (
        (Role.CLAUDE, "…instead of a "),
        (Role.MATCH, "checkpoint"),
        (Role.CLAUDE, ", one row per batch…"),
    )


@pytest.mark.parametrize("columns", [20, 40, 60, 80, 96, 140])
def test_a_line_fits_and_shows_the_match(columns: int) -> None:
    snippet = "before " * 12 + "checkpoint" + " after" * 12
    hit = replace(HIT, snippet=snippet, marks=((84, 94),))

    (_, line) = lines(hit, columns=columns)

    assert "checkpoint" in line
    assert width(line) <= max(columns, 36)
    assert columns < 48 or width(line) > columns - 8
    assert "…" in line


def test_a_narrow_screen_keeps_title_and_words_before_what_stands_beside_them() -> None:
    hits = [replace(HIT, uuid=f"{n}1d2", active=False) for n in range(3)]

    at_80, at_60, at_40 = (
        [text_of(line) for line in styled(*hits, columns=columns, in_session=25)]
        for columns in (80, 60, 40)
    )

    assert at_80[0].endswith("  orchard-shop/resume-import  3 of 25 hits")
    assert at_80[1].endswith("batch…  left behind")
    assert at_60[0] == "3f9c21d0  Make the CSV import resumable         3 of 25 hits"
    assert at_60[1].endswith("…  left behind")
    assert at_40[0] == "3f9c21d0  Make the CSV im…  3 of 25 hits"
    assert max(map(width, [*at_60, *at_80])) <= 80
    assert max(map(width, at_40)) <= 40


def test_a_pipe_gets_every_word() -> None:
    hit = replace(HIT, snippet="word " * 40, marks=(), active=False)

    (_, line) = lines(hit, columns=None)

    assert line.endswith("word " * 40 + "  left-behind branch")


def test_nothing_in_a_snippet_acts_on_the_terminal() -> None:
    evil = "\x1b]0;title\x07a\x1b[31mred\x1b[0m\u202ecursor"
    hit = replace(HIT, snippet=evil, marks=((12, 17), (20, 24)), title="\x1b[2J", agent="\x1b[1mx")

    assert not any(char in "\x1b\x07\u202e" for line in lines(hit) for char in line)


def test_short_ids_are_as_long_as_it_takes() -> None:
    _, first, second = lines(replace(HIT, uuid="abcdef11"), replace(HIT, uuid="abcdef22"))

    assert "  abcdef1  " in first
    assert "  abcdef2  " in second


@pytest.mark.parametrize(
    ("page", "text"),
    [
        (SearchPage(1, exact=True, sessions=1, hits=(HIT,)), "1 hit in 1 session, 12 ms."),
        (
            SearchPage(41, exact=True, sessions=6, hits=(HIT,) * 2, next="7Qk1"),
            "2 of 41 hits in 6 sessions shown, 12 ms. Next: --after-cursor 7Qk1",
        ),
        (
            SearchPage(3_000, exact=False, sessions=None, hits=(HIT,), next="x"),
            "1 of 3,000 or more hits shown, 12 ms. Next: --after-cursor x",
        ),
        (SearchPage(9, exact=True, sessions=None, hits=(HIT,)), "1 of 9 hits shown, 12 ms."),
    ],
)
def test_the_last_line_says_how_much_there_is(page: SearchPage, text: str) -> None:
    assert describe_page(page, 0.012) == text
