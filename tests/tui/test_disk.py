"""No key waits for the disk: what is read or looked up is read in workers.

Every audit event of files and databases, and every look at a file's state, is recorded while
keys are pressed, if it happens in the thread that draws the screen.
"""

import os
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from typing import Final

import pytest

from bough.tui.app.app import Bough
from tests.tui.conftest import keys

_EVENTS: Final = frozenset(
    {"open", "os.listdir", "os.scandir", "os.mkdir", "os.remove", "os.rename", "sqlite3.connect"}
)
_ALLOWED: Final = {
    "importlib": "a screen is loaded when it is first gone to; Python reads its own code",
    "linecache": "this test's own tracebacks",
}


class Watch:
    """Records what the thread that made it does to the disk while it is on."""

    def __init__(self) -> None:
        self.thread = threading.get_ident()
        self.on = False
        self.seen: list[str] = []

    def note(self, event: str, what: object) -> None:
        if not self.on or threading.get_ident() != self.thread:
            return
        self.on = False  # what follows is our own
        frames = traceback.extract_stack()[:-2]
        names = [frame.filename.replace("\\", "/") for frame in frames]
        # What happened before the loop took over is the test's own.
        start = max((n for n, name in enumerate(names) if "/asyncio/" in name), default=0)
        frames, names = frames[start:], names[start:]
        if not any(reason in name for reason in _ALLOWED for name in names):
            last = [f"{f.filename}:{f.lineno} {f.name}" for f in frames if "/bough/" in f.filename]
            self.seen.append(f"{event} {what} in {last[-1:] or names[-1:]}")
        self.on = True


_WATCHES: list[Watch] = []


def _hook(event: str, given: tuple[object, ...]) -> None:
    if _WATCHES and event in _EVENTS:
        _WATCHES[-1].note(event, given[0])


_INSTALLED: list[Callable[..., None]] = []


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Iterator[Watch]:
    if not _INSTALLED:  # a hook cannot be taken away again
        sys.addaudithook(_hook)
        _INSTALLED.append(_hook)
    found = Watch()

    def looked(name: str, real: Callable[..., object]) -> Callable[..., object]:
        def look(*given: object, **named: object) -> object:
            found.note(name, given[0] if given else "")
            return real(*given, **named)

        return look

    for name in ("stat", "lstat"):  # these raise no audit event
        monkeypatch.setattr(os, name, looked(f"os.{name}", getattr(os, name)))
    _WATCHES.append(found)
    yield found
    found.on = False
    _WATCHES.remove(found)


async def test_the_watch_sees_a_key_that_asks_the_index(
    app: Bough, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Bough, "do_theme", lambda self: self.source.load_projects())
    async with app.run_test() as pilot:
        await keys()(pilot)
        watch.on = True
        await keys("T")(pilot)
        watch.on = False

    assert {"os.stat", "sqlite3.connect"} <= {one.split(" ")[0] for one in watch.seen}


STORY = ("g s", "slash", "r e s u m a b l e", "enter", "enter")


@pytest.mark.parametrize(
    "presses",
    [
        ("j", "k", "G", "g g", "slash", "a", "escape", "asterisk", "i", "y i", "T", "T"),
        ("g s", "j", "d", "u", "slash", "m", "enter", "escape", "asterisk", "y p"),
        ("s", "c h e c k", "down", "j", "J", "K", "escape"),
        ("s", "t o o l colon", "tab", "enter", "escape"),
        ("g l", "j", "tab", "tab", "F"),
        ("g u", "l", "v", "]", "[", "h h h", "v"),
        ("g comma", "j", "enter", "j", "enter"),
        ("question_mark", "j", "G", "escape"),
        ("g s", "D", "j", "escape"),
        (*STORY, "j", "l", "h", "x", "H", "t", "k", "enter", "escape", "escape"),
        ("ctrl+k", "escape"),
    ],
    ids=lambda presses: presses[0],
)
@pytest.mark.parametrize("size", [(160, 50), pytest.param((80, 24), marks=pytest.mark.whole)])
async def test_no_key_waits_for_the_disk(
    app: Bough, watch: Watch, presses: tuple[str, ...], size: tuple[int, int]
) -> None:
    async with app.run_test(size=size) as pilot:
        await keys()(pilot)
        watch.thread = threading.get_ident()
        watch.on = True
        await keys(*presses)(pilot)
        watch.on = False

    assert sorted(set(watch.seen)) == []
