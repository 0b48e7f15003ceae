"""`bough diff`: two branches side by side."""

import os
import re
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.cli.screens import objects, on_screen, one, piped

POSIX = pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")


def test_it_says_where_they_part_and_what_each_did(demo: Path) -> None:
    done = piped("diff", "3f9c", "b41f", "66d8", claude=demo)

    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[1] == 'They part after 3 turns, at "Write the plan first, no code yet" (13:31)'
    assert "○  A  left behind, tip f92c" in lines
    assert "   3 turns, 14 calls, $0.92, 22 min 1 s" in lines
    assert "   +3 \N{MINUS SIGN}0  migrations/0042_import_job.py" in lines
    assert "○  b41f  13:58  Why is the lock held so long?" in lines
    assert "○  B  left behind, tip 8c41" in lines


@POSIX
def test_a_terminal_without_unicode_gets_plain_signs(demo: Path) -> None:
    plain = {"LC_ALL": "C", "LANG": "C"}

    _, shown = on_screen("diff", "3f9c", "b41f", "66d8", claude=demo, columns=80, environ=plain)

    assert "+3 -0  migrations/0042_import_job.py" in _plain(shown)


@POSIX
@pytest.mark.parametrize("columns", [80, 140])
def test_beside_each_other_where_there_is_room(
    demo: Path, columns: int, snapshot: SnapshotAssertion
) -> None:
    code, shown = on_screen("diff", "3f9c", "b41f", "active", claude=demo, columns=columns)

    assert code == 0
    assert all(len(line) <= columns for line in _plain(shown).splitlines())
    assert shown == snapshot


def test_a_prompt_stands_for_its_turn_and_the_tip_can_be_named(demo: Path) -> None:
    by_prompts = one("diff", "3f9c", "b41f", "active", claude=demo)
    tips = one("tree", "3f9c", claude=demo)["tips"]
    assert isinstance(tips, list)

    by_tips = one("diff", "3f9c", tips[0]["uuid"], tips[2]["uuid"], claude=demo)

    assert by_prompts == by_tips


def test_without_tips_the_active_branch_is_compared_with_the_one_beside_it(demo: Path) -> None:
    listed = objects("conversations", "e9e9", claude=demo)
    other = next(row["tip"] for row in listed if not row["active"])

    assert one("diff", "e9e9", claude=demo) == one(
        "diff", "e9e9", str(other), "active", claude=demo
    )


def test_where_several_branches_are_beside_the_active_one_they_are_named(demo: Path) -> None:
    done = piped("diff", "3f9c", claude=demo)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        "Session 3f9c21d0 has 2 branches beside the active one: "
        'f92c "Use a job table instead", 8c41 "Use new click options for it". '
        "Name one; bough conversations 3f9c21d0 lists them.\n"
    )


def test_a_session_with_one_branch_has_nothing_to_compare(demo: Path) -> None:
    done = piped("diff", "840c", claude=demo)

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "Session 840c04aa has one branch. There is nothing to compare.\n"


def test_json_has_the_fields_of_the_contract(demo: Path) -> None:
    seen = one("diff", "3f9c", "b41f", "66d8", claude=demo)

    assert list(seen) == ["session", "shared", "parting", "a", "b", "only_a", "only_b", "both"]
    side = seen["a"]
    assert isinstance(side, dict)
    assert list(side) == [
        *("tip", "active", "turns", "prompts", "files", "tokens", "calls", "cost_usd"),
        *("unpriced_models", "duration_seconds"),
    ]
    assert round(side["cost_usd"], 2) == 0.92
    assert round(side["duration_seconds"]) == 22 * 60 + 1
    assert (seen["shared"], side["turns"], len(side["prompts"])) == (3, 3, 3)


@pytest.mark.parametrize("message", ["c2a9", "7d10", "b41f"])
def test_any_message_of_a_branch_that_was_left_stands_for_all_of_it(
    demo: Path, message: str
) -> None:
    seen = one("diff", "3f9c", message, "active", claude=demo)
    listed = objects("conversations", "3f9c", claude=demo)
    spent = one("usage", "branch", "--session", "3f9c", claude=demo)["rows"]

    side = seen["a"]
    assert isinstance(side, dict)
    assert isinstance(spent, list)
    assert side["turns"] == 3
    assert side["tip"] in {row["tip"] for row in listed}
    assert side["tip"] in {row["tip"] for row in spent}


def test_the_tree_names_the_active_tip_as_the_lists_of_branches_do(demo: Path) -> None:
    (active,) = [row for row in objects("conversations", "3f9c", claude=demo) if row["active"]]

    head = piped("tree", "3f9c", claude=demo).stdout.splitlines()[1]

    assert f"Active tip {str(active['tip'])[:4]}, in turn d07e: " in head


def test_one_may_go_on_where_the_other_ends(demo: Path) -> None:
    done = piped("diff", "3f9c", "e9a4", "active", claude=demo)

    assert done.stdout.splitlines()[1].startswith("One goes on where the other ends, at ")
    assert "   Nothing was said after the parting." in done.stdout.splitlines()


def test_a_branch_is_the_same_as_itself(demo: Path) -> None:
    done = piped("diff", "3f9c", "active", "active", claude=demo)

    assert done.stdout.splitlines()[1].startswith("A and B are the same, to ")


@pytest.mark.parametrize(("tip", "code"), [("zzzz", 1), ("", 2)])
def test_a_tip_that_is_none_is_said(demo: Path, tip: str, code: int) -> None:
    done = piped("diff", "3f9c", "active", tip, claude=demo)

    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.count("\n") == 1


def _plain(shown: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", shown)


def test_branches_of_two_sessions_part_where_the_fork_was_made(demo: Path) -> None:
    seen = one("diff", "3f9c", "active", "active", "--other", "7c2e", claude=demo)

    assert list(seen)[:3] == ["session", "other", "shared"]
    assert str(seen["other"]).startswith("7c2e")
    assert seen["shared"] == 7
    assert seen["parting"]["text"] == "What happens when the CSV changes between two runs?"  # type: ignore[index]
    assert [seen[side]["turns"] for side in ("a", "b")] == [2, 1]  # type: ignore[index]


def test_sessions_without_anything_in_common_are_read_from_their_start(demo: Path) -> None:
    listed = objects("sessions", claude=demo)
    other = next(
        str(row["id"]) for row in listed if not str(row["id"]).startswith(("3f9c", "7c2e"))
    )

    seen = one("diff", "3f9c", "active", "active", "--other", other, claude=demo)

    assert (seen["shared"], seen["parting"]) == (0, None)
