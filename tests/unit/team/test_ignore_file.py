"""`.boughignore` keeps a project, a session or some files; what cannot be read keeps everything."""

from pathlib import Path

import pytest

from bough.errors import Misuse
from bough.team.ignore_file import IgnoreRules, parse_ignore_file, read_ignore_rules

SESSION = "3f9c2b1a-0000-4000-8000-000000000000"


@pytest.mark.parametrize("text", ["", "\n\n", "# mine\n", "*", "a\n*\n", "**"])
def test_an_empty_file_or_a_star_keeps_the_whole_project(text: str) -> None:
    assert parse_ignore_file(text).keeps_session(SESSION)


@pytest.mark.parametrize("line", [SESSION, "3f9c2b1a", "3f9c*", f"{SESSION}.jsonl", "/3f9c2b1a"])
def test_a_line_names_a_session(line: str) -> None:
    rules = parse_ignore_file(f"{line}\n")
    assert rules.keeps_session(SESSION)
    assert rules.keeps_file(SESSION, f"{SESSION}/tool-results/a.txt")
    assert not rules.keeps_session("4" + SESSION[1:])


@pytest.mark.parametrize("line", ["3f9", "9c2b1a", "other"])
def test_other_sessions_are_sent(line: str) -> None:
    assert not parse_ignore_file(line).keeps_session(SESSION)


def test_a_pattern_with_a_slash_names_files() -> None:
    rules = parse_ignore_file("*/tool-results/*\n*/subagents/agent-a1*\n")
    assert not rules.keeps_session(SESSION)
    assert rules.keeps_file(SESSION, f"{SESSION}/tool-results/deep/a.txt")
    assert rules.keeps_file(SESSION, f"{SESSION}/subagents/agent-a1b.jsonl")
    assert not rules.keeps_file(SESSION, f"{SESSION}/subagents/agent-b2.jsonl")


def test_a_line_that_takes_something_back_is_refused() -> None:
    with pytest.raises(Misuse, match="begins with !"):
        parse_ignore_file("*\n!3f9c2b1a\n")


def test_the_files_of_all_folders_up_to_the_repository_count(tmp_path: Path) -> None:
    inner = tmp_path / "shop" / "src"
    inner.mkdir(parents=True)
    (tmp_path / ".boughignore").write_text("*")
    (tmp_path / "shop" / ".boughignore").write_text("aaaa1111")
    (inner / ".boughignore").write_text("bbbb2222")
    assert read_ignore_rules(str(inner)) == IgnoreRules(("bbbb2222",))
    (tmp_path / "shop" / ".git").mkdir()
    assert read_ignore_rules(str(inner)) == IgnoreRules(("bbbb2222", "aaaa1111"))


def test_a_file_that_cannot_be_read_keeps_everything(tmp_path: Path) -> None:
    (tmp_path / ".boughignore").mkdir()
    with pytest.raises(Misuse, match="nothing of its project is sent"):
        read_ignore_rules(str(tmp_path))


def test_a_project_without_a_folder_here_has_no_rules(tmp_path: Path) -> None:
    assert read_ignore_rules(None) == IgnoreRules()
    assert read_ignore_rules(str(tmp_path / "gone")) == IgnoreRules()
