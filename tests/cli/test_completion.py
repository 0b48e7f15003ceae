"""`bough completion`: what bash, zsh and fish offer where somebody is typing.

PowerShell is not tried here: its script is only read.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.screens import ROOT, piped

if sys.platform == "win32":
    pytest.skip("shells on terminals need a POSIX system", allow_module_level=True)

from tests.cli.shells import find_shell, open_shell


@pytest.fixture
def environ(demo: Path, tmp_path: Path) -> dict[str, str]:
    """Give an environment in which `bough` is this one, with an index of the demo."""
    folder = tmp_path / "bin"
    folder.mkdir()
    program = folder / "bough"
    program.write_text(
        f"#!{sys.executable}\nfrom bough.cli.main import main\nmain()\n", encoding="utf-8"
    )
    program.chmod(0o755)
    assert piped("index", claude=demo).returncode == 0
    return {
        "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT / "src"),
        "CLAUDE_CONFIG_DIR": str(demo),
        "PYTHONUTF8": "1",
        "HOME": str(tmp_path),
        "LC_ALL": "C.UTF-8",
    }


def offered(line: str, environ: dict[str, str]) -> list[list[str]]:
    """Ask as bash asks: kind, value and words about each."""
    done = subprocess.run(
        [sys.executable, "-m", "bough"],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
        cwd=ROOT,
        env={
            **os.environ,
            **environ,
            "_BOUGH_COMPLETE": "bash_complete",
            "COMP_LINE": line,
            "COMP_POINT": str(len(line)),
            "COMP_WORDBREAKS": " \t\n:=",
        },
    )
    assert done.stderr == ""
    return [row.split("\t") for row in done.stdout.splitlines() if row]


VERIFY = "Read every byte of the archive, and name what is damaged."


@pytest.mark.parametrize(
    ("line", "item"),
    [
        ("bough se", ["plain", "search", "Find what was said, thought and done."]),
        ("bough show 3f9c", ["plain", "3f9c21d0", "Make the CSV import resumable"]),
        ("bough tree 3f9", ["plain", "3f9c21d0", "Make the CSV import resumable"]),
        ("bough show lat", ["plain", "latest", "the last one"]),
        ("bough show 3f9c --tip f9", ["plain", "f92c3cea", "Use a job table instead"]),
        ("bough diff 3f9c 8c", ["plain", "8c413dbb", "Use new click options for it"]),
        ("bough sessions pap", ["plain", "paper-lantern", "/home/dev/code/paper-lantern"]),
        ("bough usage --project pap", ["plain", "paper-lantern", "/home/dev/code/paper-lantern"]),
        ("bough sessions --sort c", ["plain", "cost", ""]),
        ("bough sessions --state failed,fin", ["plain", "failed,finished", ""]),
        ("bough search kind:pr", ["plain", "prompt", ""]),
        ("bough usage mon", ["plain", "monthly", ""]),
        ("bough completion fi", ["plain", "fish", ""]),
        ("bough help archive ver", ["plain", "verify", VERIFY]),
        ("bough archive ver", ["plain", "verify", VERIFY]),
        ("bough docs sea", ["plain", "search", "The search language"]),
        ("bough --claude-dir /t", ["dir", "/t", ""]),
    ],
)
def test_what_may_stand_at_the_cursor_is_offered(
    line: str, item: list[str], environ: dict[str, str]
) -> None:
    assert item in offered(line, environ)


@pytest.mark.parametrize("line", ["bough nope x", "bough sessions --sort ", "bough show 3f 'half"])
def test_a_line_without_sense_is_no_error(line: str, environ: dict[str, str]) -> None:
    offered(line, environ)


def test_options_of_all_commands_are_offered_too(environ: dict[str, str]) -> None:
    names = [value for _, value, *_ in offered("bough show latest --", environ)]

    assert {"--json", "--claude-dir", "--tip"} <= set(names)


def test_a_field_is_not_finished_and_gets_no_blank(environ: dict[str, str]) -> None:
    (item,) = offered("bough search proj", environ)

    assert item[:2] == ["open", "project:"]


def test_without_an_index_no_file_is_read(environ: dict[str, str], tmp_path: Path) -> None:
    nowhere = {**environ, "BOUGH_INDEX": str(tmp_path / "none.sqlite")}

    assert [row[1] for row in offered("bough show ", nowhere)] == ["latest"]
    assert not (tmp_path / "none.sqlite").exists()


def test_bash_completes_an_id_and_shows_titles(environ: dict[str, str], tmp_path: Path) -> None:
    bash = find_shell("bash")
    with open_shell(bash, "--norc", "--noprofile", "-i", environ=environ, cwd=tmp_path) as shell:
        shell.type('bind "set bell-style none"; eval "$(bough completion bash)"; echo rea""dy\n')
        shell.wait_for("ready")
        shell.type("bough show 3f9\t")
        shell.wait_for("show 3f9c21d0 ")
        shell.type("\x15bough show 3\t\t")
        shell.wait_for("3f9c21d0  (Make the CSV import resumable)")
        shell.type("\x15bough search kind:thi\t")
        shell.wait_for("kind:thinking ")


def test_zsh_completes_an_id_and_shows_titles(environ: dict[str, str], tmp_path: Path) -> None:
    zsh = find_shell("zsh")
    with open_shell(zsh, "-f", "-i", environ=environ, cwd=tmp_path) as shell:
        shell.type("autoload -U compinit; compinit -u -D; unsetopt beep\n")
        shell.type('eval "$(bough completion zsh)"; echo rea""dy\n')
        shell.wait_for("ready")
        shell.type("bough show 3f9\t")
        shell.wait_for("c21d0 ")
        shell.type("\x15bough show 3\t")
        shell.wait_for("3f9c21d0  -- Make the CSV import resumable")
        shell.type("\x15bough search kind:thi\t")
        shell.wait_for("nking ")


def test_fish_completes_an_id_and_shows_titles(environ: dict[str, str], tmp_path: Path) -> None:
    fish = find_shell("fish")

    def completed(line: str) -> list[str]:
        done = subprocess.run(
            [fish, "--no-config", "-c", f"bough completion fish | source; complete -C '{line}'"],
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=True,
            timeout=60,
            cwd=tmp_path,
            env={**os.environ, **environ},
        )
        return done.stdout.splitlines()

    assert "3f9c21d0\tMake the CSV import resumable" in completed("bough show 3f9")
    assert "kind:thinking" in completed("bough search kind:thi")
    assert any(line.startswith("sessions\t") for line in completed("bough se"))
    assert f"verify\t{VERIFY}" in completed("bough archive v")


def test_powershell_gets_a_script_that_asks_for_powershell() -> None:
    done = piped("completion", "powershell")

    assert done.stdout.lstrip().startswith("Register-ArgumentCompleter -Native -CommandName bough")
    assert "powershell_complete" in done.stdout


def test_a_shell_without_a_script_is_misuse() -> None:
    done = piped("completion", "tcsh")

    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("SHELL takes bash, zsh, fish, powershell, not tcsh")
