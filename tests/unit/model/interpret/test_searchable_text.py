"""What text a record has, by kind: the same for the index and for who reads again."""

import msgspec
import pytest

from bough.files.lines import split_lines
from bough.model.interpret.searchable_text import (
    TEXT_KINDS,
    collect_text,
    read_searchable_text,
)
from bough.records.decode import decode_lines
from bough.records.record import Record
from bough.sample import SampleSession, session
from bough.store.search_protocol import KINDS


def record_of(**fields: object) -> Record:
    (record,) = decode_lines(split_lines([msgspec.json.encode(fields) + b"\n"]))
    assert isinstance(record, Record)
    return record


def message(kind: str, *content: object, **fields: object) -> Record:
    return record_of(type=kind, uuid="u", message={"role": kind, "content": content}, **fields)


def texts(record: Record) -> dict[str, str]:
    found = read_searchable_text(record)
    return {kind: text for kind, text in zip(TEXT_KINDS, found, strict=False) if text}


def records(builder: SampleSession) -> list[Record]:
    found = decode_lines(split_lines([builder.bytes()]))
    return [record for record in found if isinstance(record, Record)]


def test_the_kinds_are_those_of_the_index() -> None:
    assert TEXT_KINDS == KINDS


def test_an_answer_has_text_thinking_and_what_its_calls_were_given() -> None:
    record = message(
        "assistant",
        {"type": "thinking", "thinking": "hm"},
        {"type": "text", "text": "one"},
        {"type": "text", "text": "two"},
        {"type": "tool_use", "id": "t", "name": "X", "input": {"a": ["b", {"c": 3}], "d": True}},
    )

    assert texts(record) == {"thinking": "hm", "text": "one\ntwo", "tool_input": "b\n3"}


def test_a_result_has_its_text_and_shows_its_image() -> None:
    inner = [{"type": "text", "text": "out"}, {"type": "image"}]
    record = message("user", {"type": "tool_result", "tool_use_id": "t", "content": inner})

    found = collect_text(record)

    assert texts(record) == {"tool_result": "out"}
    assert found is not None
    assert (found.has_image, found.results) == (True, ["out"])


def test_what_a_person_typed_is_a_prompt_and_what_a_client_typed_a_note() -> None:
    typed = message("user", {"type": "text", "text": "hello"})
    meta = message("user", {"type": "text", "text": "hello"}, isMeta=True)

    assert texts(typed) == {"prompt": "hello"}
    assert texts(meta) == {"note": "hello"}


@pytest.mark.parametrize(("mode", "kind"), [("prompt", "prompt"), ("task-notification", "note")])
def test_a_prompt_from_the_queue_is_one_unless_the_client_put_it_there(
    mode: str, kind: str
) -> None:
    data = {"type": "queued_command", "prompt": "next", "commandMode": mode}

    assert texts(record_of(type="attachment", uuid="u", attachment=data)) == {kind: "next"}


def test_a_document_is_a_note_with_its_title() -> None:
    source = {"type": "text", "data": "body"}
    record = message("user", {"type": "document", "title": "Plan", "source": source})

    assert texts(record) == {"note": "Plan\nbody"}


def test_a_record_of_another_kind_has_no_text() -> None:
    assert collect_text(record_of(type="summary", summary="x", leafUuid="y")) is None
    assert read_searchable_text(record_of(type="of-tomorrow", text="x")) == ()


def test_nothing_is_decoded_twice_for_the_index() -> None:
    builder = session().user("hi").tool("Bash", {"command": "ls"}, "files")

    found = [one for one in map(collect_text, records(builder)) if one is not None]

    assert [one.inputs for one in found if one.inputs] == [[{"command": "ls"}]]
    assert [one.results for one in found if one.results] == [["files"]]
