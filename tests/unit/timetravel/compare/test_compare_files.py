"""What two branches left of a file, told from the records alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.sample import SampleSession, session
from bough.timetravel.compare.compare_files import FileDifference, find_file_differences
from bough.timetravel.plans.content_digest import parse_session

PATH = "/w/reader.py"
OLD = "one\ntwo\nthree\n"


def parted() -> SampleSession:
    builder = session().user("start", name="start").assistant("ok", name="ok")
    return builder.user("way a", name="a")


def write(builder: SampleSession, text: str, path: str = PATH) -> SampleSession:
    return builder.tool("Write", {"file_path": path, "content": text}, "done")


def edit(builder: SampleSession, old: str, new: str, **structured: object) -> SampleSession:
    change = {"file_path": PATH, "old_string": old, "new_string": new}
    return builder.tool("Edit", change, "done", structured=structured)


def differences(builder: SampleSession) -> list[FileDifference]:
    builder.assistant("end", name="end")
    return find_file_differences(
        parse_session(builder.bytes(), "s"), builder.uuid("tip a"), builder.uuid("end")
    )


def lines(found: FileDifference) -> list[str]:
    return [line for hunk in found.hunks for line in hunk.lines]


def test_what_both_wrote_is_compared_from_a_to_b() -> None:
    builder = write(parted(), "one\ntwo\n").assistant("a done", name="tip a")
    write(builder.at("ok").user("way b"), "one\n2\n")

    (found,) = differences(builder)

    assert (found.by_a, found.by_b, found.differs) == (True, True, True)
    assert lines(found) == [" one", "-two", "+2"]


def test_files_that_both_left_alike_do_not_differ() -> None:
    builder = write(parted(), "one\n").assistant("a done", name="tip a")
    write(builder.at("ok").user("way b"), "one\n")

    (found,) = differences(builder)

    assert (found.differs, found.hunks) == (False, ())


def test_an_edit_is_carried_out_on_the_copy_that_the_client_kept() -> None:
    builder = edit(parted(), "two", "2", originalFile=OLD).assistant("a done", name="tip a")
    edit(builder.at("ok").user("way b"), "three", "3", originalFile=OLD)

    (found,) = differences(builder)

    assert lines(found) == [" one", "-2", "-three", "+two", "+3"]


def test_without_a_copy_an_edit_is_carried_out_on_what_was_written_before_they_parted() -> None:
    builder = session().user("start", name="start")
    write(builder, OLD).assistant("ok", name="ok").user("way a")
    edit(builder, "two", "2").assistant("a done", name="tip a")
    builder.at("ok").user("way b")

    (found,) = differences(builder)

    assert (found.by_a, found.by_b) == (True, False)
    assert lines(found) == [" one", "-two", "+2", " three"]


def test_a_file_of_one_branch_is_compared_with_what_was_there() -> None:
    builder = parted().assistant("a done", name="tip a")
    write(builder.at("ok").user("way b"), "new\n", "/w/new.py")

    (found,) = differences(builder)

    assert (found.path, found.by_a, found.by_b, found.differs) == ("/w/new.py", False, True, True)
    assert lines(found) == ["+new"]


def test_without_any_copy_the_changes_alone_are_told() -> None:
    hunk = {"oldStart": 7, "newStart": 7, "lines": ["-two", "+2"]}
    builder = edit(parted(), "two", "2", structuredPatch=[hunk]).assistant("a done", name="tip a")
    write(builder.at("ok").user("way b"), OLD)

    (found,) = differences(builder)

    assert (found.differs, found.hunks) == (None, ())
    assert [(h.old_start, h.lines) for h in found.a] == [(7, ["-two", "+2"])]
    assert [h.lines for h in found.b] == [["+one", "+two", "+three"]]


def test_what_a_person_changed_in_an_edit_is_taken_from_the_patch() -> None:
    hunk = {"oldStart": 2, "newStart": 2, "lines": ["-two", "+zwei"]}
    kept = {"originalFile": OLD, "userModified": True, "structuredPatch": [hunk]}
    builder = edit(parted(), "two", "2", **kept).assistant("a done", name="tip a")
    builder.at("ok").user("way b")

    (found,) = differences(builder)

    assert lines(found) == [" one", "-two", "+zwei", " three"]


def test_a_patch_of_another_text_tells_nothing() -> None:
    hunk = {"oldStart": 2, "newStart": 2, "lines": ["-vier", "+zwei"]}
    kept = {"originalFile": OLD, "userModified": True, "structuredPatch": [hunk]}
    builder = edit(parted(), "two", "2", **kept).assistant("a done", name="tip a")
    builder.at("ok").user("way b")

    (found,) = differences(builder)

    assert found.differs is None


@pytest.mark.parametrize("answer", ["no", None])
def test_a_write_that_failed_or_has_no_result_left_nothing(answer: str | None) -> None:
    builder = parted()
    builder.tool("Write", {"file_path": PATH, "content": "x"}, answer, is_error=answer is not None)
    builder.assistant("a done", name="tip a").at("ok").user("way b")

    assert differences(builder) == []


def test_edits_of_one_call_are_carried_out_in_order() -> None:
    edits = [
        {"old_string": "one", "new_string": "1"},
        {"old_string": "1", "new_string": "eins", "replace_all": True},
    ]
    builder = parted()
    kept = {"originalFileContents": OLD}
    builder.tool("MultiEdit", {"file_path": PATH, "edits": edits}, "done", structured=kept)
    builder.assistant("a done", name="tip a").at("ok").user("way b")

    (found,) = differences(builder)

    assert lines(found) == ["-one", "+eins", " two", " three"]


def test_a_copy_of_the_replaced_words_alone_is_no_copy_of_the_file() -> None:
    builder = write(parted(), OLD)
    edit(builder, "two", "2", originalFile="two").assistant("a done", name="tip a")
    builder.at("ok").user("way b")

    (found,) = differences(builder)

    assert lines(found) == ["+one", "+2", "+three"]


_TEXTS = st.lists(st.sampled_from(["a", "b", "", "c d"]), max_size=8).map("\n".join)


@given(_TEXTS, _TEXTS)
def test_a_difference_has_exactly_the_lines_that_go_and_come(old: str, new: str) -> None:
    builder = write(parted(), old).assistant("a done", name="tip a")
    write(builder.at("ok").user("way b"), new)

    (found,) = differences(builder)

    told = lines(found)
    gone = sum(line.startswith("-") for line in told)
    came = sum(line.startswith("+") for line in told)
    assert came - gone == len(new.splitlines()) - len(old.splitlines())
    assert bool(told) == found.differs == (old.splitlines() != new.splitlines())
