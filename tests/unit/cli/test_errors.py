"""How a run that failed ends."""

import errno

import click
import pytest

from bough import fast
from bough.cli.errors import report_error
from bough.cli.main import build_group, run
from tests.unit.cli.made_up import TABLE


@pytest.mark.parametrize(
    ("how", "code", "said"),
    [
        ("missing", 1, "No session begins with 3f9d. bough sessions lists them."),
        ("ambiguous", 2, '"3f" fits 2 sessions: 3f9c21d0, 3fa10000. Give more characters.'),
        ("index", 3, "The index is locked. Try again."),
        ("usage", 2, "Give one or the other. See bough fail --help."),
        ("system", 1, "Cannot use a.jsonl: permission denied."),
        ("interrupt", 130, "Interrupted."),
    ],
)
def test_every_failure_is_one_sentence_and_its_code(
    how: str, code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["fail", how], build_group(TABLE)) == code

    assert capsys.readouterr() == ("", f"{said}\n")


def test_an_option_without_a_value_leads_to_the_help_of_its_command(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["tell", "--tip"], build_group(TABLE)) == 2

    assert capsys.readouterr().err == "--tip needs a value. See bough tell --help.\n"


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (
            ["tell", "--tib", "x"],
            "No option is called --tib. Nearest: --tip. See bough tell --help.",
        ),
        (["tell", "--nope"], "No option is called --nope. See bough tell --help."),
        (["-x"], "No option is called -x. See bough --help."),
    ],
)
def test_an_unknown_option_names_the_one_that_was_meant(
    args: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(args, build_group(TABLE)) == 2

    assert capsys.readouterr() == ("", f"{said}\n")


@pytest.mark.parametrize("args", [["team"], ["team", "--json"]])
def test_a_group_that_does_nothing_alone_names_its_commands(
    args: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(args) == 2

    said = capsys.readouterr().err
    assert said.startswith("A command is missing: budget, check, init, ")
    assert said.endswith(" See bough team --help.\n")


def test_an_interrupt_while_modules_are_loaded_is_quiet(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sys.argv", ["bough", "sessions"])
    monkeypatch.setattr("bough.memory.collect_rarely", interrupt)

    with pytest.raises(SystemExit) as ended:
        fast.main()

    assert ended.value.code == 130
    assert capfd.readouterr() == ("", "Interrupted.\n")


def test_a_defect_says_how_to_see_where(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["fail", "oddly"], build_group(TABLE)) == 1

    said = capsys.readouterr().err
    assert said.startswith("bough stopped on an error of its own: KeyError: 'oddly'.")
    assert "BOUGH_DEBUG=1" in said
    assert "Traceback" not in said


def test_debugging_prints_the_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BOUGH_DEBUG", "1")

    assert run(["fail", "oddly"], build_group(TABLE)) == 1

    said = capsys.readouterr().err
    assert "Traceback (most recent call last)" in said
    assert said.endswith("KeyError: 'oddly'\n")


def test_debugging_leaves_expected_failures_alone(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("BOUGH_DEBUG", "1")

    run(["fail", "missing"], build_group(TABLE))

    assert "Traceback" not in capsys.readouterr().err


def test_a_reader_that_stopped_is_no_failure(capsys: pytest.CaptureFixture[str]) -> None:
    assert report_error(BrokenPipeError(errno.EPIPE, "Broken pipe")) == 0

    assert capsys.readouterr().err == ""


def test_an_output_that_cannot_be_written_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert report_error(OSError(errno.ENOSPC, "No space left on device")) == 1

    said = capsys.readouterr().err
    assert said == "The output could not be written: no space left on device.\n"


def test_giving_up_a_question_is_an_interrupt() -> None:
    assert report_error(click.Abort()) == 130
