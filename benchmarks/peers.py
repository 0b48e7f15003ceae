"""The programs users would pick instead, installed and run as their authors mean them.

Each is installed from its registry, in a pinned version, into a folder of its own in the
scratch folder, once. Each runs with its own empty home and data folder, sees the measured
files only, and sends nothing: telemetry is off and the network is taken away where the
system allows it. Native binaries are called directly, without the Python or Node shim
in front of them: that is the fastest a user can have them.
"""

import os
import platform
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import msgspec
from msgspec import Struct

from benchmarks.measure import BenchmarkError, Command, Side

AGENTSVIEW = "0.46.1"
CCSTATUSLINE = "2.2.30"
CCUSAGE = "20.0.24"
CLAUDE_CODE_LOG = "1.7.0"

_STOP_SECONDS = 10.0


class Peer(Struct, frozen=True):
    """An installed peer."""

    name: str
    version: str
    program: str


class _Daemon(Struct, frozen=True):
    """What agentsview writes about the daemon it leaves behind."""

    pid: int


def install(name: str, scratch: Path) -> Peer:
    """Install a peer from its registry, unless an earlier run has."""
    version, installer = _INSTALLERS[name]
    folder = scratch / "peers" / f"{name}-{version}"
    done = folder / "installed"
    if not done.exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        installer(folder, version)
    program = _program(name, folder)
    # Both native binaries arrive without their run bit; their shims set it.
    program.chmod(program.stat().st_mode | 0o755)
    done.touch()
    return Peer(name, version, str(program))


def no_network() -> tuple[str, ...]:
    """Give the words that run a command without network, or none where that is not possible."""
    if shutil.which("unshare") is None:
        return ()
    words = ("unshare", "--net") if os.geteuid() == 0 else ("unshare", "--map-root-user", "--net")
    probe = subprocess.run([*words, "true"], check=False, capture_output=True)
    return words if probe.returncode == 0 else ()


def environment(home: Path) -> dict[str, str]:
    """Give the environment both sides run in: an empty home and nothing of the user's."""
    home.mkdir(parents=True, exist_ok=True)
    return {
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_DATA_HOME": str(home / "data"),
        "PATH": os.defpath,
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "DO_NOT_TRACK": "1",
    }


def agentsview_sync(peer: Peer, projects: Path, home: Path, *, cold: bool) -> Side:
    """Sync all sessions into agentsview's database: a new one each time, or the last one."""
    data = home / "agentsview"
    env = environment(home) | {
        "AGENTSVIEW_DATA_DIR": str(data),
        "AGENTSVIEW_NO_DAEMON": "1",
        "AGENTSVIEW_TELEMETRY_ENABLED": "0",
        "CLAUDE_PROJECTS_DIR": str(projects),
    }

    def before() -> None:
        if cold:
            shutil.rmtree(data, ignore_errors=True)

    def after() -> None:
        stop_daemons(data, peer.program)

    command = Command((*no_network(), peer.program, "sync"), env, home)
    return Side(f"{peer.name} {peer.version}", command, before, after)


def ccusage_daily(peer: Peer, projects: Path, home: Path) -> Side:
    """Report usage by day straight from the files; ccusage keeps no index, each run is cold."""
    env = environment(home) | {"CLAUDE_CONFIG_DIR": str(projects.parent)}
    words = (peer.program, "claude", "daily", "--offline", "--json")
    command = Command((*no_network(), *words), env, home)
    return Side(f"{peer.name} {peer.version}", command, _nothing, _nothing)


def claude_code_log_html(peer: Peer, projects: Path, home: Path) -> Side:
    """Write every session as HTML with an empty cache, in its default number of processes.

    Only one page per session is asked for (`--combined no`), not the same text a second
    time in a combined page per project.
    """
    out, cache = home / "html", home / "cache"
    env = environment(home) | {"CLAUDE_CODE_LOG_CACHE_PATH": str(cache / "cache.db")}

    def before() -> None:
        for folder in (out, cache):
            shutil.rmtree(folder, ignore_errors=True)
        cache.mkdir(parents=True)

    words = (peer.program, "--all-projects", "--projects-dir", str(projects), "-o", str(out))
    command = Command((*no_network(), *words, "--combined", "no"), env, home)
    return Side(f"{peer.name} {peer.version}", command, before, _nothing)


def stop_daemons(data: Path, program: str) -> None:
    """Stop the daemon that agentsview left for this data folder, if it left one."""
    for card in data.glob("daemon.*.json"):
        pid = msgspec.json.decode(card.read_bytes(), type=_Daemon).pid
        if not _runs(pid, program):
            continue
        os.kill(pid, signal.SIGTERM)
        deadline = time.monotonic() + _STOP_SECONDS
        while _runs(pid, program):
            if time.monotonic() > deadline:
                raise BenchmarkError(f"agentsview's daemon (pid {pid}) does not stop")
            time.sleep(0.05)


def _runs(pid: int, program: str) -> bool:
    """Tell whether `pid` is this program; ids are used again, so the name is looked at."""
    if not Path("/proc/self").exists():
        shown = subprocess.run(
            ["ps", "-p", str(pid), "-o", "command="], check=False, capture_output=True, text=True
        )
        return shown.stdout.startswith(program)
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return False
    return words[0] == os.fsencode(program)


def _nothing() -> None:
    """Do nothing before or after a run."""


def _pip(folder: Path, requirement: str) -> None:
    # Debian's Python has no venv of its own; uv makes one as well.
    made = _call([sys.executable, "-m", "venv", str(folder)], must=False)
    if not made:
        _call([shutil.which("uv") or "uv", "venv", "--seed", "--clear", str(folder)])
    _call([str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", requirement])


def _install_agentsview(folder: Path, version: str) -> None:
    _pip(folder, f"agentsview=={version}")


def _install_claude_code_log(folder: Path, version: str) -> None:
    _pip(folder, f"claude-code-log=={version}")


def _install_ccusage(folder: Path, version: str) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise BenchmarkError("ccusage is installed with npm, and there is no npm")
    packages = [f"ccusage@{version}", f"@ccusage/{_ccusage_native()}@{version}"]
    _call([npm, "install", "--no-audit", "--no-fund", "--prefix", str(folder), *packages])


def _install_ccstatusline(folder: Path, version: str) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise BenchmarkError("ccstatusline is installed with npm, and there is no npm")
    package = f"ccstatusline@{version}"
    _call([npm, "install", "--no-audit", "--no-fund", "--prefix", str(folder), package])


def _ccusage_native() -> str:
    system = "darwin" if sys.platform == "darwin" else "linux"
    machine = "arm64" if platform.machine() in {"arm64", "aarch64"} else "x64"
    return f"ccusage-{system}-{machine}"


def _program(name: str, folder: Path) -> Path:
    patterns = {
        "agentsview": "lib/python*/site-packages/agentsview/bin/agentsview",
        "ccstatusline": "node_modules/ccstatusline/dist/ccstatusline.js",
        "ccusage": f"node_modules/@ccusage/{_ccusage_native()}/bin/ccusage",
        "claude-code-log": "bin/claude-code-log",
    }
    for found in folder.glob(patterns[name]):
        return found
    raise BenchmarkError(f"{name} was installed but its program is not where it used to be")


def _call(words: list[str], *, must: bool = True) -> bool:
    try:
        done = subprocess.run(words, check=False, capture_output=True, text=True)
    except FileNotFoundError as error:
        raise BenchmarkError(f"cannot run {words[0]}: {error}") from error
    if must and done.returncode != 0:
        raise BenchmarkError(f"{' '.join(words)} failed: {done.stderr.strip()[-500:]}")
    return done.returncode == 0


_INSTALLERS: dict[str, tuple[str, Callable[[Path, str], None]]] = {
    "agentsview": (AGENTSVIEW, _install_agentsview),
    "ccstatusline": (CCSTATUSLINE, _install_ccstatusline),
    "ccusage": (CCUSAGE, _install_ccusage),
    "claude-code-log": (CLAUDE_CODE_LOG, _install_claude_code_log),
}
