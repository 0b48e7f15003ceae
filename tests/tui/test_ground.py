"""What a terminal says about its ground, and that asking it costs nobody a key."""

import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bough.tui.app.navigation import key_name
from bough.tui.style.background import LateAnswer, extract_typed, is_light
from tests.conftest import Home

LIGHT = b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?62;22c"
DARK = b"\x1b]11;rgb:1e1e/1e1e/2e2e\x07\x1b[?1;2c"
QUESTION = b"\x1b]11;?\x1b\\\x1b[c"
ASK = (
    "import time; from bough.tui.style.background import ask_background; start = time.monotonic(); "
    "told = ask_background(); print('told', told.light, repr(told.typed), told.is_answer_pending, "
    "round(time.monotonic() - start, 3), 'end')"
)
POSIX = pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
PATIENCE = 20.0


@pytest.mark.parametrize(
    ("answer", "light"),
    [
        (LIGHT, True),
        (b"\x1b]11;rgb:fd/f6/e3\x07\x1b[?1;2c", True),
        (b"\x1b]11;rgb:0000/2b2b/3636\x1b\\", False),
        (b"\x1b]11;rgba:1e1e/1e1e/2e2e/ffff\x07", False),
        (b"\x1b[?62;22c", None),
        (b"", None),
    ],
)
def test_an_answer_is_read_as_light_dark_or_nothing(answer: bytes, light: bool | None) -> None:
    assert is_light(answer) is light


@pytest.mark.parametrize(
    ("answer", "typed"),
    [
        (LIGHT, ""),
        (b"j" + LIGHT + b"G", "jG"),
        (b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\j\x1b[?62;22c", "j"),
        (b"jj", "jj"),
        (b"j\x1b]11;rgb:ff", "j"),
        (b"s\xc3\xa9", "s\u00e9"),
    ],
)
def test_what_is_no_answer_was_typed(answer: bytes, typed: str) -> None:
    assert extract_typed(answer) == typed


def test_keys_are_named_as_textual_names_them() -> None:
    assert [key_name(one) for one in "jG/?\r\x1b +"] == [
        "j", "G", "slash", "question_mark", "enter", "escape", "space", "plus",
    ]  # fmt: skip


def test_a_late_answer_is_swallowed_and_typed_keys_are_not() -> None:
    late = LateAnswer(0.0)

    assert not late.is_part_of_answer("j", 0.5)
    assert all(
        late.is_part_of_answer(key, 1.0 + n / 1000)
        for n, key in enumerate(["circumflex_accent", *"]11"])
    )
    assert not late.is_part_of_answer("j", 1.5)
    assert late.is_part_of_answer("alt+left_square_bracket", 2.0)
    assert not late.is_part_of_answer("circumflex_accent", 9.0)


class Pty:
    """A terminal that we play: what is asked, and what we answer."""

    def __init__(self, *command: str, environ: dict[str, str]) -> None:
        import pty  # noqa: PLC0415 - not on every system
        import termios  # noqa: PLC0415

        self._ours, theirs = pty.openpty()
        termios.tcsetwinsize(theirs, (24, 80))
        self._child = subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=theirs, env=environ, start_new_session=True
        )
        os.close(theirs)
        self.seen = b""

    def read_until(self, wanted: bytes) -> bytes:
        end = time.monotonic() + PATIENCE
        while wanted not in self.seen:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self._ours], [], [], left)[0]:
                pytest.fail(f"{wanted!r} did not come, but {self.seen[-2000:]!r}")
            try:
                self.seen += os.read(self._ours, 65536)
            except OSError:
                break
        return self.seen

    def write(self, data: bytes) -> None:
        os.write(self._ours, data)

    def forget(self) -> None:
        self.seen = b""

    def wait(self) -> int:
        """Read to the end, so that the child can write it."""
        end = time.monotonic() + PATIENCE
        while self._child.poll() is None and time.monotonic() < end:
            if select.select([self._ours], [], [], 0.05)[0]:
                try:
                    self.seen += os.read(self._ours, 65536)
                except OSError:
                    break
        return self._child.wait(timeout=5)

    def close(self) -> None:
        if self._child.poll() is None:
            self._child.kill()
            self._child.wait()
        os.close(self._ours)


Play = Callable[..., Pty]


@pytest.fixture
def play() -> Iterator[Play]:
    played: list[Pty] = []

    def start(*command: str, **environ: str) -> Pty:
        without = {k: v for k, v in os.environ.items() if k not in ("COLORFGBG", "NO_COLOR")}
        given = without | {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8"}
        played.append(Pty(*command, environ=given | environ))
        return played[-1]

    yield start
    for one in played:
        one.close()


def told(terminal: Pty) -> tuple[str, str, str, float]:
    terminal.read_until(b"end")
    words = terminal.seen[terminal.seen.index(b"told") :].split()
    light, typed, owes, took = (word.decode() for word in words[1:5])
    return light, typed, owes, float(took)


@pytest.mark.alone
@POSIX
def test_a_terminal_that_answers_is_not_waited_for(play: Play) -> None:
    terminal = play(sys.executable, "-c", ASK)
    terminal.read_until(QUESTION)
    terminal.write(LIGHT)

    light, typed, owes, took = told(terminal)

    assert (light, typed, owes) == ("True", "''", "False")
    assert took < 0.1


@pytest.mark.alone
@POSIX
def test_a_terminal_that_does_not_answer_is_waited_for_a_tenth_of_a_second(play: Play) -> None:
    terminal = play(sys.executable, "-c", ASK)

    light, typed, owes, took = told(terminal)

    assert (light, typed, owes) == ("None", "''", "True")
    assert 0.09 < took < 0.2


@POSIX
def test_keys_typed_meanwhile_are_kept(play: Play) -> None:
    terminal = play(sys.executable, "-c", ASK)
    terminal.read_until(QUESTION)
    terminal.write(b"g" + DARK[:8])
    time.sleep(0.02)
    terminal.write(DARK[8:] + b"")

    light, typed, *_ = told(terminal)

    assert (light, typed) == ("False", "'g'")


@POSIX
def test_nobody_is_asked_where_there_is_no_terminal() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ASK], input="", capture_output=True, text=True, check=True
    )

    assert done.stdout.startswith("told None '' False 0.0")


def app(home: Home, tmp_path: Path, *more: str) -> list[str]:
    folders = ("--claude-dir", str(home.path), "--index", str(tmp_path / "index.sqlite"))
    return [sys.executable, "-m", "bough", *folders, *more]


@POSIX
@pytest.mark.slow
def test_the_app_is_light_where_the_terminal_is_and_early_keys_arrive(
    play: Play, home: Home, tmp_path: Path
) -> None:
    terminal = play(*app(home, tmp_path))
    terminal.read_until(QUESTION)
    terminal.write(b"5" + LIGHT)

    terminal.read_until(b"Usage")
    terminal.write(b"q")

    assert terminal.wait() == 0
    assert b"48;2;255;255;255" in terminal.seen
    assert terminal.seen.rstrip().endswith((b"\x1b[?1049l", b"\x1b[?25h")) or (
        b"\x1b[?1049l" in terminal.seen
    )


@POSIX
@pytest.mark.slow
def test_an_answer_that_comes_late_presses_no_key(play: Play, home: Home, tmp_path: Path) -> None:
    terminal = play(*app(home, tmp_path))
    terminal.read_until(b"Home")
    terminal.write(DARK + LIGHT)
    time.sleep(0.5)
    terminal.forget()
    terminal.write(b"?")
    terminal.read_until(b"Keys")
    terminal.write(b"q")

    assert terminal.wait() == 0


@POSIX
@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "environ", "ground"),
    [
        (("--theme", "light"), {}, b"48;2;255;255;255"),
        (("--theme", "dark"), {"COLORFGBG": "0;15"}, b"48;2;19;24;21"),
        ((), {"COLORFGBG": "0;15"}, b"48;2;255;255;255"),
        ((), {}, b"48;2;19;24;21"),
    ],
)
def test_the_option_comes_first_then_the_environment_then_dark(
    play: Play,
    home: Home,
    tmp_path: Path,
    options: tuple[str, ...],
    environ: dict[str, str],
    ground: bytes,
) -> None:
    terminal = play(*app(home, tmp_path, *options), **environ)
    terminal.read_until(b"Home")
    terminal.write(b"q")

    assert terminal.wait() == 0
    assert ground in terminal.seen
    assert (QUESTION in terminal.seen) is (not options)
