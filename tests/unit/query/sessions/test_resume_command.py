"""The command that resumes a session works wherever it is pasted."""

import shlex
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.files.discover import encode_cwd
from bough.query.sessions.resume_command import (
    ResumeCommand,
    find_resume_folder,
    format_resume_command,
    make_command_for_file,
)
from bough.sample.builder.session import session


@pytest.mark.parametrize(
    ("command", "written"),
    [
        (ResumeCommand("a1", None), "claude --resume a1"),
        (ResumeCommand("a1", "/w/x"), "cd '/w/x' && claude --resume a1"),
        (
            ResumeCommand("a1", "/it's here", "/c d"),
            """cd '/it'"'"'s here' && CLAUDE_CONFIG_DIR='/c d' claude --resume a1""",
        ),
    ],
)
def test_a_posix_shell_gets_quoted_words(command: ResumeCommand, written: str) -> None:
    assert format_resume_command(command, powershell=False) == written


@pytest.mark.parametrize(
    ("command", "written"),
    [
        (ResumeCommand("a1", None), "claude --resume a1"),
        (
            ResumeCommand("a1", r"C:\it's [x]"),
            r"Set-Location -LiteralPath 'C:\it''s [x]'; if ($?) { claude --resume a1 }",
        ),
        (
            ResumeCommand("a1", r"C:\x", r"D:\c"),
            (
                r"Set-Location -LiteralPath 'C:\x'; "
                r"if ($?) { $env:CLAUDE_CONFIG_DIR = 'D:\c'; claude --resume a1 }"
            ),
        ),
    ],
)
def test_powershell_gets_its_own_form(command: ResumeCommand, written: str) -> None:
    assert format_resume_command(command, powershell=True) == written


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1))
def test_a_shell_reads_the_very_folder(folder: str) -> None:
    written = format_resume_command(ResumeCommand("a1", folder), powershell=False)

    assert shlex.split(written)[:3] == ["cd", folder, "&&"]


def saved(tmp_path: Path, project: str, *cwds: str) -> Path:
    """Write a session below `projects` whose records name these folders."""
    builder = session(session_id="a1b2", project=project)
    for cwd in cwds:
        builder.user("hello").record_of(-1)["cwd"] = cwd
    return builder.write(tmp_path)


def test_the_folder_is_the_one_the_project_is_named_for(tmp_path: Path) -> None:
    file = saved(
        tmp_path, encode_cwd("/home/dev/x"), "/home/dev/x/sub", "/home/dev/x", "/home/dev/y"
    )

    assert find_resume_folder(file) == "/home/dev/x"


def test_a_moved_project_is_found_on_the_disk(tmp_path: Path) -> None:
    here = tmp_path / "new.place" / "my project"
    here.mkdir(parents=True)
    file = saved(tmp_path, encode_cwd(str(here)), "/home/dev/old")

    assert find_resume_folder(file) == str(here)
    assert not make_command_for_file(file).is_folder_gone


def test_a_folder_that_is_gone_is_said(tmp_path: Path) -> None:
    file = saved(tmp_path, encode_cwd("/home/dev/gone"), "/home/dev/gone")

    command = make_command_for_file(file)

    assert command.is_folder_gone
    assert command.note.startswith("The folder /home/dev/gone is gone")


def test_a_file_outside_a_claude_folder_has_the_folder_it_names_first(tmp_path: Path) -> None:
    file = saved(tmp_path, "p", "/home/dev/a", "/home/dev/b").rename(tmp_path / "a1b2.jsonl")

    assert make_command_for_file(file) == ResumeCommand("a1b2", "/home/dev/a")
