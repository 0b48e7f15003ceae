"""Any bytes are read; nothing is lost, and only what offends is left out."""

import json
import sys
from collections.abc import Sequence
from types import FrameType

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bough.files.lines import split_lines
from bough.line import Line
from bough.records.blocks import (
    Text,
    ToolResult,
    ToolUse,
)
from bough.records.decode import (
    attachment_of,
    blocks_of,
    decode,
    decode_lines,
    decode_plain,
    message_of,
    progress_of,
)
from bough.records.record import BadLine, Record
from bough.records.tolerant import DEPTH
from bough.records.types import (
    KINDS,
    Assistant,
    Attachment,
    LastPrompt,
    Progress,
    QueueOperation,
    System,
    Unknown,
    User,
    kind_of,
)
from bough.sample import session

SAID = b'{"type":"user","uuid":"a","message":{"role":"user","content":"hello"}}'
QUEUED = b'{"type":"queue-operation","operation":"enqueue","content":"next"}'


def read(raw: bytes, offset: int = 0) -> list[Record | BadLine]:
    return list(decode_lines(split_lines([raw], offset)))


def one(raw: bytes) -> Record:
    (found,) = read(raw)
    assert isinstance(found, Record), found
    return found


def bad(raw: bytes) -> BadLine:
    (found,) = read(raw)
    assert isinstance(found, BadLine), found
    return found


def joined(found: Sequence[Record | BadLine]) -> bytes:
    return b"".join(item.raw for item in found)


def look_inside(item: Record | BadLine) -> None:
    """Ask for everything that is decoded on first use."""
    match item:
        case User() | Assistant():
            for block in message_of(item).blocks:
                if isinstance(block, ToolResult):
                    blocks_of(block.content)
                elif isinstance(block, ToolUse):
                    decode_plain(block.input)
        case Progress():
            progress_of(item)
        case Attachment():
            attachment_of(item)
        case System():
            decode_plain(item.content_json)
        case _:
            pass


# -- any bytes ------------------------------------------------------------------------------------


def sample_lines() -> list[bytes]:
    builder = session().user("Where is it?").thinking("hm").assistant("Here.")
    builder.tool("Bash", {"command": "ls"}, "a.py").attachment("file").compact(keep=2)
    builder.hook("Stop", "lint").turn_duration().last_prompt("x", 1).queue("enqueue", "later")
    builder.change(version="2.1.50").progress("bash_progress", {"output": "1"})
    return builder.snapshot().ai_title("Where").lines()


LINES = sample_lines()

odd_bytes = st.one_of(
    st.binary(max_size=8),
    st.sampled_from(
        [
            *(b"\xff", b"\xc3", b"\xed\xa0\x80", b"\0", b"\n", b"\r\n", b"}{", b'"', b"{}"),
            *(b"\\ud800", b"NaN", b"1e999", b"-Infinity", b"9" * 5000, b"[" * 2000, b"null"),
            *(b"1.0", b'{"type":"user"}'),
        ]
    ),
)


@st.composite
def spoiled_lines(draw: st.DrawFn) -> bytes:
    """Take a line a client could have written, and put something odd in some places."""
    raw = draw(st.sampled_from(LINES))
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(raw)))
        end = min(len(raw), start + draw(st.integers(0, 12)))
        raw = raw[:start] + draw(odd_bytes) + raw[end:]
    return raw


@given(st.binary())
@example(b"\xef\xbb\xbf")
@example(b"{}{}")
@example(b'{"type":"user"')
def test_any_bytes_are_read_and_joined_give_the_bytes_back(raw: bytes) -> None:
    found = read(raw)

    assert joined(found) == raw


@given(spoiled_lines())
def test_a_spoiled_line_is_read_whatever_is_wrong_with_it(raw: bytes) -> None:
    found = read(raw)

    for item in found:
        look_inside(item)
    assert joined(found) == raw


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
FIELDS = (
    *("uuid", "parentUuid", "timestamp", "isSidechain", "version", "cwd", "message"),
    *("toolUseResult", "isMeta", "subtype", "content", "compactMetadata", "hookInfos"),
    *("durationMs", "data", "attachment", "leafUuid", "operation", "snapshot"),
    *("prNumber", "explicit", "isCompactSummary", "requestId", "error"),
)


@given(
    st.sampled_from([*KINDS, "of-tomorrow"]), st.dictionaries(st.sampled_from(FIELDS), json_values)
)
def test_no_value_of_any_field_stops_the_reading_of_its_record(
    kind: str, fields: dict[str, object]
) -> None:
    raw = json.dumps({"type": kind} | fields).encode() + b"\n"

    found = one(raw)

    look_inside(found)
    assert kind_of(found) == kind
    if isinstance(fields.get("uuid"), str) and "\ud800" not in raw.decode():
        assert found.uuid is not None


@given(st.lists(st.sampled_from(LINES)), st.data())
def test_a_file_read_by_appends_gives_the_records_of_the_file_read_whole(
    lines: list[bytes], data: st.DataObject
) -> None:
    raw = b"".join(lines) + data.draw(st.sampled_from([b"", b'{"type":"user"', SAID]))
    cuts = data.draw(st.lists(st.integers(0, len(raw)), max_size=6).map(sorted))

    found: list[Record | BadLine] = []
    taken, number = 0, 1
    for cut in [*cuts, len(raw)]:
        ended = [line for line in split_lines([raw[taken:cut]], taken, number) if line.ended]
        found += decode_lines(ended)
        taken += sum(len(line.raw) for line in ended)
        number += len(ended)
    found += decode_lines(split_lines([raw[taken:]], taken, number))

    assert [as_values(item) for item in found] == [as_values(item) for item in read(raw)]


def as_values(item: Record | BadLine) -> tuple[object, ...]:
    return (type(item), item.offset, item.number, item.raw)


# -- lines ----------------------------------------------------------------------------------------


def test_a_record_knows_its_bytes_its_offset_and_its_line() -> None:
    first, second = read(QUEUED + b"\n" + SAID + b"\n")

    assert (first.offset, first.number, first.raw) == (0, 1, QUEUED + b"\n")
    assert (second.offset, second.number, second.raw) == (len(QUEUED) + 1, 2, SAID + b"\n")


def test_a_whole_record_without_a_newline_is_a_record() -> None:
    assert one(SAID).uuid == "a"


def test_a_line_that_breaks_off_is_torn() -> None:
    found = bad(SAID[:-5])

    assert found.torn
    assert found.reason == (
        "torn: the line has no end (not valid JSON: Unterminated string starting at character 62)"
    )


def test_a_broken_line_with_an_end_is_bad_but_not_torn() -> None:
    found = bad(b"// a comment\n")

    assert not found.torn
    assert found.reason == "not valid JSON: Expecting value at character 1"


def test_a_record_torn_in_two_is_two_bad_lines() -> None:
    whole = session().user("one").user("two").split().bytes()

    found = read(whole)

    assert [type(item) for item in found] == [User, BadLine, BadLine]
    assert joined(found) == whole


@pytest.mark.parametrize("raw", [b"\n", b"\r\n", b"  \t\n", b"\xef\xbb\xbf\n"])
def test_an_empty_line_is_blank_and_no_complaint(raw: bytes) -> None:
    found = bad(raw)

    assert found.blank
    assert not found.torn


def test_zero_bytes_are_told_as_what_they_are() -> None:
    assert bad(b"\0" * 40 + b"\n").reason == "NUL bytes, as a crash of the machine leaves them"


def test_a_carriage_return_before_the_newline_stays_in_the_raw_bytes() -> None:
    assert one(SAID + b"\r\n").raw == SAID + b"\r\n"


def test_a_byte_order_mark_before_the_first_record_is_passed_over() -> None:
    assert one(b"\xef\xbb\xbf" + SAID + b"\n").uuid == "a"


def test_a_byte_order_mark_further_down_spoils_its_line() -> None:
    found = read(b"\xef\xbb\xbf12\n", offset=100)

    assert isinstance(found[0], BadLine)


@pytest.mark.parametrize("raw", [b"12\n", b'"text"\n', b"[]\n", b"null\n", b"true\n"])
def test_json_that_is_no_object_is_no_record(raw: bytes) -> None:
    assert bad(raw).reason == "not a JSON object"


# -- several records on one line ------------------------------------------------------------------


def test_glued_records_are_taken_apart_and_offsets_tell_them() -> None:
    found = read(SAID + QUEUED + b"\n")

    assert [type(item) for item in found] == [User, QueueOperation]
    assert [item.offset for item in found] == [0, len(SAID)]
    assert {item.number for item in found} == {1}
    assert joined(found) == SAID + QUEUED + b"\n"


def test_glued_records_with_spaces_between_begin_at_their_brace() -> None:
    first, second = read(SAID + b" \t" + QUEUED + b"\r\n", offset=10)

    assert second.offset == 10 + len(SAID) + 2
    assert first.raw == SAID + b" \t"


def test_glued_records_of_unknown_kinds_are_kept_too() -> None:
    found = read(b'{"type":"x"}{"type":"y"}\n')

    assert [kind_of(item) for item in found if isinstance(item, Record)] == ["x", "y"]


def test_text_beyond_ascii_does_not_shift_glued_records() -> None:
    spoken = '{"type":"user","uuid":"é","message":{"content":"日本\x85\xa0"}}'.encode()

    _, second = read(spoken + QUEUED + b"\n")

    assert second.offset == len(spoken)
    assert second.raw == QUEUED + b"\n"


def test_a_byte_order_mark_does_not_hide_glued_records() -> None:
    found = read(b"\xef\xbb\xbf" + SAID + QUEUED + b"\n")

    assert [type(item) for item in found] == [User, QueueOperation]


def test_a_record_written_behind_a_torn_one_is_not_lost() -> None:
    torn = SAID[:-9]

    found = read(torn + QUEUED + b"\n")

    assert [type(item) for item in found] == [BadLine, QueueOperation]
    assert found[0].raw == torn
    assert found[1].offset == len(torn)


def test_a_record_written_behind_zero_bytes_is_not_lost() -> None:
    found = read(b"\0" * 8 + SAID + b"\n")

    assert [type(item) for item in found] == [BadLine, User]


def test_a_record_that_is_followed_by_a_torn_one_is_not_lost() -> None:
    found = read(SAID + QUEUED[:-5])

    assert [type(item) for item in found] == [User, BadLine]
    assert isinstance(found[1], BadLine)
    assert found[1].torn


def test_the_tail_of_a_torn_record_is_not_taken_for_a_record() -> None:
    tail = b'ello"}},"toolUseResult":{"type":"text","file":{"type":"user"}}}\n'

    assert bad(tail).raw == tail


def test_a_record_written_behind_one_torn_after_a_whole_block_is_not_lost() -> None:
    torn = b'{"type":"user","message":{"content":[{"type":"text","text":"a"}'

    found = read(torn + QUEUED + b"\n")

    assert [type(item) for item in found] == [BadLine, QueueOperation]
    assert found[0].raw == torn


@pytest.mark.parametrize(
    "raw",
    [
        b"X" + b'{"type":"x"}' * 20_000 + b"garbage",
        b"X" + b'{"type":' * 20_000,
        b"X" + b'{"type":"' * 20_000,
        b"X" + b'{"type":1,' * 20_000,
        b"X" + b'{"type":"x","a":[' * 500 + b"1," * 50_000,
        b"X" + b'{"type":"x"} {"type":"y","b":[}' * 6_000,
    ],
    ids=["a row", "nests", "texts", "fields", "lists", "pairs"],
)
def test_a_broken_line_is_looked_through_a_few_times_only(raw: bytes) -> None:
    looked = 0

    def count(frame: FrameType, event: str, _: object) -> None:
        nonlocal looked
        looked += event == "call" and frame.f_code.co_name == "_scan_objects"

    sys.setprofile(count)
    try:
        found = read(raw)
    finally:
        sys.setprofile(None)

    assert joined(found) == raw
    assert looked < 4_000


def test_rubbish_with_an_object_in_it_stays_one_bad_line() -> None:
    assert bad(b'{"a":1} and more\n').raw == b'{"a":1} and more\n'


def test_a_hundred_thousand_records_on_one_line_are_read_in_one_go() -> None:
    raw = b"{}" * 100_000 + b"\n"

    found = read(raw)

    assert len(found) == 100_000
    assert found[-1].offset == len(raw) - 3


# -- kinds ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_a_class_and_is_told_by_its_type(kind: str) -> None:
    found = one(json.dumps({"zeta": 1, "type": kind, "sessionId": "s"}).encode())

    assert type(found) is KINDS[kind]
    assert kind_of(found) == kind
    assert found.session_id == "s"


def test_a_kind_nobody_knows_is_kept_with_its_envelope() -> None:
    raw = b'{"type":"of-tomorrow","uuid":"u","parentUuid":"p","timestamp":"t","more":[1]}\n'

    found = one(raw)

    assert isinstance(found, Unknown)
    assert (found.type, found.uuid, found.parent_uuid, found.timestamp) == (
        "of-tomorrow",
        "u",
        "p",
        "t",
    )
    assert found.raw == raw


@pytest.mark.parametrize("raw", [b"{}", b'{"type":null}', b'{"type":7,"uuid":"u"}'])
def test_an_object_without_a_type_is_unknown(raw: bytes) -> None:
    found = one(raw)

    assert isinstance(found, Unknown)
    assert found.type == ""


def test_fields_nobody_knows_do_not_disturb() -> None:
    assert one(SAID[:-1] + b',"ofTomorrow":{"deep":[1,2,{"a":null}]}}').uuid == "a"


def test_the_clients_cannot_write_what_is_ours() -> None:
    raw = b'{"type":"user","~offset":7,"~raw":"x","~body":1,"~number":9,"message":{}}'

    found = one(raw)

    assert (found.offset, found.number, found.raw, found.body) == (0, 1, raw, None)


# -- what msgspec refuses -------------------------------------------------------------------------


def test_a_field_of_another_type_is_left_out_and_the_rest_is_kept() -> None:
    found = one(b'{"type":"user","uuid":"u","parentUuid":5,"isMeta":"yes","cwd":"/x"}')

    assert isinstance(found, User)
    assert (found.uuid, found.parent_uuid, found.is_meta, found.cwd) == ("u", None, False, "/x")


def test_inside_an_object_only_the_wrong_field_is_left_out() -> None:
    metadata = (
        b'{"trigger":"auto","preTokens":"many","preservedSegment":{"tailUuid":"t","headUuid":1}}'
    )

    found = one(b'{"type":"system","uuid":"u","compactMetadata":' + metadata + b"}")

    assert isinstance(found, System)
    assert found.compact_metadata is not None
    assert found.compact_metadata.trigger == "auto"
    assert found.compact_metadata.pre_tokens is None
    assert found.compact_metadata.preserved_segment is not None
    assert found.compact_metadata.preserved_segment.tail_uuid == "t"


def test_inside_a_list_only_the_wrong_item_is_left_out() -> None:
    infos = b'[{"command":"lint","durationMs":"long"},7,{"command":"test","durationMs":3}]'

    found = one(b'{"type":"system","uuid":"u","hookInfos":' + infos + b"}")

    assert isinstance(found, System)
    assert found.hook_infos is not None
    assert [(info.command, info.duration_ms) for info in found.hook_infos] == [
        ("lint", None),
        ("test", 3),
    ]


def test_a_lone_surrogate_is_replaced_where_it_stands() -> None:
    found = one(rb'{"type":"last-prompt","lastPrompt":"a\ud800b","leafUuid":"u"}')

    assert isinstance(found, LastPrompt)
    assert found.last_prompt == "a\N{REPLACEMENT CHARACTER}b"
    assert found.leaf_uuid == "u"


def test_a_lone_surrogate_in_a_message_spoils_one_character() -> None:
    found = one(rb'{"type":"user","uuid":"u","message":{"content":"a\udfffb"}}')

    assert isinstance(found, User)
    assert message_of(found).content == "a\N{REPLACEMENT CHARACTER}b"


def test_a_pair_of_surrogates_is_one_character() -> None:
    found = one(rb'{"type":"user","uuid":"u","message":{"content":"\ud83c\udf33"}}')

    assert isinstance(found, User)
    assert message_of(found).content == "\N{DECIDUOUS TREE}"


def test_bad_utf_8_in_the_envelope_spoils_one_character() -> None:
    found = one(b'{"type":"user","uuid":"u","cwd":"/a\xff"}')

    assert found.cwd == "/a\N{REPLACEMENT CHARACTER}"


def test_bad_utf_8_in_a_message_spoils_one_character() -> None:
    found = one(b'{"type":"user","uuid":"u","message":{"content":"a\xff"}}')

    assert isinstance(found, User)
    assert message_of(found).content == "a\N{REPLACEMENT CHARACTER}"


@pytest.mark.parametrize("number", [b"NaN", b"-Infinity", b"1e999", b"9" * 400, b"-" + b"9" * 5000])
def test_a_number_out_of_range_is_left_out(number: bytes) -> None:
    found = one(
        b'{"type":"system","uuid":"u","subtype":"turn_duration","durationMs":' + number + b"}"
    )

    assert isinstance(found, System)
    assert (found.uuid, found.duration_ms) == ("u", None)


def test_a_large_number_stays_a_number() -> None:
    found = one(b'{"type":"system","durationMs":' + b"9" * 30 + b"}")

    assert isinstance(found, System)
    assert found.duration_ms == pytest.approx(1e30)


def test_token_counts_that_no_store_can_hold_are_left_out() -> None:
    usage = b'{"input_tokens":' + b"9" * 30 + b',"output_tokens":4}'

    found = one(b'{"type":"assistant","uuid":"u","message":{"usage":' + usage + b"}}")

    assert isinstance(found, Assistant)
    counted = message_of(found).usage
    assert counted is not None
    assert (counted.input_tokens, counted.output_tokens) == (None, 4)


def test_a_raw_tab_inside_a_text_is_read() -> None:
    assert one(b'{"type":"user","uuid":"u","cwd":"a\tb"}').cwd == "a\tb"


# -- deep nesting ---------------------------------------------------------------------------------


def nested(depth: int) -> bytes:
    return b"[" * depth + b"]" * depth


@pytest.mark.parametrize("depth", [DEPTH + 1, 900, 100_000])
def test_what_is_nested_too_deep_is_cut_off_and_its_record_kept(depth: int) -> None:
    raw = b'{"type":"user","uuid":"u","more":' + nested(depth) + b',"cwd":"/x"}\n'

    found = one(raw)

    assert (found.uuid, found.cwd, found.raw) == ("u", "/x", raw)


@pytest.mark.parametrize("depth", [DEPTH + 1, 900, 100_000])
def test_a_message_with_something_nested_too_deep_keeps_its_words(depth: int) -> None:
    call = b'{"type":"tool_use","id":"t","name":"Bash","input":{"a":' + nested(depth) + b"}}"
    blocks = b'[{"type":"text","text":"hello"},' + call + b"]"

    found = one(b'{"type":"assistant","uuid":"u","message":{"content":' + blocks + b"}}")

    assert isinstance(found, Assistant)
    text, use = message_of(found).blocks
    assert isinstance(text, Text)
    assert isinstance(use, ToolUse)
    assert (text.text, use.id, list(decode_plain(use.input))) == ("hello", "t", ["a"])


@pytest.mark.parametrize("depth", [900, 100_000])
def test_a_list_of_lists_is_no_record(depth: int) -> None:
    assert bad(nested(depth) + b"\n").reason == "not a JSON object"


def test_brackets_that_never_close_are_a_bad_line() -> None:
    assert bad(b'{"type":"user","a":' * 100_000).torn


def test_plain_values_are_never_nested_deeper_than_the_limit() -> None:
    value = decode_plain(nested(900))

    depth = 0
    while value:
        (value,) = value
        depth += 1
    assert depth == DEPTH


def test_decode_leaves_glued_records_to_records() -> None:
    assert isinstance(decode(Line(0, 1, SAID + SAID)), BadLine)


@pytest.mark.slow
def test_a_line_of_100_mb_is_read() -> None:
    words = b"x" * 100_000_000
    raw = b'{"type":"user","uuid":"u","message":{"content":"' + words + b'"}}\n'

    found = one(raw)

    assert isinstance(found, User)
    assert isinstance(message_of(found).content, str)
    assert found.raw is not None
    assert len(found.raw) == len(raw)


@pytest.mark.slow
def test_a_spoiled_line_of_100_mb_is_read() -> None:
    words = b"x" * 100_000_000
    raw = b'{"type":"user","uuid":"u","isMeta":7,"message":{"content":"' + words + b'\xff"}}\n'

    found = one(raw)

    assert isinstance(found, User)
    assert not found.is_meta
    assert len(str(message_of(found).content)) == len(words) + 1
