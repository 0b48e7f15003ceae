import pytest

from bough.sample import session
from bough.sample.data import blocks
from bough.sample.data.blocks import Json


def messages(records: list[Json]) -> list[Json]:
    found = [record["message"] for record in records if record["type"] == "assistant"]
    return [message for message in found if isinstance(message, dict)]


def outputs(records: list[Json]) -> list[object]:
    return [usage["output_tokens"] for usage in usages(records)]


def usages(records: list[Json]) -> list[Json]:
    found = [message["usage"] for message in messages(records)]
    return [usage for usage in found if isinstance(usage, dict)]


def test_a_typed_prompt_is_plain_text() -> None:
    assert session().user("hi").records()[0]["message"] == {"role": "user", "content": "hi"}


def test_a_prompt_with_an_image_is_a_list_and_counts_its_pastes() -> None:
    record = session().user([blocks.text("see"), blocks.image()]).records()[0]

    assert record["imagePasteIds"] == [1]


@pytest.mark.parametrize(
    ("version", "fields"),
    [
        ("1.0.51", set()),
        ("1.0.128", {"thinkingMetadata"}),
        ("2.0.76", {"thinkingMetadata", "todos"}),
        ("2.1.50", {"todos", "permissionMode"}),
        ("2.1.150", {"permissionMode", "promptId"}),
        ("2.1.220", {"permissionMode", "promptId", "origin", "promptSource"}),
    ],
)
def test_a_prompt_has_the_fields_of_its_client(version: str, fields: set[str]) -> None:
    record = session(version=version).user("hi").records()[0]

    changing = "thinkingMetadata todos permissionMode promptId origin promptSource"
    assert {key for key in changing.split() if key in record} == fields


def test_everything_one_prompt_causes_carries_its_id() -> None:
    builder = session().user("one").tool("Bash", {}, "x").user("two")

    ids = [record["promptId"] for record in builder.records() if record["type"] == "user"]
    assert ids[0] == ids[1] != ids[2]


def test_thinking_text_and_call_are_lines_of_one_message() -> None:
    builder = session().user("hi").thinking("hm").assistant("I look").tool("Bash", {}, "x")

    assert len({str(message["id"]) for message in messages(builder.records())}) == 1


def test_text_after_text_and_text_after_a_result_are_new_messages() -> None:
    builder = (
        session().user("hi").assistant("a").assistant("b").tool("Bash", {}, "x").assistant("c")
    )

    ids = [message["id"] for message in messages(builder.records())]
    assert ids[1] == ids[2]
    assert len({str(each) for each in ids}) == 3


def test_an_answer_after_a_rewind_is_a_new_message() -> None:
    builder = session().user("hi", name="P").thinking("hm").at("P").assistant("other")

    first, second = messages(builder.records())
    assert first["id"] != second["id"]


def test_each_block_is_a_line_of_its_own() -> None:
    builder = session().user("hi").assistant(blocks.thinking("hm"), "yes", "no")

    contents = [message["content"] for message in messages(builder.records())]
    assert [len(content) for content in contents if isinstance(content, list)] == [1, 1, 1]


def test_output_grows_over_the_lines_of_a_message_and_input_stays() -> None:
    builder = session().user("hi").thinking("long" * 40).assistant("I look").tool("Bash", {}, "x")

    grown = [count for count in outputs(builder.records()) if isinstance(count, int)]
    assert grown == sorted(grown)
    assert len(set(grown)) == 3
    assert len({str(usage["cache_read_input_tokens"]) for usage in usages(builder.records())}) == 1


def test_a_given_usage_is_whole_only_on_the_last_line() -> None:
    builder = session().user("hi").assistant("one", "two", usage={"output_tokens": 900})

    assert outputs(builder.records()) == [8, 900]


def test_what_was_said_is_read_from_the_cache_later() -> None:
    builder = session().user("word " * 400).assistant("a").user("b").assistant("c")

    first, second = usages(builder.records())
    assert second["cache_read_input_tokens"] == sum(
        count
        for key in ("cache_read_input_tokens", "cache_creation_input_tokens")
        if isinstance(count := first[key], int)
    )


def test_old_clients_leave_the_stop_reason_empty_and_new_ones_set_it_on_the_last_line() -> None:
    old = session(version="2.1.49").user("hi").assistant("a").tool("Bash", {}, "x")
    new = session(version="2.1.220").user("hi").assistant("a").tool("Bash", {}, "x")

    assert [message["stop_reason"] for message in messages(old.records())] == [None, None]
    assert [message["stop_reason"] for message in messages(new.records())] == [None, "tool_use"]


def test_thinking_without_words_is_a_signature() -> None:
    content = messages(session().user("hi").thinking().records())[0]["content"]

    assert content == [blocks.thinking("")]


def test_an_api_error_is_synthetic_and_has_no_request() -> None:
    record = session().user("hi").api_error().records()[1]

    assert record["isApiErrorMessage"] is True
    assert record["error"] == "rate_limit"
    assert "requestId" not in record
    assert messages([record])[0]["model"] == "<synthetic>"


def test_an_answer_made_up_by_the_client_is_marked_as_no_error() -> None:
    assert session().user("hi").synthetic_answer().records()[1]["isApiErrorMessage"] is False


def test_an_interrupt_is_a_list_and_names_the_message_it_broke() -> None:
    builder = session().user("hi").assistant("I th").interrupt()

    record = builder.records()[2]
    assert record["message"] == {
        "role": "user",
        "content": [{"type": "text", "text": "[Request interrupted by user]"}],
    }
    assert record["interruptedMessageId"] == messages(builder.records())[0]["id"]


def test_an_interrupt_of_a_tool_says_so() -> None:
    assert b"[Request interrupted by user for tool use]" in (
        session().user("hi").tool("Bash", {}, "x").interrupt(in_tool=True).bytes()
    )


def test_a_message_can_be_continued_after_other_lines() -> None:
    builder = session().user("hi").assistant("a").turn_duration().continue_message("b")

    first, second = messages(builder.records())
    assert first["id"] == second["id"]
    assert builder.records()[3]["parentUuid"] == builder.records()[2]["uuid"]
