"""Tools (rule 4): results join their call by id; large outputs are found where they lie."""

import msgspec
import pytest
from msgspec import Raw

from bough.model.tools.calls import CallResult, collect_results, input_of
from bough.sample import SampleCall, SampleSession, session
from bough.sample.data.blocks import (
    document,
    draw_png,
    image,
    pdf,
    text,
    tool_reference,
    tool_result,
)
from tests.unit.model.opened import calls, opened, told


def results(builder: SampleSession) -> list[CallResult | None]:
    return [block.result for message in told(builder) for block in calls(message)]


def result(builder: SampleSession) -> CallResult:
    (found,) = results(builder)
    assert found is not None
    return found


def test_results_join_their_calls_by_id_and_not_by_path() -> None:
    builder = session().user("go")
    builder.tools(
        SampleCall(tool="Read", given={"file_path": "a"}, result="one"),
        SampleCall(tool="Read", given={"file_path": "b"}, result="two"),
        SampleCall(tool="Read", given={"file_path": "c"}, result="three"),
        order=(2, 0, 1),
    ).assistant("done")

    shown = [
        (block.input["file_path"], block.result)
        for message in told(builder)
        for block in calls(message)
    ]

    assert [(path, found.text) for path, found in shown if found] == [
        ("a", "one"),
        ("b", "two"),
        ("c", "three"),
    ]


def test_a_result_may_hang_anywhere() -> None:
    builder = session().user("go", name="P")
    first = builder.ask(SampleCall(tool="Bash", given={}))
    builder.reply(first, SampleCall(tool="Bash", given={}, result="out"), under="P").assistant(
        "done"
    )

    assert result(builder).text == "out"


def test_a_call_without_a_result_is_shown_without_one() -> None:
    builder = (
        session().user("go").tool("Bash", {"command": "sleep 9"}, None).interrupt(in_tool=True)
    )

    assert results(builder) == [None]


def test_a_result_without_its_call_is_shown_under_no_name() -> None:
    builder = (
        session().user("go").user_record([tool_result("toolu_lost", "found it")]).assistant("done")
    )

    (block,) = (block for message in told(builder) for block in calls(message))

    assert (block.id, block.name, block.input) == ("toolu_lost", "", None)
    assert block.result is not None
    assert block.result.text == "found it"


def test_every_result_of_one_call_is_shown() -> None:
    builder = session().user("go")
    call = builder.ask(SampleCall(tool="Bash", given={}))
    builder.reply(call, SampleCall(tool="Bash", given={}, result="interrupted", is_error=True))
    builder.reply(call, SampleCall(tool="Bash", given={}, result="done after all"))

    assert [found.text for found in results(builder) if found] == ["interrupted", "done after all"]


def test_a_call_written_twice_under_other_times_is_shown_once() -> None:
    builder = session().user("go", name="P").tool("Bash", {}, "out", name="T")
    builder.again("T", uuid="other", timestamp="2026-01-05T10:00:00.000Z").assistant("done")

    assert [found.text for found in results(builder) if found] == ["out"]


def test_an_error_is_one_only_where_it_says_so() -> None:
    fine = session().user("go").tool("Bash", {}, "ok")
    failed = session().user("go").tool("Bash", {}, "no", is_error=True)
    silent = session().user("go").tool("Read", {}, "ok")

    assert [result(builder).is_error for builder in (fine, failed, silent)] == [False, True, False]


def test_text_and_pictures_of_a_result_are_told_apart() -> None:
    parts = [text("first"), image(draw_png()), text("second"), tool_reference("WebSearch")]
    builder = session().user("go").tool("Read", {}, parts)

    found = result(builder)

    assert found.text == "first\nsecond\nTool found: WebSearch"
    (picture,) = found.images
    assert picture.media_type == "image/png"
    assert abs(picture.size - len(draw_png())) < 3


def test_a_picture_knows_the_line_that_holds_its_bytes() -> None:
    builder = session().user("go").tool("Read", {}, [image()], name="T")
    offset = sum(map(len, builder.lines()[:-1]))

    assert result(builder).images[0].offset == offset


def test_content_may_be_missing_or_hold_what_nobody_knows() -> None:
    nothing = session().user("go")
    nothing.user_record([tool_result(nothing.ask(SampleCall(tool="Bash", given={})), None)])
    strange = session().user("go").tool("X", {}, [{"type": "hologram", "beam": 1}])
    paper = session().user("go").tool("X", {}, [document("words", "A title")])
    sealed = session().user("go").tool("X", {}, [pdf(), {"type": "document"}])
    blind = session().user("go").tool("X", {}, [{"type": "image"}])

    assert result(nothing).text == ""
    assert result(strange).text == '{"type":"hologram","beam":1}'
    assert result(paper).text == "A title\nwords"
    assert result(sealed).text == "Document (application/pdf)\nDocument (document)"
    assert [picture.media_type for picture in result(blind).images] == [""]


def test_the_clients_own_copy_of_a_result_is_kept_as_json() -> None:
    structured = result(session().user("go").tool("Bash", {}, "ok")).structured

    assert structured is not None
    assert msgspec.json.decode(structured)["stdout"] == "ok"


@pytest.mark.parametrize("copy", ["Error: no", ["mcp"], {"stdout": "other words"}, None])
def test_the_message_is_the_truth_and_not_its_structured_copy(copy: object) -> None:
    builder = session().user("go").tool("Bash", {}, "the output", structured=copy)

    assert result(builder).text == "the output"


# -- large outputs ------------------------------------------------------------------------------


def test_a_kept_output_is_found_by_the_last_three_parts_of_its_path() -> None:
    builder = session().user("go").big_result("Bash", {}, "x" * 40_000)
    (place,) = builder.companions

    assert result(builder).persisted == place


def test_a_path_of_another_system_is_understood() -> None:
    builder = session(cwd="C:\\Users\\dev\\tide").user("go").big_result("Bash", {}, "x" * 40_000)
    (place,) = builder.companions
    record = builder.records()[-1]
    windows = msgspec.json.encode(record).replace(b"/tool-results/", b"\\\\tool-results\\\\")
    builder.entries[-1].body = windows

    assert result(builder).persisted == place


def test_the_structured_copy_may_say_where_an_output_is_kept() -> None:
    builder = session()
    builder.companions[f"{builder.session_id}/tool-results/b1.txt"] = b"all of it"
    kept = f"C:\\Users\\A B\\.claude\\projects\\p\\{builder.session_id}\\tool-results\\b1.txt"
    builder.user("go").tool(
        "Bash", {}, "<persisted-output>\nToo large.", structured={"persistedOutputPath": kept}
    )

    assert result(builder).persisted == f"{builder.session_id}/tool-results/b1.txt"


def test_a_path_with_spaces_is_read_to_its_end() -> None:
    builder = session()
    builder.companions[f"{builder.session_id}/tool-results/mcp my server.txt"] = b"all of it"
    words = (
        "<persisted-output>\nOutput too large (1KB). Full output saved to: "
        f"/Users/A B/.claude/projects/p/{builder.session_id}/tool-results/"
        "mcp my server.txt\n\nPreview"
    )
    builder.user("go").tool("mcp__x", {}, words)

    assert result(builder).persisted == f"{builder.session_id}/tool-results/mcp my server.txt"


def test_an_output_of_another_name_for_the_session_is_looked_for_in_the_own_folder() -> None:
    builder = session().user("go").big_result("Bash", {}, "x" * 40_000)
    (place,) = builder.companions
    body = msgspec.json.encode(builder.records()[-1])
    builder.entries[-1].body = body.replace(
        builder.session_id.encode() + b"/tool", b"moved-away/tool"
    )

    assert result(builder).persisted == place


def test_an_output_whose_file_is_gone_is_kept_nowhere() -> None:
    builder = session().user("go").big_result("Bash", {}, "x" * 40_000)
    builder.companions.clear()

    found = result(builder)

    assert found.persisted is None
    assert "Full output saved to" in found.text


def test_only_a_moved_output_is_looked_for() -> None:
    builder = session()
    place = f"{builder.session_id}/tool-results/b1.txt"
    builder.companions[place] = b"all of it"
    quoted = session()
    quoted.companions = builder.companions
    builder.user("go").tool("Bash", {}, f"saved to: /x/{place}")
    quoted.user("go").tool("Bash", {}, f"<persisted-output>\nLost.\n\nPreview\n: /x/{place}")

    assert result(builder).persisted is None
    assert result(quoted).persisted is None


# -- input ---------------------------------------------------------------------------------------


def test_input_is_given_as_plain_values() -> None:
    assert input_of(Raw(b'{"command":"ls","n":[1,2]}')) == {"command": "ls", "n": [1, 2]}
    assert input_of(Raw(b"")) is None


def test_input_nested_beyond_all_sense_is_given_as_json() -> None:
    deep = b"[" * 500 + b"]" * 500

    assert input_of(Raw(deep)) == deep.decode()


def test_brackets_inside_strings_are_no_nesting() -> None:
    code = {"content": 'if (a) { b[0] = "\\" + c; }\n' * 200}

    assert input_of(Raw(msgspec.json.encode(code))) == code


def test_calls_and_results_of_a_tree_are_collected() -> None:
    builder = (
        session().user("go").tool("Bash", {}, "a").user_record([tool_result("toolu_lost", "b")])
    )

    found = collect_results(opened(builder).tree)

    assert len(found.call_ids) == 1
    assert set(found.by_call) == found.call_ids | {"toolu_lost"}
