"""Stars and notes on the command line: kept apart from sessions, listed, exported, merged."""

import shutil
from pathlib import Path

import pytest

from tests.cli.screens import objects, one, piped

SESSION = "3f9c"


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep the annotations of every test apart."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path / "data" / "bough"


def first_message(claude: Path) -> str:
    messages = one("show", SESSION, claude=claude)["messages"]
    assert isinstance(messages, list)
    return str(messages[0]["uuid"])


def test_a_starred_session_is_listed_alone_and_says_so(demo: Path) -> None:
    done = piped("notes", "star", SESSION, claude=demo)
    (row,) = objects("sessions", "--starred", claude=demo)

    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.startswith("Starred session 3f9c")
    assert row["starred"] is True
    assert "note" not in row
    assert "  * " in piped("sessions", claude=demo).stdout


def test_a_session_without_a_star_has_no_field_for_it(demo: Path) -> None:
    assert all("starred" not in row for row in objects("sessions", claude=demo))


def test_a_note_stands_in_lists_until_it_is_removed(demo: Path) -> None:
    piped("notes", "set", SESSION, "ask Ana about\nthe checkpoint", claude=demo)
    noted = [row for row in objects("sessions", claude=demo) if "note" in row]
    shown = piped("sessions", claude=demo).stdout
    piped("notes", "remove", SESSION, claude=demo)

    assert [row["note"] for row in noted] == ["ask Ana about\nthe checkpoint"]
    assert "ask Ana about" in shown
    assert all("note" not in row for row in objects("sessions", claude=demo))


def test_a_message_is_starred_by_the_beginning_of_its_uuid(demo: Path) -> None:
    uuid = first_message(demo)
    piped("notes", "star", SESSION, "--message", uuid[:13], claude=demo)
    (found,) = objects("notes", claude=demo)

    assert (found["kind"], found["id"], found["starred"]) == ("message", uuid, True)
    assert str(found["session"]).startswith(SESSION)


def test_a_star_follows_a_session_to_another_folder(demo: Path, tmp_path: Path) -> None:
    piped("notes", "star", SESSION, claude=demo)
    other = tmp_path / "elsewhere"
    shutil.copytree(demo / "projects", other / "projects")
    (folder,) = (path.parent for path in (other / "projects").glob(f"*/{SESSION}*.jsonl"))
    folder.rename(folder.with_name("-home-dev-moved"))

    (row,) = objects("sessions", "--starred", claude=other)

    assert row["project"] == "-home-dev-moved"


def test_an_export_is_merged_and_the_newer_stays(demo: Path, data: Path, tmp_path: Path) -> None:
    piped("notes", "set", SESSION, "first", claude=demo)
    piped("notes", "star", SESSION, claude=demo)
    exported = tmp_path / "notes.jsonl"
    exported.write_text(piped("notes", "export").stdout)
    piped("notes", "set", SESSION, "second", claude=demo)

    here = piped("notes", "import", str(exported))
    data.rename(tmp_path / "away")
    elsewhere = piped("notes", "import", str(exported))

    assert here.stderr == "0 new, 0 newer than yours, 1 older than yours, 1 the same.\n"
    assert elsewhere.stderr == "2 new, 0 newer than yours, 0 older than yours, 0 the same.\n"
    assert [row["note"] for row in objects("notes")] == ["first"]


def test_lines_that_make_no_sense_are_counted_and_the_rest_is_taken(tmp_path: Path) -> None:
    good = (
        '{"kind":"session","id":"a","field":"note","value":"x","changed_at":"2026-01-01T00:00:00Z"}'
    )
    mixed = tmp_path / "mixed.jsonl"
    mixed.write_text(f'{good}\n{{"kind":"session"}}\nnonsense\n')
    nothing = tmp_path / "nothing.jsonl"
    nothing.write_text("nonsense\n")

    done = piped("notes", "import", str(mixed))
    refused = piped("notes", "import", str(nothing))

    assert done.returncode == 1
    assert done.stderr.endswith("2 lines could not be read; the rest was.\n")
    assert [row["note"] for row in objects("notes")] == ["x"]
    assert refused.returncode == 2
    assert "This file has no stars and notes." in refused.stderr


def test_a_hidden_project_is_listed_unless_only_visible_ones_are_asked_for(demo: Path) -> None:
    piped("notes", "hide", "orchard-shop", claude=demo)
    everything = objects("projects", claude=demo)
    visible = objects("projects", "--visible", claude=demo)
    piped("notes", "unhide", "orchard-shop", claude=demo)

    hidden = [row["name"] for row in everything if row["hidden"]]
    assert hidden == ["orchard-shop"]
    assert len(visible) == len(everything) - 1
    assert len(objects("projects", "--visible", claude=demo)) == len(everything)


def test_an_index_that_is_made_anew_leaves_stars(demo: Path, data: Path) -> None:
    piped("notes", "star", SESSION, claude=demo)
    before = (data / "annotations.sqlite").read_bytes()
    assert piped("index", "--rebuild", claude=demo).returncode == 0

    assert (data / "annotations.sqlite").read_bytes() == before
    assert len(objects("sessions", "--starred", claude=demo)) == 1


def test_damaged_annotations_do_not_keep_sessions_from_being_listed(demo: Path, data: Path) -> None:
    data.mkdir(parents=True)
    (data / "annotations.sqlite").write_text("spoilt" * 50)

    listed = piped("sessions", claude=demo)
    starred = piped("sessions", "--starred", claude=demo)

    assert listed.returncode == 0
    assert "are damaged" in listed.stderr
    assert SESSION in listed.stdout
    assert (starred.returncode, starred.stdout) == (1, "")
    assert "are damaged" in starred.stderr


def test_an_empty_note_is_refused(demo: Path) -> None:
    done = piped("notes", "set", SESSION, "  ", claude=demo)

    assert done.returncode == 2
    assert done.stderr == "The note is empty. bough notes remove takes a note away.\n"


def test_nothing_starred_yet_is_said(demo: Path) -> None:
    done = piped("notes", claude=demo)

    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr.startswith("Nothing is starred or noted yet.")
