"""`bough archive`: what the client deletes is shown, counted, found and brought back as it was."""

import json
import os
import shutil
from pathlib import Path

import pytest

from tests.cli.screens import piped

SESSION = "3f9c"
QUESTIONS = (
    ("sessions", "--json"),
    ("projects", "--json"),
    ("show", SESSION, "--json"),
    ("tree", SESSION, "--json"),
    ("search", "checkpoint", "--json"),
    ("usage", "--json"),
    ("stats", "tools", "--json"),
    ("export", SESSION, "--to", "html", "-o", "-"),
)


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep the archive and the index of every test apart."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data" / "bough"


@pytest.fixture
def claude(demo: Path, tmp_path: Path) -> Path:
    """A history of one's own, which the client may delete."""
    copy = tmp_path / "claude"
    shutil.copytree(demo, copy)
    return copy


def sweep(claude: Path) -> None:
    """Delete every session, as the client does."""
    shutil.rmtree(claude / "projects")
    (claude / "projects").mkdir()


def answers(claude: Path) -> dict[tuple[str, ...], str]:
    found: dict[tuple[str, ...], str] = {}
    for words in QUESTIONS:
        done = piped(*words, claude=claude)
        assert done.returncode == 0, (words, done.stderr)
        # Lists say where the words are now: tests/faces holds that.
        found[words] = done.stdout.replace(',"kept_in":"archive"', "")
    return found


@pytest.mark.slow
def test_every_command_says_the_same_after_the_client_deleted_everything(claude: Path) -> None:
    taken = piped("archive", claude=claude)
    assert (taken.returncode, taken.stdout) == (0, "")
    assert "31 sessions safe and parts of 1 more, " in taken.stderr
    before = answers(claude)

    sweep(claude)

    assert answers(claude) == before
    assert piped("index", "--rebuild", claude=claude).returncode == 0
    assert answers(claude) == before


def test_conversations_and_usage_by_session_mark_what_is_archived(claude: Path) -> None:
    piped("archive", claude=claude)
    wide = {"COLUMNS": "160"}
    questions = (("conversations",), ("conversations", SESSION), ("usage", "session"))
    for words in questions:
        assert "archived" not in piped(*words, claude=claude, environ=wide).stdout
    sweep(claude)

    for words in questions:
        assert "▤ archived" in piped(*words, claude=claude, environ=wide).stdout
    for words in questions[:2]:
        rows = json.loads(piped(*words, "--json", claude=claude).stdout)
        assert {row["kept_in"] for row in rows} == {"archive"}


def test_nothing_is_archived_without_the_command(claude: Path, data: Path) -> None:
    answers(claude)

    status = json.loads(piped("archive", "status", "--json", claude=claude).stdout)

    assert status["exists"] is False
    assert status["behind"] != 0
    assert not (data / "archive").exists()


def test_a_deleted_session_is_restored_byte_for_byte_and_the_undo_leaves_it_archived(
    claude: Path,
) -> None:
    (file,) = (claude / "projects").glob(f"*/{SESSION}*.jsonl")
    folder = file.with_suffix("")
    content = {path: path.read_bytes() for path in (file, *folder.rglob("*")) if path.is_file()}
    piped("archive", claude=claude)
    shown = piped("show", SESSION, "--json", claude=claude).stdout
    sweep(claude)

    done = piped("restore", SESSION, "--yes", claude=claude)

    assert done.returncode == 0, done.stderr
    written = {
        path: path.read_bytes() for path in (claude / "projects").rglob("*") if path.is_file()
    }
    assert written == content
    undone = piped("undo", "--yes", claude=claude)
    assert undone.returncode == 0, undone.stderr
    assert not file.exists()
    assert piped("show", SESSION, "--json", claude=claude).stdout == shown


def test_a_session_written_to_another_folder_is_taken_back_by_the_command_that_is_named(
    claude: Path, tmp_path: Path
) -> None:
    piped("archive", claude=claude)
    other = tmp_path / "other"
    other.mkdir()

    done = piped("restore", SESSION, "--to", str(other), "--yes", claude=claude)

    assert done.returncode == 0, done.stderr
    assert list(other.glob(f"projects/*/{SESSION}*.jsonl"))
    assert f"bough --claude-dir {other} undo 1" in done.stderr
    assert piped("undo", "1", "--yes", claude=other).returncode == 0
    assert list(other.iterdir()) == []


def test_a_deleted_session_is_not_resumed_before_it_was_restored(claude: Path) -> None:
    piped("archive", claude=claude)
    sweep(claude)

    done = piped("resume", SESSION, "--print", claude=claude)

    assert (done.returncode, done.stdout) == (1, "")
    assert "bough restore 3f9c" in done.stderr
    piped("restore", SESSION, "--yes", claude=claude)
    assert "--resume 3f9c" in piped("resume", SESSION, "--print", claude=claude).stdout


def test_the_status_names_what_the_client_deletes_within_a_week(claude: Path) -> None:
    (claude / "settings.json").write_text('{"cleanupPeriodDays": 3}')
    (file,) = (claude / "projects").glob(f"*/{SESSION}*.jsonl")
    piped("archive", claude=claude)

    status = json.loads(piped("archive", "status", "--json", claude=claude).stdout)

    (rule,) = status["retention"]
    assert rule["days"] == 3
    assert rule["source"] == str((claude / "settings.json").resolve())
    assert {row["kept"] for row in status["expiring"]} == {True}
    assert file.stem in {row["session"] for row in status["expiring"]}
    text = piped("archive", "status", claude=claude).stdout
    assert "is kept 3 days" in text


def test_the_status_says_when_the_client_deletes_the_rest(claude: Path) -> None:
    found = [*(claude / "projects").glob("*/*.jsonl")]
    sessions = [file for file in found if not file.name.startswith("agent-")]
    for file in sessions:
        os.utime(file, (1_790_000_000, 1_790_000_000))
    (claude / "settings.json").write_text('{"cleanupPeriodDays": 36500}')

    status = json.loads(piped("archive", "status", "--json", claude=claude).stdout)
    text = piped("archive", "status", claude=claude).stdout

    number = len(sessions)
    assert status["expiring"] == []
    assert status["later"] == [{"day": "2126-08-28", "sessions": number, "not_kept": number}]
    assert f"Later: {number} session files, from 2126-08-28 on, none of them kept." in text
    (claude / "settings.json").write_text('{"cleanupPeriodDays": 99999999}')
    assert "from 9999-12-31 on" in piped("archive", "status", claude=claude).stdout


def test_what_a_session_was_before_it_was_written_anew_is_named_and_brought_back(
    claude: Path, tmp_path: Path
) -> None:
    (file,) = (claude / "projects").glob(f"*/{SESSION}*.jsonl")
    first = file.read_bytes()
    piped("archive", claude=claude)
    file.write_bytes(first[: first.index(b"\n", len(first) // 2) + 1])
    piped("archive", claude=claude)
    (tmp_path / "other").mkdir()

    def restore(generation: int) -> tuple[int, str]:
        words = ("--generation", str(generation), "--to", str(tmp_path / "other"), "--yes")
        done = piped("restore", SESSION, *words, claude=claude)
        return done.returncode, done.stderr

    assert f"{SESSION}" in (text := piped("archive", "status", claude=claude).stdout)
    assert "(2 generations). bough restore SESSION --generation 1 --to DIR writes" in text
    assert restore(3) == (
        2,
        f"The archive has no generation 3 of session {file.stem[:8]}: it has 1, 2.\n",
    )
    assert restore(1)[0] == 0
    assert (tmp_path / "other" / "projects" / file.parent.name / file.name).read_bytes() == first


@pytest.mark.slow
def test_damage_is_named_ends_with_one_and_is_repaired(claude: Path, data: Path) -> None:
    piped("archive", claude=claude)
    assert piped("archive", "verify", "--deep", claude=claude).returncode == 0
    largest = max((data / "archive/v1").glob("*/*.zst"), key=lambda path: path.stat().st_size)
    bad = bytearray(largest.read_bytes())
    bad[len(bad) // 2] ^= 0xFF
    largest.write_bytes(bad)

    found = piped("archive", "verify", claude=claude)
    report = json.loads(piped("archive", "verify", "--json", claude=claude).stdout)
    repaired = piped("archive", "verify", "--repair", claude=claude)

    assert found.returncode == 1
    assert "damaged" in found.stdout
    assert report["damage"][0]["length"] > 0
    assert repaired.returncode == 0
    assert "Repaired." in repaired.stdout
    assert piped("archive", "verify", "--deep", claude=claude).returncode == 0


def test_forgetting_asks_and_leaves_no_copy_and_takes_none_in_again(
    claude: Path, data: Path
) -> None:
    piped("archive", claude=claude)
    refused = piped("archive", "forget", SESSION, claude=claude)
    assert refused.returncode == 2
    assert "--yes" in refused.stderr

    done = piped("archive", "forget", SESSION, "--yes", claude=claude)

    assert done.returncode == 0
    piped("archive", claude=claude)
    sweep(claude)
    assert piped("show", SESSION, claude=claude).returncode == 1
    assert piped("archive", "forget", SESSION, "--yes", claude=claude).returncode == 1


def test_a_session_that_was_deleted_too_early_is_listed_and_its_prompts_are_shown(
    claude: Path,
) -> None:
    lost = "cccccccc-0000-4000-8000-000000000003"
    line = {
        "display": "Where did\nit go?",
        "pastedContents": {},
        "timestamp": 1_700_000_000_000,
        "project": "/home/dev/gone",
        "sessionId": lost,
    }
    with (claude / "history.jsonl").open("a") as file:
        file.write(json.dumps(line) + "\n")

    listed = piped("archive", "lost", claude=claude)
    (row,) = json.loads(piped("archive", "lost", "--json", claude=claude).stdout)
    formatted = piped(
        "archive", "lost", "--limit", "1", "--format", "{id} {prompts}", claude=claude
    )
    shown = piped("show", "cccc", claude=claude)
    document = json.loads(piped("show", "cccc", "--json", claude=claude).stdout)

    assert "Where did it go?" in listed.stdout
    assert "1 session. The answers were deleted before bough saw them." in listed.stderr
    assert (row["id"], row["first_prompt"], row["prompts"]) == (lost, "Where did it go?", 1)
    assert formatted.stdout == f"{lost} 1\n"
    assert "1 prompt. The answers were deleted before bough saw them." in shown.stdout
    assert "Where did\nit go?" in shown.stdout
    assert document["prompts"][0]["text"] == line["display"]
    assert piped("show", "cccd", claude=claude).returncode == 1


def test_an_archive_is_carried_out_and_in(
    claude: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stick = str(tmp_path / "stick")
    assert piped("archive", "export", stick, claude=claude).returncode == 2
    piped("archive", claude=claude)

    out = piped("archive", "export", stick, claude=claude)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "away"))
    came = piped("archive", "import", stick, claude=claude)
    again = json.loads(piped("archive", "import", stick, "--json", claude=claude).stdout)

    assert out.returncode == 0, out.stderr
    assert " sessions: wrote " in out.stderr
    assert came.stderr.startswith("Took in ")
    assert (again["files"], again["problems"]) == (0, [])
    assert again["same"] > 30


def test_all_data_goes_into_one_file_and_comes_back(
    claude: Path, data: Path, tmp_path: Path
) -> None:
    file = str(tmp_path / "backup.tar.zst")
    piped("archive", claude=claude)

    done = piped("backup", file, claude=claude)
    refused = piped("restore-backup", file, claude=claude)
    shutil.rmtree(data)
    back = piped("restore-backup", file, claude=claude)
    again = json.loads(piped("restore-backup", file, "--replace", "--json", claude=claude).stdout)

    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("Wrote ")
    assert refused.returncode == 2
    assert "--replace" in refused.stderr
    assert back.returncode == 0, back.stderr
    assert (data / "archive" / "v1").is_dir()
    assert len(again["aside"]) == 1


def test_the_archive_never_lies_in_a_claude_folder(
    claude: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "config" / "bough"
    config.mkdir(parents=True)
    (config / "config.toml").write_text(f'archive_dir = "{claude / "kept"}"\n')
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))

    done = piped("archive", claude=claude)

    assert done.returncode == 2
    assert "inside the Claude folder" in done.stderr
    assert not (claude / "kept").exists()


def test_the_archive_lies_where_the_settings_say(
    claude: Path, tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "config" / "bough"
    config.mkdir(parents=True)
    (config / "config.toml").write_text(f'archive_dir = "{tmp_path / "elsewhere"}"\n')
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))

    assert piped("archive", claude=claude).returncode == 0

    assert (tmp_path / "elsewhere" / "v1").is_dir()
    assert not (data / "archive").exists()
    sweep(claude)
    assert piped("show", SESSION, claude=claude).returncode == 0


def test_an_archive_that_cannot_be_written_is_a_sentence_and_ends_with_three(
    claude: Path, data: Path
) -> None:
    data.mkdir(parents=True)
    (data / "archive").write_text("a file is here")

    done = piped("archive", claude=claude)

    assert done.returncode == 3
    assert done.stderr.startswith("Cannot write the archive")
    assert os.linesep not in done.stderr.strip()
