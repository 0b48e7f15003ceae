"""Options and names on the command line."""

from collections.abc import Callable

import msgspec
import pytest

from bough.cli.main import build_group, run
from tests.unit.cli.made_up import TABLE


class Told(msgspec.Struct):
    """What the command was given."""

    names: list[str]
    tip: str | None
    all: bool
    claude_dirs: list[str]
    index: str | None
    json: bool
    color: str


Tell = Callable[..., Told]


@pytest.fixture
def tell(capfdbinary: pytest.CaptureFixture[bytes]) -> Tell:
    def told(*words: str) -> Told:
        assert run(words, build_group(TABLE)) == 0
        return msgspec.json.decode(capfdbinary.readouterr().out, type=Told)

    return told


def test_without_options_everything_has_its_default(tell: Tell) -> None:
    assert tell("tell") == Told([], None, False, [], None, False, "auto")


@pytest.mark.parametrize(
    "words",
    [
        ("--json", "--index", "i", "--color", "never", "tell", "x"),
        ("tell", "--json", "--index", "i", "--color", "never", "x"),
        ("tell", "x", "--json", "--index=i", "--color=never"),
        ("--json", "tell", "--index", "i", "x", "--color", "never"),
    ],
)
def test_the_options_of_all_stand_before_and_after_the_command(
    tell: Tell, words: tuple[str, ...]
) -> None:
    assert tell(*words) == Told(["x"], None, False, [], "i", True, "never")


def test_claude_folders_add_up(tell: Tell) -> None:
    told = tell("--claude-dir", "a", "--claude-dir", "b", "tell", "--claude-dir", "c")

    assert told.claude_dirs == ["a", "b", "c"]


def test_what_is_said_after_the_command_wins(tell: Tell) -> None:
    told = tell("--index", "a", "--color", "always", "tell", "--index", "b", "--color", "never")

    assert (told.index, told.color) == ("b", "never")


def test_what_is_said_before_the_command_stays(tell: Tell) -> None:
    told = tell("--index", "a", "--color", "always", "--json", "tell")

    assert (told.index, told.color, told.json) == ("a", "always", True)


@pytest.mark.parametrize("name", ["-home-dev-x", "-h-x", "-", "-x--y", "-all", "-Users-jo-code"])
def test_a_folder_s_name_may_begin_with_a_dash(tell: Tell, name: str) -> None:
    assert tell("tell", name).names == [name]


def test_names_keep_their_order_among_options(tell: Tell) -> None:
    told = tell("tell", "-home-a", "--json", "b", "--tip", "-t-1", "-home-c", "--all")

    assert told.names == ["-home-a", "b", "-home-c"]
    assert (told.tip, told.all, told.json) == ("-t-1", True, True)


def test_after_two_dashes_everything_is_a_name(tell: Tell) -> None:
    assert tell("tell", "a", "--", "--json", "-h").names == ["a", "--json", "-h"]


@pytest.mark.parametrize(
    "words",
    [
        ("tell", "--bogus"),
        ("tell", "-x"),
        ("tell", "-home-dev-x", "--bogus"),
        ("tell", "-home-dev-x", "--tip"),
        ("tell", "--tip"),
        ("tell", "--color", "blue"),
        ("tell", "--json=yes"),
        ("fail",),
        ("fail", "a", "b"),
        ("count", "-home-dev-x"),
        ("--bogus",),
        ("-bogus",),
        ("-home-dev-x",),
        ("--claude-dir",),
        ("nothing",),
    ],
)
def test_misuse_is_said_and_ends_with_two(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    code = run(words, build_group(TABLE))

    said = capsys.readouterr()
    assert code == 2
    assert said.out == ""
    assert said.err.endswith("--help.\n")
    assert said.err.count("\n") == 1


def test_a_number_of_turns_back_is_a_name(tell: Tell) -> None:
    assert tell("tell", "x", "-2", "--json").names == ["x", "-2"]
