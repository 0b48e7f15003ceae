"""`bough demo`: a made-up history, shown and gone again."""

import tempfile
from pathlib import Path

import pytest

from tests.cli.screens import objects, piped


def test_the_demo_is_shown_and_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)

    done = piped("demo")

    assert done.returncode == 0
    assert "3f9c21d0" in done.stdout
    assert done.stderr.endswith("bough demo --keep demo\n")
    assert list(tmp_path.glob("bough-demo-*")) == []


def test_a_demo_that_is_kept_can_be_tried(tmp_path: Path) -> None:
    kept = tmp_path / "my demo"

    done = piped("demo", "--keep", str(kept))

    assert done.returncode == 0
    assert f"--claude-dir '{kept}/.claude'" in done.stderr
    assert len(objects("sessions", claude=kept / ".claude")) == 30


def test_the_demo_stays_out_of_claude_folders(tmp_path: Path) -> None:
    done = piped(
        "demo",
        "--keep",
        str(tmp_path / "claude" / "demo"),
        environ={"CLAUDE_CONFIG_DIR": str(tmp_path / "claude")},
    )

    assert (done.returncode, done.stdout) == (2, "")
    assert "is inside the Claude folder" in done.stderr
    assert not (tmp_path / "claude").exists()


def test_the_demo_never_writes_over_anything(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("precious")

    done = piped("demo", "--keep", str(tmp_path / "mine"))

    assert (done.returncode, done.stdout) == (2, "")
    assert "Name a folder that is new or empty" in done.stderr
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["notes.txt"]


def test_a_demo_that_cannot_be_written_says_where(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")

    done = piped("demo", "--keep", str(tmp_path / "file" / "demo"))

    assert done.returncode == 1
    assert done.stderr.startswith(f"Cannot write the history into {tmp_path / 'file' / 'demo'}: ")


def test_the_demo_in_json_is_the_list_alone(demo: Path) -> None:
    done = piped("demo", "--json")

    assert (done.returncode, done.stderr) == (0, "")
    assert len(objects("demo")) == len(objects("sessions", claude=demo))


def test_the_demo_leaves_the_persons_index_alone(no_index: Path) -> None:
    piped("demo")

    assert not no_index.exists()
