"""One history, and what each face says of it: library, command line, web API, terminal app.

Each is asked once; the tests compare the answers. The histories are the sample, and the real
files of ../shared put together into one Claude folder.
"""

import contextlib
import io
import shutil
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import pytest

import bough
from bough.cli.main import run
from bough.errors import ExitCode
from bough.model.session import Session
from bough.query.index.handle import open_index
from bough.sample.demo import write_demo
from bough.tui.data import LibraryQueries, SessionsData
from tests.conftest import ROOT
from tests.web.serving import Served

SHARED = ROOT.parent / "shared"
# Projects of every client are below it, and a sixth of all bytes.
SMALL = 1_000_000


class Faces:
    """What all faces say of one Claude folder; each answer is asked for once."""

    def __init__(self, claude: Path, folder: Path, served: Served) -> None:
        self.claude = claude
        self.index = folder / "index.sqlite"
        self.served = served
        self.library = bough.sessions(claude_dir=claude)
        self.sessions: dict[str, Session] = {
            row.path: bough.read_session(row.path) for row in self.library
        }
        self.json: list[dict[str, Any]] = self.ask("sessions")
        self.web: list[dict[str, Any]] = self._ask_web()
        self.app: SessionsData = LibraryQueries([str(claude)], str(self.index)).sessions(None)

    def ask(self, *words: str) -> Any:
        """Ask the command line for its JSON; nothing found ends with 1."""
        where = ["--claude-dir", str(self.claude), "--index", str(self.index)]
        out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        with contextlib.redirect_stdout(out):
            code = run([*where, *words, "--json"])
        out.flush()
        found = msgspec.json.decode(out.buffer.getvalue())
        assert code == (ExitCode.FAILED if found == [] else ExitCode.FINE)
        return found

    def _ask_web(self) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = []
        cursor = ""
        while True:
            page = self.served.get(f"/api/sessions?limit=500&cursor={cursor}")
            rows += page["rows"]
            if page["next"] is None:
                return rows
            cursor = page["next"]


@pytest.fixture(
    scope="session",
    params=["sample", "small real files", pytest.param("real files", marks=pytest.mark.whole)],
)
def faces(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, nobodys_home: Path
) -> Iterator[Faces]:
    """Ask all faces about a history that no test changes."""
    folder = tmp_path_factory.mktemp("faces")
    if request.param == "sample":
        claude = write_demo(folder, datetime.now(UTC))
    elif not SHARED.is_dir():
        pytest.skip("needs the real files of ../shared, which are not here")
    else:
        most = SMALL if request.param == "small real files" else None
        claude = _put_together(folder / "claude", _real_projects(most))
    open_index([claude], folder / "index.sqlite").close()
    with Served(claude, folder) as served:
        yield Faces(claude, folder, served)


def _real_projects(most: int | None) -> list[Path]:
    roots = [SHARED / "corpus" / "projects", *(SHARED / "client-files").glob("*/*/projects")]
    found = [project for root in sorted(roots) for project in sorted(root.iterdir())]
    return [project for project in found if most is None or _size(project) <= most]


def _size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _put_together(claude: Path, projects: Sequence[Path]) -> Path:
    """Lay projects of several Claude folders into one, each under a name of its own."""
    for project in projects:
        if project.is_dir():
            place, number = claude / "projects" / project.name, 1
            while place.exists():
                number += 1
                place = place.with_name(f"{project.name}-{number}")
            shutil.copytree(project, place)
    return claude
