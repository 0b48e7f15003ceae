"""A made-up history seen at a fixed moment, and an app that shows it."""

import asyncio
import inspect
import os
import shutil
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.screen import Screen

from bough.query.index.handle import open_index
from bough.sample.demo import write_demo
from bough.tui.app.app import Bough
from tests.conftest import Home
from tests.guard import Fingerprint, fingerprint, guarded
from tests.tui.settling import rest, settle

NOW = datetime(2026, 11, 15, 15, 10, 45, tzinfo=UTC)

Press = Callable[..., Awaitable[None]]


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Run tests that are coroutines."""
    test = pyfuncitem.obj
    if not inspect.iscoroutinefunction(test):
        return None
    wanted = inspect.signature(test).parameters
    asyncio.run(test(**{name: pyfuncitem.funcargs[name] for name in wanted}))
    return True


@pytest.fixture(autouse=True)
def no_idling(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the pilot wait for the app, and not for a while in which little happens."""
    monkeypatch.setattr("textual.app.wait_for_idle", rest)
    monkeypatch.setattr("textual.pilot.wait_for_idle", rest)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[datetime]:
    """Stop the clock, in the zone of Greenwich."""
    monkeypatch.setenv("TZ", "UTC")
    if hasattr(time, "tzset"):
        time.tzset()
    monkeypatch.setattr("bough.terminal.clock.now", lambda: NOW)
    yield NOW
    monkeypatch.undo()
    if hasattr(time, "tzset"):
        time.tzset()


@pytest.fixture(scope="session")
def demo_files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Make the files of the demo once."""
    folder = tmp_path_factory.mktemp("demo")
    claude = write_demo(folder, NOW)
    return {
        str(path.relative_to(claude)): path.read_bytes()
        for path in sorted(claude.rglob("*"))
        if path.is_file()
    }


class LaidDemo:
    """The demo in a folder with an index beside it, both made when a test first asks."""

    def __init__(self, folder: Path, files: dict[str, bytes]) -> None:
        self._folder = folder
        self._files = files
        self._number = 0
        self._before: Fingerprint | None = None

    @contextmanager
    def lend(self, index: Path) -> Iterator[Path]:
        """Lend the demo to a test that only reads it, with a copy of the index."""
        if self._before is None:
            self._make()
        shutil.copy(self._place / "index.sqlite", index)
        claude = self._place / "claude"
        with guarded(claude) as tried:
            yield claude
        if fingerprint(claude) != self._before:
            self._before = None  # the next test gets one that nobody has touched
            pytest.fail(f"another process changed something below {claude}")
        if tried:
            pytest.fail("; ".join(tried))

    @property
    def _place(self) -> Path:
        return self._folder / str(self._number)

    def _make(self) -> None:
        self._number += 1
        claude = self._place / "claude"
        lay(claude, self._files)
        open_index([claude], self._place / "index.sqlite").close()
        self._before = fingerprint(claude)


def lay(claude: Path, files: dict[str, bytes]) -> None:
    """Write the files of the demo."""
    # Files are read in the order of their times, which on no disk is that of their names.
    begun = time.time_ns() - len(files) * 1_000_000
    for number, (name, data) in enumerate(files.items()):
        path = claude / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        os.utime(path, ns=(begun + number * 1_000_000,) * 2)


@pytest.fixture(scope="session")
def laid_demo(tmp_path_factory: pytest.TempPathFactory, demo_files: dict[str, bytes]) -> LaidDemo:
    """Keep the demo and its index for every test that only reads them."""
    return LaidDemo(tmp_path_factory.mktemp("laid"), demo_files)


@pytest.fixture
def demo(
    request: pytest.FixtureRequest,
    laid_demo: LaidDemo,
    demo_files: dict[str, bytes],
    clock: datetime,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Path]:
    """Offer the demo and its index: its own to a test that names `home` or may write there."""
    node = request.node
    is_own = "home" in request.fixturenames or node.get_closest_marker("writes_home")
    home: Home = request.getfixturevalue("home")
    index = tmp_path / "index.sqlite"
    if is_own:
        with home.writing():
            lay(home.path, demo_files)
        open_index([home.path], index).close()
        yield home.path
        return
    with laid_demo.lend(index) as claude:
        monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(claude))
        yield claude


@pytest.fixture
def app(demo: Path, tmp_path: Path) -> Bough:
    """Make the app on the demo; nothing is followed live."""
    return Bough([str(demo)], str(tmp_path / "index.sqlite"), live=False)


def keys(*presses: str) -> Callable[[Pilot[None]], Awaitable[None]]:
    """Press keys one after the other, each after the last was answered."""

    async def run(pilot: Pilot[None]) -> None:
        await settle(pilot)
        for press in presses:
            await pilot.press(*press.split(" "))
            await settle(pilot)

    return run


def text_of(app: Bough) -> list[str]:
    """Read the screen as lines of text."""
    strips = app.screen._compositor.render_strips()
    return ["".join(segment.text for segment in strip).rstrip() for strip in strips]


async def press(pilot: Pilot[None], *presses: str) -> None:
    """Press keys, several at once where they stand in one word with spaces."""
    for one in presses:
        await pilot.press(*one.split(" "))
        await settle(pilot)


async def show(pilot: Pilot[None], screen: Screen[object], *presses: str) -> None:
    """Open a screen, and press keys on it."""
    await settle(pilot)
    assert isinstance(pilot.app, Bough)
    pilot.app.open(screen)
    await settle(pilot)
    await press(pilot, *presses)
