"""A message gives all its blocks, in whatever form they were written."""

import json

import pytest

from bough.line import Line
from bough.records.blocks import (
    Image,
    Text,
    Thinking,
    ToolReference,
    ToolResult,
    ToolUse,
    UnknownBlock,
)
from bough.records.decode import (
    attachment_of,
    blocks_of,
    decode,
    decode_part,
    decode_plain,
    message_of,
    progress_of,
)
from bough.records.record import Record
from bough.records.types import Assistant, Attachment, CompactMetadata, Progress, User

SAID = b'{"type":"user","uuid":"a","message":{"role":"user","content":"hello"}}'


def one(raw: bytes) -> Record:
    found = decode(Line(0, 1, raw))
    assert isinstance(found, Record), found
    return found


def blocks_in(content: object, kind: str = "user") -> list[object]:
    found = one(json.dumps({"type": kind, "uuid": "u", "message": {"content": content}}).encode())
    assert isinstance(found, User | Assistant)
    return list(message_of(found).blocks)


def test_text_and_blocks_are_both_read_as_blocks() -> None:
    assert blocks_in("hello") == [Text(text="hello")]
    assert blocks_in([{"type": "text", "text": "hello"}]) == [Text(text="hello")]
    assert blocks_in(None) == []


def test_a_message_of_several_blocks_gives_them_all() -> None:
    found = blocks_in(
        [{"type": "thinking", "thinking": "", "signature": "s"}, "words"], "assistant"
    )

    assert found == [Thinking(thinking="", signature="s"), Text(text="words")]


def test_a_block_nobody_knows_is_kept_as_json_between_the_others() -> None:
    first, strange, last = blocks_in(
        [
            {"type": "text", "text": "a"},
            {"type": "of-tomorrow", "n": 1},
            {"type": "text", "text": "b"},
        ]
    )

    assert (first, last) == (Text(text="a"), Text(text="b"))
    assert isinstance(strange, UnknownBlock)
    assert strange.type == "of-tomorrow"
    assert json.loads(strange.json) == {"type": "of-tomorrow", "n": 1}


def test_a_block_that_is_one_object_instead_of_a_list_is_read() -> None:
    assert blocks_in({"type": "text", "text": "a"}) == [Text(text="a")]


@pytest.mark.parametrize("content", [7, True, [7], [None], [[]]])
def test_content_of_no_known_form_is_kept_as_json(content: object) -> None:
    (found,) = blocks_in(content)

    assert isinstance(found, UnknownBlock)


def test_a_result_with_a_wrong_flag_is_still_the_result_of_its_call() -> None:
    (found,) = blocks_in(
        [{"type": "tool_result", "tool_use_id": "t", "is_error": "yes", "content": "x"}]
    )

    assert isinstance(found, ToolResult)
    assert (found.tool_use_id, found.is_error) == ("t", None)
    assert blocks_of(found.content) == [Text(text="x")]


def test_a_call_without_a_proper_name_is_still_a_call() -> None:
    (found,) = blocks_in(
        [{"type": "tool_use", "id": "t", "name": None, "input": {"a": 1}}], "assistant"
    )

    assert isinstance(found, ToolUse)
    assert (found.id, found.name, decode_plain(found.input)) == ("t", "", {"a": 1})


def test_a_text_that_is_no_text_is_kept_as_json() -> None:
    (found,) = blocks_in([{"type": "text", "text": 5}])

    assert isinstance(found, UnknownBlock)


def test_a_message_that_is_a_plain_text_is_its_content() -> None:
    found = one(b'{"type":"user","uuid":"u","message":"hello"}')

    assert isinstance(found, User)
    assert message_of(found).content == "hello"


def test_a_record_without_a_message_has_an_empty_one() -> None:
    found = one(b'{"type":"user","uuid":"u"}')

    assert isinstance(found, User)
    assert message_of(found).blocks == []


def test_a_wrong_field_of_a_message_does_not_take_its_content_along() -> None:
    found = one(b'{"type":"assistant","message":{"id":7,"model":"m","content":"hello","usage":[]}}')

    assert isinstance(found, Assistant)
    message = message_of(found)
    assert (message.id, message.model, message.content, message.usage) == (None, "m", "hello", None)


def test_a_message_is_decoded_once() -> None:
    found = one(SAID)

    assert isinstance(found, User)
    assert message_of(found) is message_of(found)


# -- parts ----------------------------------------------------------------------------------------


def result_content(content: object) -> list[object]:
    (found,) = blocks_in([{"type": "tool_result", "tool_use_id": "t", "content": content}])
    assert isinstance(found, ToolResult)
    return list(blocks_of(found.content))


def test_the_content_of_a_result_is_text_or_blocks() -> None:
    found = result_content(
        [
            {"type": "text", "text": "a"},
            {
                "type": "image",
                "source": {"type": "base64", "media_type": "image/png", "data": "AA"},
            },
            {"type": "tool_reference", "tool_name": "Grep"},
        ]
    )

    assert result_content("plain") == [Text(text="plain")]
    assert [type(block) for block in found] == [Text, Image, ToolReference]


def test_a_result_without_content_has_no_blocks() -> None:
    (found,) = blocks_in([{"type": "tool_result", "tool_use_id": "t"}])

    assert isinstance(found, ToolResult)
    assert blocks_of(found.content) == []
    assert result_content(None) == []


def test_an_unknown_block_in_a_result_is_kept() -> None:
    text, strange = result_content(["words", {"type": "of-tomorrow"}])

    assert text == Text(text="words")
    assert isinstance(strange, UnknownBlock)


def test_progress_and_attachments_are_decoded_on_first_use() -> None:
    progress = one(b'{"type":"progress","data":{"type":"bash_progress","output":"1"}}')
    attachment = one(b'{"type":"attachment","attachment":{"type":"file","filename":"a.py"}}')

    assert isinstance(progress, Progress)
    assert isinstance(attachment, Attachment)
    assert progress_of(progress).output == "1"
    assert attachment_of(attachment).filename == "a.py"
    assert progress_of(progress) is progress_of(progress)
    assert attachment_of(attachment) is attachment_of(attachment)


def test_a_wrong_field_of_an_attachment_is_left_out_alone() -> None:
    found = one(b'{"type":"attachment","attachment":{"type":"file","filename":5,"snippet":"s"}}')

    assert isinstance(found, Attachment)
    data = attachment_of(found)
    assert (data.type, data.filename, data.snippet) == ("file", None, "s")


def test_a_part_that_is_missing_or_no_object_is_an_empty_one() -> None:
    empty = CompactMetadata()

    found = one(b'{"type":"attachment","attachment":[1]}')

    assert isinstance(found, Attachment)
    assert attachment_of(found).type == ""
    assert decode_part(found.forked_from_json, CompactMetadata) == empty


def test_plain_gives_values_and_none_where_there_are_none() -> None:
    assert decode_plain(b'{"a":[1,NaN]}') == {"a": [1, None]}
    assert decode_plain(b"") is None
    assert decode_plain(b"{broken") is None
