"""What every test may rely on: an empty home, a Claude folder nobody may write to, no network."""

import gc
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from tests.guard import fingerprint, guarded, install, unguarded

if TYPE_CHECKING:
    from tests.team_server import TeamServer

ROOT = Path(__file__).parent.parent

# So that no test reads or writes what belongs to the person who runs it.
_OURS = ("BOUGH_INDEX", "CLAUDE_CONFIG_DIR", "NO_COLOR", "FORCE_COLOR", "PAGER", "BOUGH_PAGER")

install()

# Where tests run in the background, interrupts are ignored, by the commands they start too.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A shared machine is slow at times; slowness is the benchmarks' business. `make test` tries a few
# examples of every law, the same in every run: what passed here passes for whoever clones it.
# `make test-whole` tries many, others each time; what it finds becomes an `@example`.
settings.register_profile("bough", deadline=None, max_examples=40, derandomize=True)
settings.register_profile("whole", deadline=None, max_examples=400)
settings.load_profile("bough")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Let workers begin with the files that take long, so that none is left to one at the end."""
    if hasattr(config, "workerinput"):
        long = {item.path for item in items if item.get_closest_marker("slow")}
        items.sort(key=lambda item: item.path not in long)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Keep what stays to the end, ten thousand tests, out of every search for garbage."""
    gc.collect()
    gc.freeze()


class Home:
    """A fake Claude folder. It is guarded: build the history inside `with home.writing():`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.projects = path / "projects"
        self.before = fingerprint(path)

    def __fspath__(self) -> str:
        return str(self.path)

    @contextmanager
    def writing(self) -> Iterator[Path]:
        """Allow writes for as long as the history is being built."""
        with unguarded(self.path):
            yield self.path
        self.before = fingerprint(self.path)

    def add(self, path: str, data: bytes = b"") -> Path:
        """Write a file below `projects`, with the folders it needs."""
        file = self.projects / path
        with self.writing():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        return file


@pytest.fixture(scope="session", autouse=True)
def nobodys_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Point HOME and its relatives to an empty place, and guard the real Claude folder."""
    real = Path("~/.claude").expanduser()
    nobody = tmp_path_factory.mktemp("nobody")
    with pytest.MonkeyPatch.context() as patch, guarded(real):
        _move_home(patch, nobody)
        yield nobody


@pytest.fixture
def home(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Home]:
    """Offer a fake Claude folder; the test fails if anything writes below it."""
    user = tmp_path / "user"
    folder = user / ".claude"
    (folder / "projects").mkdir(parents=True)
    _move_home(monkeypatch, user)
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(folder))
    if request.node.get_closest_marker("writes_home"):
        yield Home(folder)
        return
    with guarded(folder) as tried:
        home = Home(folder)
        yield home
    monkeypatch.undo()  # what the test pretends about the system must not blind us
    if tried:
        pytest.fail("; ".join(tried))
    if fingerprint(folder) != home.before:
        pytest.fail(f"another process changed something below {folder}")


@pytest.fixture(scope="session")
def shared() -> Path:
    """Name the folder of real files that may lie beside the project, or skip."""
    folder = ROOT.parent / "shared"
    if not (folder / "corpus" / "projects").is_dir():
        pytest.skip("needs the real files of ../shared, which are not here")
    return folder


@pytest.fixture(scope="session")
def team_server() -> "Iterator[TeamServer]":
    """Offer a real PostgreSQL, started when the first test asks for it."""
    from tests.team_server import running_server  # noqa: PLC0415 - few tests need it

    with running_server() as server:
        yield server


@pytest.fixture(scope="session")
def root() -> Path:
    """Name the project's own folder."""
    return ROOT


def _move_home(patch: pytest.MonkeyPatch, user: Path) -> None:
    for name in _OURS:
        patch.delenv(name, raising=False)
    for name in ("HOME", "USERPROFILE"):
        patch.setenv(name, str(user))
    for name, below in {
        "APPDATA": "AppData/Roaming",
        "LOCALAPPDATA": "AppData/Local",
        "XDG_CACHE_HOME": ".cache",
        "XDG_CONFIG_HOME": ".config",
        "XDG_DATA_HOME": ".local/share",
        "XDG_STATE_HOME": ".local/state",
    }.items():
        patch.setenv(name, str(user / below))
