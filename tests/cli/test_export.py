"""`bough export`: documents on stdout or in files, talk on stderr, nothing written unasked."""

import os
import re
from pathlib import Path

import msgspec
import pytest

from bough.cli.main import run
from bough.sample import session
from tests.cli import screens
from tests.cli.screens import on_screen, one, piped
from tests.conftest import Home

POSIX = pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
TOKEN = "gh" + "p_" + "4Kd9" * 9


def test_markdown_goes_to_stdout_and_nothing_is_said(demo: Path) -> None:
    done = piped("export", "3f9c", claude=demo)

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("# Make the CSV import resumable\n\n- Session: 3f9c21d0")
    assert "## You, 14:38\n\nUse the existing flags, no new ones" in done.stdout


def test_json_is_one_document_either_way(demo: Path) -> None:
    told = one("export", "3f9c", claude=demo)

    other = piped("export", "3f9c", "--to", "json", claude=demo).stdout
    assert msgspec.json.decode(other) == told
    assert told["title"] == "Make the CSV import resumable"


def test_html_is_piped_whole(demo: Path) -> None:
    done = piped("export", "3f9c", "--to", "html", claude=demo)

    assert done.returncode == 0
    assert done.stdout.startswith("<!doctype html>")
    assert done.stdout.endswith("</html>\n")


@POSIX
def test_html_on_a_terminal_goes_to_a_file_named_after_the_title(
    demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(screens, "ROOT", tmp_path)

    code, shown = on_screen("export", "3f9c", "--to", "html", claude=demo)

    name = "make-the-csv-import-resumable-3f9c21d0.html"
    assert code == 0
    assert shown.startswith(f"Wrote {name}, ")
    assert (tmp_path / name).read_text(encoding="utf-8").startswith("<!doctype html>")


@POSIX
def test_slides_on_a_terminal_go_to_a_file_of_another_name(
    demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(screens, "ROOT", tmp_path)

    code, shown = on_screen("export", "3f9c", "--to", "present", claude=demo)

    name = "make-the-csv-import-resumable-3f9c21d0.present.html"
    assert (code, shown.startswith(f"Wrote {name}, ")) == (0, True)
    assert "present-slide" in (tmp_path / name).read_text(encoding="utf-8")


@POSIX
def test_on_a_terminal_nothing_of_the_text_is_obeyed(home: Home) -> None:
    with home.writing() as folder:
        session().user("hi \x1b]0;owned\x07 there").assistant("ok").write(folder)

    _, shown = on_screen("export", "latest")

    assert "\x1b]0;owned" not in shown
    assert "there" in shown


def test_the_name_of_the_file_decides_the_form(demo: Path, tmp_path: Path) -> None:
    for name, start in (("a.md", "# Make"), ("a.HTML", "<!doctype"), ("a.json", "{"), ("a", "# ")):
        done = piped("export", "3f9c", "-o", str(tmp_path / name), claude=demo)

        assert (done.returncode, done.stdout) == (0, "")
        assert re.fullmatch(rf"Wrote .*{name}, \d+ kB\.\n", done.stderr)
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(start)


def test_a_file_that_is_there_stays_unless_forced(demo: Path, tmp_path: Path) -> None:
    file = tmp_path / "a.md"
    file.write_text("mine")

    refused = piped("export", "3f9c", "-o", str(file), claude=demo)
    kept = file.read_text()
    forced = piped("export", "3f9c", "-o", str(file), "--force", claude=demo)

    assert (refused.returncode, kept) == (2, "mine")
    assert "exists already" in refused.stderr
    assert forced.returncode == 0
    assert file.read_text(encoding="utf-8").startswith("# Make")


def test_nothing_is_written_inside_a_claude_folder(home: Home) -> None:
    with home.writing() as folder:
        path = session().user("hi").assistant("ok").write(folder)

    for place in (home.path / "a.md", path.parent / "a.md"):
        done = piped("export", str(path), "-o", str(place), "--force")

        assert done.returncode == 2
        assert "where bough never writes" in done.stderr


def test_a_folder_that_only_looks_like_claudes_is_guarded_by_the_session_in_it(
    tmp_path: Path,
) -> None:
    path = session().user("hi").assistant("ok").write(tmp_path / "elsewhere")

    done = piped("export", str(path), "-o", str(path.parent / "a.md"))

    assert done.returncode == 2
    assert not (path.parent / "a.md").exists()


def test_what_was_hidden_is_said_and_not_shown(home: Home) -> None:
    with home.writing() as folder:
        session().user(f"Use {TOKEN}").assistant(f"{TOKEN} works").write(folder)

    done = piped("export", "latest")

    assert done.returncode == 0
    assert TOKEN not in done.stdout + done.stderr
    assert "Use [hidden: GitHub token 1]" in done.stdout
    assert "Hidden in 3 places:\n  GitHub token: ghp_… (3 places)\n" in done.stderr


@pytest.mark.parametrize("to", ["md", "html", "json", "present"])
def test_every_form_hides_secrets_unless_they_are_kept(home: Home, to: str) -> None:
    with home.writing() as folder:
        session().user(f"Use {TOKEN}").assistant(f"{TOKEN} works").write(folder)

    hidden = piped("export", "latest", "--to", to)
    kept = piped("export", "latest", "--to", to, "--keep-secrets")

    assert TOKEN not in hidden.stdout
    assert TOKEN in kept.stdout
    assert "Hidden" not in kept.stderr


def test_redact_is_what_happens_anyway(home: Home) -> None:
    with home.writing() as folder:
        session().user(f"Use {TOKEN}").assistant(f"{TOKEN} works").write(folder)

    asked, usual = piped("export", "latest", "--redact"), piped("export", "latest")

    assert (asked.stdout, asked.stderr) == (usual.stdout, usual.stderr)


@pytest.mark.parametrize(("words", "redacted"), [((), True), (("--keep-secrets",), False)])
def test_json_says_whether_secrets_are_hidden(
    demo: Path, words: tuple[str, ...], redacted: bool
) -> None:
    done = piped("export", "3f9c", "--to", "json", *words, claude=demo)

    assert msgspec.json.decode(done.stdout)["redacted"] is redacted


def test_where_nothing_was_hidden_nothing_is_said_of_it(demo: Path) -> None:
    done = piped("export", "3f9c", "--redact", claude=demo)

    assert (done.returncode, done.stderr) == (0, "")


def test_a_branch_is_chosen_by_any_message_of_it(demo: Path) -> None:
    text = piped("export", "3f9c", "--tip", "66d8", claude=demo).stdout

    assert "- Branch: one that was left behind of 3\n" in text
    assert "The active branch goes on here" in text


def test_parts_can_be_left_out(demo: Path) -> None:
    words = ("--no-tools", "--no-thinking", "--no-agents")

    text = piped("export", "3f9c", *words, claude=demo).stdout

    assert "- Left out: thinking, tool calls, conversations of agents\n" in text
    assert "<summary>Bash" not in text
    assert "Explore agent" not in text


@pytest.mark.parametrize(("budget", "most"), [("500", 2_000), ("2k", 8_000), ("6kB", 6_000)])
def test_a_text_for_a_model_keeps_to_its_budget(demo: Path, budget: str, most: int) -> None:
    done = piped("export", "3f9c", "--for-llm", "--budget", budget, claude=demo)

    assert done.returncode == 0
    assert most * 0.6 < len(done.stdout.encode()) <= most
    assert "The nightly import dies half way" in done.stdout
    assert re.match(r"About [\d.k]+ tokens, at four bytes each\. Left out: \d", done.stderr)


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such modes")
def test_what_is_written_is_its_owners_alone(demo: Path, tmp_path: Path) -> None:
    file, site = tmp_path / "out" / "talk.html", tmp_path / "out" / "site"
    file.parent.mkdir()
    before = os.umask(0)
    try:
        one_file = piped("export", "latest", "-o", str(file), claude=demo)
        words = ("export", "--project", "orchard-shop", "--to", "html", "-o", str(site))
        whole_site = piped(*words, claude=demo)
    finally:
        os.umask(before)

    assert (one_file.returncode, whole_site.returncode) == (0, 0)
    assert site.stat().st_mode & 0o777 == 0o700
    assert {path.stat().st_mode & 0o777 for path in (file, *site.iterdir())} == {0o600}
    assert (site / "index.html").is_file()


def test_a_project_becomes_a_site(demo: Path, tmp_path: Path) -> None:
    words = ("export", "--project", "orchard-shop", "--to", "html", "-o", str(tmp_path / "site"))

    done = piped(*words, claude=demo)
    again = piped(*words, claude=demo)

    pages = sorted(path.name for path in (tmp_path / "site").iterdir())
    assert (done.returncode, done.stdout) == (0, "")
    assert f"Wrote {len(pages) - 1} sessions to" in done.stderr
    assert "index.html" in pages
    assert (again.returncode, "is not empty" in again.stderr) == (2, True)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ((), 2, "Give a SESSION or --project PROJECT"),
        (("3f9c", "--project", "orchard-shop"), 2, "Give a SESSION or --project PROJECT"),
        (("zzzz",), 1, "No session begins with zzzz"),
        (("3f9c", "--tip", "zzzz"), 1, "No message of session 3f9c21d0 begins with zzzz"),
        (("3f9c", "--budget", "5k"), 2, "--budget is for --for-llm"),
        (("3f9c", "--for-llm", "--budget", "much"), 2, "much is not a budget"),
        (("3f9c", "--for-llm", "--to", "html"), 2, "--for-llm writes Markdown"),
        (("3f9c", "--to", "present", "--all-branches"), 2, "--to present shows one branch"),
        (("--project", "orchard-shop", "--to", "present", "-o", "x"), 2, "writes html or md"),
        (("3f9c", "--json", "--to", "md"), 2, "Give --to or --json, not both"),
        (("--project", "orchard-shop"), 2, "--project wants --output FOLDER"),
        (("--project", "nowhere", "-o", "x"), 1, "No project is called nowhere"),
        (("3f9c", "-o", "no/such/folder/a.md"), 1, "Nothing was written"),
    ],
)
def test_misuse_is_told_in_a_sentence(
    demo: Path, words: tuple[str, ...], code: int, said: str
) -> None:
    done = piped("export", *words, claude=demo)

    assert (done.returncode, done.stdout) == (code, "")
    assert said in done.stderr


def test_a_session_without_talk_is_not_written(home: Home, tmp_path: Path) -> None:
    with home.writing() as folder:
        path = session().title("Only a title").write(folder)

    done = piped("export", str(path), "-o", str(tmp_path / "a.md"))

    assert done.returncode == 1
    assert "holds no conversation" in done.stderr
    assert not (tmp_path / "a.md").exists()


@pytest.mark.parametrize("form", ["md", "html", "json", "present", "llm"])
def test_of_too_many_branches_the_newest_records_are_written_and_the_document_says_so(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsysbinary: pytest.CaptureFixture[bytes],
    form: str,
) -> None:
    builder = session("long", session_id="long")
    for number in range(30):
        builder.user(f"prompt {number}").assistant("yes")
    words = ["export", str(builder.write(tmp_path))]
    words += ["--for-llm"] if form == "llm" else ["--to", form, "-o", "-"]
    monkeypatch.setattr("bough.query.sessions.load_part._MOST_DRAWN", 10)
    monkeypatch.setattr("bough.query.sessions.load_part._MOST_ENDS", 0)

    run(words)
    part = capsysbinary.readouterr()
    run([*words, "--whole"])
    whole = capsysbinary.readouterr()

    said = b"This session has 60 records. You are reading the newest 10. bough export long --whole"
    assert said in part.err
    assert (said if form != "json" else b'"records_left_out":50') in part.out
    assert (b"prompt 24" in part.out, b"prompt 25" in part.out) == (False, True)
    assert b"prompt 0" in whole.out
    assert b"records_left_out" not in whole.out
    assert b"You are reading" not in whole.out + whole.err
