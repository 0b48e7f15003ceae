"""Diffs: true lines, true numbers, and the words that differ."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.export.html.tools.file_tools import render_file_part
from bough.export.markup.line_diff import DiffGap, TextChange, render_diff, render_gap
from bough.model.tools.call_detail import FileContent, FileEdit, FileWrite, detail_of
from bough.sample import SampleSession, session
from tests.unit.export.fragments import read, seen
from tests.unit.model.opened import calls, told

LINES = st.lists(
    st.sampled_from(["a", "b", "job.run()", "job.run(x)", "", "  return 1"]), max_size=12
)
ROW = re.compile(
    r'<div class="r ?([ad]?)"><b>(\d*)</b><b>(\d*)</b><b>(.?)</b><span>(.*?)</span></div>'
)


def rows(fragment: str) -> list[tuple[str, str, str, str]]:
    """Give the sign, both numbers and the text of every row."""
    found = [match.groups() for match in ROW.finditer(fragment)]
    return [(look, old, new, seen(text)) for look, old, new, _, text in found]


def shown_by(builder: SampleSession) -> str | None:
    """Show the file that the first call of a session touches."""
    detail = detail_of(calls(told(builder)[1])[0])
    assert isinstance(detail.part, FileEdit | FileWrite | FileContent)
    return render_file_part(detail.part, detail.output)


@given(LINES, LINES)
def test_a_diff_gives_back_both_texts(old: list[str], new: list[str]) -> None:
    fragment = render_diff(TextChange(old, new, 1, 1), "python")

    read(fragment)
    shown = rows(fragment)
    assert [text for look, *_, text in shown if look != "a"] == old
    assert [text for look, *_, text in shown if look != "d"] == new
    assert [int(n) for _, n, _, _ in shown if n] == list(range(1, len(old) + 1))
    assert [int(n) for _, _, n, _ in shown if n] == list(range(1, len(new) + 1))


def test_the_words_that_differ_are_marked() -> None:
    change = TextChange(
        ["    job = ImportJob(path, dry_run)"], ["    job = ImportJob(path, start=0)"]
    )

    fragment = render_diff(change, "")

    assert "(path, <mark>dry_run</mark>)" in fragment
    assert "(path, <mark>start=0</mark>)" in fragment


@pytest.mark.parametrize(
    ("old", "new", "language", "shown"),
    [
        ("a < b", "a > b", "", "a <mark>&gt;</mark> b"),
        ("a \x07 b", "a c b", "", "a <mark>c</mark> b"),
        ("x = run(1)", "x = run(2)", "python", 'run(<mark><i class="m">2</i></mark>)'),
        (
            "x = 'a b'",
            "x = 'a c'",
            "python",
            """'a </i><mark><i class="s">c</i></mark><i class="s">'""",
        ),
        ("run(a)\r", "run(b)\r", "python", "run(<mark>b</mark>)</span>"),
    ],
)
def test_marks_are_in_their_place_whatever_the_page_writes(
    old: str, new: str, language: str, shown: str
) -> None:
    fragment = render_diff(TextChange([old, "end"], [new, "end"]), language)

    read(fragment)
    assert shown in fragment


def test_a_mark_around_an_odd_character_is_whole() -> None:
    fragment = render_diff(TextChange(["a b c"], ["a \x07 c"]), "")

    assert '<mark><span class="odd" title="U+0007">^G</span></mark> c' in fragment


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("import os", "return (1, 2, 3)"),
        ("    padding-top: 12px;", "    font-weight: bold;"),
        ("one of the first words here", "other things, of no such kind at all"),
    ],
)
def test_lines_with_little_in_common_are_not_compared(old: str, new: str) -> None:
    assert "<mark>" not in render_diff(TextChange([old], [new]), "")


def test_a_line_is_compared_with_the_one_that_shares_its_words() -> None:
    change = TextChange(["  color: #eee;"], ["  width: 10em;", "  color: var(--ink);"])

    fragment = render_diff(change, "")

    assert "<span>  color: <mark>var(--ink)</mark>;</span>" in fragment
    assert "<span>  width: 10em;</span>" in fragment


def test_without_known_numbers_none_are_made_up() -> None:
    assert {(old, new) for _, old, new, _ in rows(render_diff(TextChange(["a"], ["b"]), ""))} == {
        ("", "")
    }


def test_lines_that_follow_one_another_are_one_change() -> None:
    fragment = render_diff(TextChange(["a", "b", "same", "c"], ["x", "same", "y", "z"]), "")

    changes = re.findall(r'<div class="change">(.*?</div>)</div>', fragment)
    assert [[look for look, *_ in rows(change)] for change in changes] == [
        ["d", "d", "a"],
        ["d", "a", "a"],
    ]


def test_unchanged_lines_far_from_a_change_are_folded() -> None:
    old = [str(number) for number in range(30)]

    fragment = render_diff(TextChange(old, [*old[:-1], "new"], 1, 1), "")

    assert "26 unchanged lines" in seen(fragment)
    assert fragment.index("<details") < fragment.index(">26<")


def test_of_many_lines_between_changes_those_next_to_one_are_there() -> None:
    fragment = render_gap(DiffGap([str(n) for n in range(200)], 1, 4))

    shown = rows(fragment)
    assert len(shown) == 60
    assert shown[0] == ("", "1", "4", "0")
    assert "140 lines not shown" in seen(fragment)


def test_an_edit_takes_its_numbers_from_the_clients_patch() -> None:
    patch = {
        "oldStart": 84,
        "newStart": 90,
        "lines": [" def f():", "-    a", "+    b", "     return"],
    }
    builder = (
        session()
        .user("Go")
        .tool(
            "Edit",
            {"file_path": "a.py", "old_string": "a", "new_string": "b"},
            "ok",
            structured={"structuredPatch": [patch]},
        )
    )

    assert rows(shown_by(builder) or "") == [
        ("", "84", "90", "def f():"),
        ("d", "85", "", "    a"),
        ("a", "", "91", "    b"),
        ("", "86", "92", "    return"),
    ]


def test_with_the_old_file_at_hand_the_lines_between_changes_unfold() -> None:
    lines = [f"line {number}" for number in range(1, 41)]
    hunks = [
        {"oldStart": 2, "newStart": 2, "lines": [" line 2", "-line 3", "+three", " line 4"]},
        {"oldStart": 30, "newStart": 30, "lines": [" line 30", "-line 31", " line 32"]},
    ]
    builder = (
        session()
        .user("Go")
        .tool(
            "Edit",
            {"file_path": "a.txt", "old_string": "x", "new_string": "y"},
            "ok",
            structured={"structuredPatch": hunks, "originalFile": "\n".join(lines) + "\n"},
        )
    )

    shown = rows(shown_by(builder) or "")

    assert [text for look, *_, text in shown if look != "a"] == lines
    assert shown[-1] == ("", "40", "39", "line 40")


def test_an_old_file_that_does_not_fit_is_left_alone() -> None:
    hunk = {"oldStart": 5, "newStart": 5, "lines": ["-x", "+y"]}
    builder = (
        session()
        .user("Go")
        .tool(
            "Edit",
            {"file_path": "a.txt"},
            "ok",
            structured={"structuredPatch": [hunk], "originalFile": "a\nb\nc\n"},
        )
    )

    assert rows(shown_by(builder) or "") == [("d", "5", "", "x"), ("a", "", "5", "y")]


def test_an_edit_without_a_patch_compares_what_was_given() -> None:
    given = {"file_path": "a.py", "edits": [{"old_string": "a", "new_string": "b"}] * 2}
    builder = session().user("Go").tool("MultiEdit", given, "ok", structured={})

    assert [look for look, *_ in rows(shown_by(builder) or "")] == ["d", "a", "d", "a"]


def test_a_new_file_is_lines_that_came() -> None:
    builder = (
        session().user("Go").tool("Write", {"file_path": "a.py", "content": "x = 1\ny\n"}, "ok")
    )

    fragment = shown_by(builder) or ""

    assert seen(fragment) == "1+x = 12+y"


def test_what_was_read_has_its_numbers_and_what_follows_it() -> None:
    text = "    7\tdef f():\n    8\t    pass\n\n<system-reminder>be kind</system-reminder>"
    builder = session().user("Go").tool("Read", {"file_path": "a.py"}, text)

    fragment = shown_by(builder) or ""

    assert "7def f():8    pass" in seen(fragment)
    assert "be kind" in seen(fragment)


def test_a_read_that_failed_has_no_lines() -> None:
    builder = session().user("Go").tool("Read", {"file_path": "a"}, "no such file", is_error=True)

    assert shown_by(builder) is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (["a", ""] * 900, ["", "a", "b"] * 600),
        ([""] * 1_900, ["x", ""] * 900),
        (["a b " * 240] * 30,) * 2,
    ],
)
def test_no_change_keeps_a_comparison_busy(old: list[str], new: list[str]) -> None:
    shown = rows(render_diff(TextChange(old, new, 1, 1), ""))

    assert len([1 for look, *_ in shown if look != "a"]) == len(old)
    assert len([1 for look, *_ in shown if look != "d"]) == len(new)
