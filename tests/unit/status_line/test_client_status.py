"""What the client says: every field may be missing or hostile."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.model.text.formats import format_cost, format_percent
from bough.status_line.client_status import ClientStatus, clean_text, parse_client_status
from bough.status_line.line_format import format_dollars, format_share
from bough.terminal.list_cells import shorten_model

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
)


@pytest.mark.parametrize(
    ("hostile", "shown"),
    [
        ("a\x1b[31mred\x1b[0m", "ared"),
        ("a\x1b]0;title\x07b", "ab"),
        ("a\x1b]52;c;ZXZpbA==\x1b\\b", "ab"),
        ("a\x9b31mb", "ab"),
        ("a\x1b", "a"),
        ("a\r\nb\tc", "a b c"),
        ("a\u202eb\u2066c\u200fd", "abcd"),
        ("a\u2028b", "a b"),
        ("a\u200b\ufeff\u00adb", "ab"),
        ("a\u3164\ufe0fb", "ab"),
        ("a\ud800b", "ab"),
        ("x" * 80, "x" * 59 + "…"),
    ],
)
def test_what_could_act_on_a_terminal_is_taken_out(hostile: str, shown: str) -> None:
    assert clean_text(hostile) == shown


@given(st.text())
def test_a_cleaned_text_is_one_printable_line(text: str) -> None:
    shown = clean_text(text)

    assert shown.isprintable()
    assert len(shown) <= 60
    shown.encode()


@given(JSON)
def test_any_document_is_asked_without_an_exception(document: object) -> None:
    client = ClientStatus({"model": document, "workspace": document, "context_window": document})

    assert client.model.isprintable()
    assert client.project.isprintable()
    assert client.context_percent is None or client.context_percent == client.context_percent


@pytest.mark.parametrize(
    "data", [b"", b"[", b"[1]", b"null", b"\xff\xfe", b"{" * 100_000, b"[" * 200_000, b"1e999"]
)
def test_what_is_no_document_says_nothing(data: bytes) -> None:
    assert parse_client_status(data).session == ""


def test_numbers_that_are_none_do_not_count() -> None:
    data = b'{"a": NaN, "b": Infinity, "c": true, "d": "1", "e": %s}' % (b"9" * 400)
    client = parse_client_status(data)

    assert [client.number(name) for name in "abcde"] == [None] * 5


def test_the_context_of_older_clients_is_counted_from_their_tokens() -> None:
    usage = {"input_tokens": 10_000, "cache_read_input_tokens": 40_000}
    window = {"context_window_size": 200_000, "current_usage": usage}

    assert ClientStatus({"context_window": window}).context_percent == 25


@pytest.mark.parametrize(
    ("path", "folder"),
    [
        ("/home/dev/.claude/projects/-a/s.jsonl", "/home/dev/.claude"),
        ("/elsewhere/s.jsonl", None),
        ("projects/-a/s.jsonl", None),
        ("", None),
    ],
)
def test_the_claude_folder_is_told_by_the_transcript(path: str, folder: str | None) -> None:
    assert ClientStatus({"transcript_path": path}).claude_folder == folder


@pytest.mark.parametrize(
    "name", ["claude-opus-5-5-20260101", "claude-haiku-4-5", "gpt-9", "opus", "claude-"]
)
def test_a_model_is_called_as_in_every_list(name: str) -> None:
    expected = shorten_model(name)

    assert ClientStatus({"model": {"id": name, "display_name": expected}}).model == expected


@given(st.floats(min_value=0, max_value=1e9))
def test_money_is_written_as_in_every_face(usd: float) -> None:
    assert format_dollars(usd) == format_cost(usd)


@given(st.floats(min_value=0, max_value=100))
def test_shares_are_written_as_in_every_face(percent: float) -> None:
    if percent / 100 * 100 == percent:
        assert format_share(percent) == format_percent(percent / 100)
