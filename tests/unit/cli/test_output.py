"""What goes to stdout and to stderr."""

import io
import sys

import msgspec
import pytest

from bough.cli import output
from bough.terminal.capabilities import ColorDepth, Terminal
from bough.terminal.style import Role


class Point(msgspec.Struct):
    """Something a command answers."""

    name: str
    places: list[str]


def latin_stdout(monkeypatch: pytest.MonkeyPatch) -> io.BytesIO:
    """Make stdout a stream of a locale that is not UTF-8.

    No fixture: pytest sets its own stdout again between a fixture and its test.
    """
    written = io.BytesIO()
    stream = io.TextIOWrapper(written, encoding="iso8859-1", write_through=True)
    monkeypatch.setattr(sys, "stdout", stream)
    return written


def test_json_is_one_document_and_a_newline(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    output.emit_json([Point("é", ["a"])])
    output.flush_output()

    assert capfdbinary.readouterr() == ('[{"name":"é","places":["a"]}]\n'.encode(), b"")


def test_json_is_utf_8_whatever_the_locale(monkeypatch: pytest.MonkeyPatch) -> None:
    written = latin_stdout(monkeypatch)

    output.emit_json(["中"])

    assert written.getvalue() == '["中"]\n'.encode()


def test_a_name_that_is_not_utf_8_survives_as_json_escape(monkeypatch: pytest.MonkeyPatch) -> None:
    written = latin_stdout(monkeypatch)

    output.emit_json({"path": "caf\udce9", "n": [1, None, True, 'q"uote']})

    assert written.getvalue() == b'{"path":"caf\\udce9","n":[1,null,true,"q\\"uote"]}\n'


def test_json_on_a_terminal_is_indented_and_acts_on_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOUGH_PAGER", "")

    output.emit_json(["\x9b31m", "\u202e"], Terminal(width=80, height=24))

    shown = capsys.readouterr().out
    assert shown == '[\n  "\\u009b31m",\n  "\\u202e"\n]\n'
    assert msgspec.json.decode(shown) == ["\x9b31m", "\u202e"]


def test_signs_a_locale_does_not_have_get_their_plain_twins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    written = latin_stdout(monkeypatch)

    output.write("◆ ✓ café 中 …\n")

    assert written.getvalue() == "<> ok café ? ...\n".encode("iso8859-1")


def test_a_lone_surrogate_stops_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    output.write("a\ud83db\n")

    assert capsys.readouterr().out == "a?b\n"


def test_talk_goes_to_stderr_and_is_cleaned(capsys: pytest.CaptureFixture[str]) -> None:
    output.say("Cannot read \x1b]0;x\x07a.jsonl.")

    assert capsys.readouterr() == ("", "Cannot read a.jsonl.\n")


def test_talk_that_nobody_hears_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    closed = io.StringIO()
    closed.close()
    monkeypatch.setattr(sys, "stderr", closed)

    output.say("Nobody is there.")
    monkeypatch.setattr(sys, "stderr", None)
    output.say("Nobody is there.")


def test_without_stdout_data_goes_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)

    output.write("x")
    output.emit_json([])
    output.page_text(["x"])
    output.flush_output()
    output.discard_output()

    assert output.detect_screen() == Terminal()


def test_lines_into_a_pipe_are_not_paged(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BOUGH_PAGER", "no-such-pager")

    output.page_text((str(number) for number in range(100)), Terminal())

    assert capsys.readouterr().out.splitlines() == [str(number) for number in range(100)]


def test_lines_are_painted_for_the_terminal_they_go_to(capsys: pytest.CaptureFixture[str]) -> None:
    line = ((Role.PROMPT, "You"), (Role.CLAUDE, "  "), (Role.META, "14:38"))

    output.page_lines([line, ()])
    output.page_lines([line], Terminal(ColorDepth.SIXTEEN))
    output.write_lines([line], Terminal(ColorDepth.ATTRIBUTES))

    assert capsys.readouterr().out.splitlines() == [
        "You  14:38",
        "",
        "\x1b[94mYou\x1b[0m  \x1b[90m14:38\x1b[0m",
        "\x1b[1mYou\x1b[0m  \x1b[2m14:38\x1b[0m",
    ]


def test_bytes_follow_the_text_before_them(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    output.write("a\n")
    output.emit_bytes(b"\xff\n")
    output.flush_output()

    assert capfdbinary.readouterr().out == b"a\n\xff\n"
