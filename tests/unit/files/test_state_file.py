"""Small things that are remembered between runs."""

from pathlib import Path

import pytest

from bough.files.state_file import load_state, save_state, write_state


def test_what_was_kept_is_there_in_the_next_run(tmp_path: Path) -> None:
    write_state(tmp_path / "kept" / "state.json", {"theme": "dark"})

    assert load_state(tmp_path / "kept" / "state.json", dict) == {"theme": "dark"}


def test_a_write_that_failed_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = tmp_path / "state.json"
    write_state(state, {"theme": "dark"})

    def write_half(path: Path, data: bytes) -> int:
        with path.open("wb") as file:
            file.write(data[:1])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", write_half)
    with pytest.raises(OSError, match="No space left"):
        write_state(state, {"theme": "light"})
    save_state(state, {"theme": "light"})

    assert [one.name for one in tmp_path.iterdir()] == ["state.json"]
    assert load_state(state, dict) == {"theme": "dark"}
