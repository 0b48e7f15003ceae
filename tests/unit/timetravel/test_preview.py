from pathlib import Path

from bough.files.discover import encode_cwd
from bough.sample import session
from bough.timetravel import operations as travel
from bough.timetravel.environment import TravelEnvironment
from bough.timetravel.plan import Plan, ResumeView
from bough.timetravel.preview import (
    build_preview,
    describe_resume_view,
    render_diff,
)
from tests.unit.timetravel.making import Shelf, long_talk


def preview_text(plan: Plan) -> str:
    return "\n".join(row.text for row in build_preview(plan))


def test_a_fork_is_told_in_rows(shelf: Shelf, environment: TravelEnvironment) -> None:
    builder = long_talk(session("p")).user("five")
    builder.tool("Write", {"file_path": "/w/y.py", "content": "y"}, "ok").assistant("fifth")

    plan = travel.fork(shelf.put(builder), "two", environment=environment)

    rows = [(row.label, row.text) for row in build_preview(plan)]
    assert rows[0] == ("", f'Fork of {builder.session_id[:8]} after "two"')
    assert rows[1][0] == "Claude will see"
    assert rows[1][1].startswith("2 turns, 1")
    assert rows[2][0] == "Writes"
    assert rows[2][1].startswith("projects/-home-dev-code-orchard-shop/00000001")
    assert rows[2][1].endswith("lines, 8.2 kB, mode 0600") or "kB, mode 0600" in rows[2][1]
    assert rows[3] == ("Changes", "no existing file")
    assert rows[4] == (
        "Checked",
        "the point ends a turn; the new id is free; the planned file reads as the same 2 turns",
    )
    assert rows[5] == (
        "",
        "Files on disk stay as they are now: 2 were changed after this point.",
    )


def test_a_single_turn_is_not_counted_as_several(
    shelf: Shelf, environment: TravelEnvironment
) -> None:
    plan = travel.fork(shelf.put(long_talk(session())), "one", environment=environment)

    assert plan.checked[-1] == "the planned file reads as the same 1 turn"


def test_goto_says_how_much_is_added(shelf: Shelf, environment: TravelEnvironment) -> None:
    plan = travel.goto(shelf.put(long_talk(session())), "two", environment=environment)

    assert "2 lines added at its end" in preview_text(plan)


def test_a_diff_of_an_append_shows_the_lines_and_where(
    shelf: Shelf, environment: TravelEnvironment
) -> None:
    builder = session().user("one").assistant("first").user("two").assistant("second")
    plan = travel.goto(shelf.put(builder), "one", environment=environment)

    lines = render_diff(plan).splitlines()

    assert lines[2] == "@@ -4,0 +5,2 @@"
    assert lines[3].startswith('+{"parentUuid"')
    assert lines[4].startswith('+{"type":"last-prompt"')


def test_a_diff_of_a_new_file_shows_it_all_and_can_be_cut(
    shelf: Shelf, environment: TravelEnvironment
) -> None:
    plan = travel.fork(shelf.put(long_talk(session())), "one", environment=environment)

    lines = render_diff(plan, 40).splitlines()

    assert lines[0] == "--- /dev/null"
    assert lines[2] == "@@ -0,0 +1,4 @@"
    assert all(len(line) <= 40 for line in lines)
    assert lines[3].endswith("…")


def test_a_diff_of_a_repair_shows_only_what_changes(
    shelf: Shelf, environment: TravelEnvironment
) -> None:
    builder = long_talk(session()).amend("three", parentUuid="nowhere")
    plan = travel.repair(shelf.put(builder), in_place=True, environment=environment)

    lines = render_diff(plan).splitlines()

    assert [line[:1] for line in lines if line[:1] in "+-"].count("-") == 2
    assert sum(line.startswith("+") for line in lines) == 2


def test_a_diff_of_a_file_without_end_says_so(shelf: Shelf, environment: TravelEnvironment) -> None:
    plan = travel.repair(
        shelf.put(long_talk(session()).drop_newline()), in_place=True, environment=environment
    )

    assert "\\ No newline at end of file" in render_diff(plan)


def test_undo_of_a_fork_says_that_the_file_goes(
    shelf: Shelf, environment: TravelEnvironment
) -> None:
    travel.apply(
        travel.fork(shelf.put(long_talk(session())), "two", environment=environment), environment
    )

    plan = travel.undo(environment=environment)

    assert "removed, a copy is kept" in preview_text(plan)
    assert "the file goes" in render_diff(plan)


def test_moves_and_folders_are_named(
    shelf: Shelf, environment: TravelEnvironment, tmp_path: Path
) -> None:
    file = shelf.put(long_talk(session()))
    fork = travel.fork(file, "two", cwd=tmp_path, environment=environment)
    travel.apply(fork, environment)
    back = travel.undo(environment=environment)
    move = travel.move(file.parent, tmp_path)

    assert render_diff(fork).startswith("new folder projects/")
    assert "removed if nothing is left in it" in preview_text(back)
    assert "remove folder" in render_diff(back)
    assert render_diff(move).startswith("rename from projects/-home-dev")
    assert f"to projects/{encode_cwd(str(tmp_path))}" in preview_text(move)


def test_what_claude_sees_after_a_compaction() -> None:
    sight = ResumeView(
        turns=1, summarized=12, compactions=1, preserved=6, tokens=1_400_000, agents=2
    )

    assert describe_resume_view(sight) == (
        "1 turn, 1.40M tokens, 2 agents' answers; of 12 earlier turns a summary, 6 messages kept"
    )


def test_small_numbers_are_given_in_full() -> None:
    assert describe_resume_view(ResumeView(turns=6, tokens=900, agents=1, images=1)) == (
        "6 turns, 900 tokens, 1 agent's answer, 1 image"
    )
