"""A name of thousands of characters is cut in tables; `--json` has all of it."""

from pathlib import Path

import pytest

from bough.sample import session
from tests.cli.screens import objects, on_screen, piped

LONG = "n" * 5_000
WIDEST = 2_000
"""A row of a pipe: a few names as wide as they may be, and numbers."""
COMMANDS = (
    ("sessions",),
    ("conversations",),
    ("projects",),
    ("status", "--since", "900d"),
    ("usage", "session"),
    ("usage", "project"),
    ("usage", "model"),
    ("usage", "agent"),
    ("usage", "branch"),
    ("usage", "blocks"),
    ("usage", "daily", "--by", "model"),
    ("usage", "daily", "--by", "project"),
    ("stats",),
    ("stats", "tools"),
    ("stats", "hooks"),
    ("stats", "errors"),
    ("stats", "agents"),
    ("stats", "models"),
    ("stats", "files"),
    ("search", "hello"),
    ("find", "hello"),
)


@pytest.fixture(scope="module")
def claude(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a history in which everything that has a name has a long one."""
    folder = tmp_path_factory.mktemp("long") / ".claude"
    place = folder / "projects" / "-w-long"
    place.mkdir(parents=True)
    builder = (
        session("long", cwd=f"/w/{LONG}", branch=LONG, model=f"claude-{LONG}")
        .user(f"hello {LONG}")
        .tool(LONG, {"file_path": f"/{LONG}", "command": LONG}, LONG, is_error=True)
        .tool("Edit", {"file_path": f"/{LONG}", "old_string": "a", "new_string": "b"}, "done")
        .hook("PreToolUse", LONG, tool=LONG)
        .api_error(LONG)
        .assistant(LONG)
        .agent(LONG, LONG, answer=LONG)
        .title(LONG)
    )
    for name, data in builder.files().items():
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    for number in range(3):
        session(f"short {number}").user("hello").assistant("yes").write(folder)
    return folder


@pytest.mark.slow
@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_no_row_of_a_pipe_is_as_wide_as_a_long_name(
    claude: Path, tmp_path: Path, words: tuple[str, ...]
) -> None:
    done = piped("--index", str(tmp_path / "i.sqlite"), *words, claude=claude)

    assert done.returncode == 0
    assert done.stdout
    assert max(map(len, (done.stdout + done.stderr).splitlines())) <= WIDEST


@pytest.mark.slow
@pytest.mark.parametrize("words", [*COMMANDS[:4], ("stats", "models")], ids=" ".join)
def test_no_row_is_wider_than_the_terminal(
    claude: Path, tmp_path: Path, words: tuple[str, ...]
) -> None:
    piped("--index", str(tmp_path / "i.sqlite"), "index", claude=claude)
    code, shown = on_screen(
        *("--color", "never", "--index", str(tmp_path / "i.sqlite")), *words, claude=claude
    )

    assert code == 0
    assert max(map(len, shown.splitlines())) <= 80


def test_json_has_the_whole_name(claude: Path, tmp_path: Path) -> None:
    rows = objects("--index", str(tmp_path / "i.sqlite"), "projects", claude=claude)

    assert LONG in [str(row["name"]) for row in rows]
