"""What an entry point really loads; the static layers cannot see whether a late import is late."""

import subprocess
import sys
from collections.abc import Iterable

import pytest

from tests.conftest import Home

FACES = {"click", "mcp", "rich", "starlette", "textual", "uvicorn", "wcwidth"}
HEAVY = {"asyncio", "json", "sqlite3"}

AFTER = "import sys; print(*sorted(sys.modules), file=sys.stderr)"
# The line ends its process at once, so what is loaded is told from there; the lock says that
# somebody else already counts.
FAST = """
import os, sys
def end(code):
    os.write(2, " ".join(sorted(set(sys.modules) - before)).encode())
    exit(code)
exit, os._exit = os._exit, end
before = set(sys.modules) - {"typing", "pathlib"}
sys.argv = ["bough", "statusline"]
from bough.status_line import number_cache
from bough import paths
number_cache.claim_refresh(paths.find_client_folder(), 0)
from bough.fast import main
main()
"""
STANDARD = set(sys.stdlib_module_names)
COMMAND = """
import sys
from bough.cli.main import main
sys.argv = ["bough", *{words!r}]
try:
    main()
finally:
    print(*sorted(sys.modules), file=sys.stderr)
"""


def modules_after(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    return set(done.stderr.splitlines()[-1].split())


def modules_after_command(*words: str) -> set[str]:
    return modules_after(COMMAND.format(words=words))


def ours(modules: Iterable[str]) -> set[str]:
    return {name for name in modules if name.split(".")[0] == "bough"}


def test_importing_bough_loads_no_stage_and_no_face() -> None:
    modules = modules_after(f"import bough; {AFTER}")

    assert ours(modules) == {"bough"}
    assert modules & (FACES | HEAVY) == set()


def test_using_the_library_loads_no_face() -> None:
    modules = modules_after(f"import bough; bough.read_session; {AFTER}")

    assert "bough.library" in modules
    assert modules & FACES == set()
    assert "bough.cli" not in modules


def test_help_loads_nothing_of_ours_but_the_table_of_commands() -> None:
    modules = modules_after_command("--help")

    frame = {"bough", "bough.cli", "bough.cli.main", "bough.cli.options"}
    frame |= {"bough.errors", "bough.memory"}
    assert ours(modules) <= frame
    assert modules & (FACES - {"click"}) == set()
    assert "msgspec" not in modules


def test_the_status_line_loads_the_standard_library_and_its_own_package(home: Home) -> None:
    modules = modules_after(FAST)

    assert ours(modules) == {"bough", "bough.client_input", "bough.fast", "bough.paths"} | {
        name for name in modules if name.startswith("bough.status_line")
    }
    assert {name.split(".")[0] for name in modules} - {"bough", "__main__"} <= STANDARD
    # Each of these takes longer to load than the whole line may.
    assert (
        modules & {"typing", "pathlib", "subprocess", "hashlib", "dataclasses", "asyncio"} == set()
    )


def test_the_hook_program_loads_the_standard_library_alone() -> None:
    modules = modules_after(
        f"import sys; before = set(sys.modules); import bough.hook_program; {AFTER}"
    )

    assert ours(modules) == {"bough", "bough.client_input", "bough.hook_program", "bough.paths"}
    assert modules & {"typing", "pathlib", "subprocess", "hashlib", "dataclasses"} == set()


def test_the_guard_loads_the_standard_library_and_what_the_status_line_has() -> None:
    modules = modules_after(
        f"import sys; before = set(sys.modules); import bough.guard_program; {AFTER}"
    )

    expected = {"bough", "bough.client_input", "bough.guard_program", "bough.paths"}
    assert ours(modules) == expected | {
        name for name in modules if name.startswith("bough.status_line")
    }
    assert modules & {"typing", "pathlib", "subprocess", "hashlib", "dataclasses"} == set()


@pytest.mark.parametrize("command", ["projects", "sessions"])
def test_a_list_loads_no_other_face(home: Home, command: str) -> None:
    modules = modules_after_command(command, "--json")

    assert modules & (FACES - {"click", "wcwidth"}) == set()
    assert not any(name.startswith(("bough.tui", "bough.web", "bough.mcp")) for name in modules)
