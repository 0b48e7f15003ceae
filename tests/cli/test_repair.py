"""`bough repair`, `bough rename` and `bough move`: sessions mended, named and moved."""

from pathlib import Path

from bough.files.discover import encode_cwd
from bough.query.sessions.load_session import read_session
from tests.cli.travelled import BROKEN, PLAIN, Place


def test_a_repaired_copy_touches_no_file_and_never_asks(place: Place) -> None:
    before = place.bytes()

    done = place.bough("repair", BROKEN)

    after = place.bytes()
    (new,) = after.keys() - before.keys()
    assert done.returncode == 0
    folder = "/home/dev/code/orchard-shop"
    assert done.stdout == f"cd '{folder}' && claude --resume {Path(new).stem}\n"
    assert {name: after[name] for name in before} == before
    assert not read_session(place.claude / new).bad_lines


def test_a_dry_run_says_what_is_mended_and_what_stays(place: Place) -> None:
    lines = place.bough("repair", BROKEN, "--dry-run").stdout.splitlines()

    assert lines[0].startswith("Repaired copy of e398d2e3")
    assert "Repairs           line 6: put together with its other half (bad-line)" in lines
    assert any(line.startswith("Stays             1 line repeats a uuid: ") for line in lines)
    assert lines[-1].startswith(
        "Dry run. Without --dry-run:  bough repair e398   then   the command"
    )


def test_in_place_needs_a_yes(place: Place) -> None:
    before = place.bytes()

    refused = place.bough("repair", BROKEN, "--in-place")
    looked = place.bough("repair", BROKEN, "--in-place", "--diff")

    assert refused.returncode == 2
    assert looked.returncode == 0
    assert "\n@@ -" in looked.stdout
    assert place.bytes() == before


def test_in_place_the_file_reads_without_damage(place: Place) -> None:
    done = place.json("repair", BROKEN, "--in-place", "--yes")

    assert list(done) == [
        *("operation", "session", "path", "at", "turns", "resume", "repairs", "stays"),
    ]
    assert not read_session(place.file(BROKEN)).bad_lines
    assert place.bough("doctor", BROKEN).stdout.startswith("✓ ")


def test_a_sound_session_needs_no_repair(place: Place) -> None:
    done = place.bough("repair", PLAIN)

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "Session 51d0c9aa needs no repair. Nothing was changed.\n"


def test_a_title_for_no_copy_is_misuse(place: Place) -> None:
    done = place.bough("repair", BROKEN, "--in-place", "--title", "x")

    assert (done.returncode, done.stdout) == (2, "")


def test_a_new_title_is_the_one_that_is_shown(place: Place) -> None:
    file = place.file(PLAIN)
    before = file.read_bytes()

    done = place.bough("rename", PLAIN, "Tax", "on", "refunds", "--yes")

    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "Renamed 51d0c9aa. To undo it: bough undo 1\n"
    assert read_session(file).title == "Tax on refunds"
    assert file.read_bytes().startswith(before)


def test_rename_tells_the_title_in_json_and_needs_a_yes(place: Place) -> None:
    asked = place.bough("rename", PLAIN, "Tax")
    planned = place.json("rename", PLAIN, "Tax", "--dry-run")
    done = place.json("rename", PLAIN, " Tax \n now ", "--yes")

    assert asked.returncode == 2
    assert (planned["operation"], planned["dry_run"]) == (None, True)
    assert (done["operation"], done["title"]) == (1, "Tax now")


def test_an_open_session_is_not_renamed(place: Place) -> None:
    place.open_in_a_client(PLAIN)

    done = place.bough("rename", PLAIN, "Tax", "--yes", "--force")

    assert done.returncode == 1
    assert done.stderr.startswith("A client has this session open (pid ")
    assert done.stderr.endswith("Close it first.\n")


def test_sessions_follow_their_project(place: Place, tmp_path: Path) -> None:
    new = tmp_path / "lantern"
    new.mkdir()
    before = place.bytes()

    asked = place.bough("move", "paper-lantern", str(new))
    looked = place.bough("move", "paper-lantern", str(new), "--dry-run")
    done = place.json("move", "-home-dev-code-paper-lantern", str(new), "--yes")

    target = encode_cwd(str(new.resolve()))
    assert asked.returncode == 2
    assert f"-home-dev-code-paper-lantern   to projects/{target}\n" in looked.stdout
    assert list(done) == ["operation", "project", "path", "cwd", "sessions", "changes"]
    assert done["path"] == str(place.claude / "projects" / target)
    assert sorted(place.bytes().values()) == sorted(before.values())
    assert place.bough("undo", "--yes").returncode == 0
    assert place.bytes() == before


def test_a_project_moves_only_to_a_folder_that_is_there(place: Place, tmp_path: Path) -> None:
    done = place.bough("move", "paper-lantern", str(tmp_path / "none"), "--yes")

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith("Name the place where the project lies now.\n")
