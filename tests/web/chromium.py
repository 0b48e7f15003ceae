"""A Chromium to test with: one that is there, else one that can be fetched, else a sentence.

Debian's own is taken before Playwright's: it comes with what it needs, and from the package
mirror that a machine has anyway.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Browser, BrowserType, sync_playwright

# Before HOME is moved away by the tests: proxies and mirrors may be set there.
AS_STARTED = dict(os.environ)
ROOT = Path(__file__).parent.parent.parent
_NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "msedge")
_ADVICE = """\
The browser tests need Chromium, and none was found or could be installed. One of these helps:
  apt install chromium                        on Debian and Ubuntu, as root
  .venv/bin/playwright install --with-deps chromium
  BOUGH_CHROMIUM=/path/to/chromium make test  where there is one elsewhere"""


class NoBrowser(Exception):
    """There is no Chromium and none can be had."""


def launch(kind: BrowserType, *words: str) -> Browser:
    """Start a Chromium, installing one if there is none."""
    place = found() or _playwrights_own(kind) or _installed(kind)
    if place is None:
        raise NoBrowser(_ADVICE)
    # Chromium's sandbox does not start as root; what we show it is our own.
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    flags = ["--font-render-hinting=none", "--disable-lcd-text", *words]
    return kind.launch(executable_path=place, args=[*flags, "--no-sandbox"] if root else flags)


def found() -> str | None:
    """Name the Chromium of this machine."""
    named = os.environ.get("BOUGH_CHROMIUM")
    if named is not None:
        return named
    return next(filter(None, map(shutil.which, _NAMES)), None)


def _playwrights_own(kind: BrowserType) -> str | None:
    place = kind.executable_path
    return place if Path(place).is_file() else None


def _installed(kind: BrowserType) -> str | None:
    if "PYTEST_XDIST_WORKER" in os.environ:
        return None  # several would fetch it at once; `make test` did before it started them
    apt = shutil.which("apt-get")
    if apt is not None and os.geteuid() == 0 and _apt(apt):
        return found()
    fetch = [sys.executable, "-m", "playwright", "install", "chromium"]
    subprocess.run(fetch, env=_with_browsers(), check=False, timeout=600)
    return _playwrights_own(kind)


def _apt(apt: str) -> bool:
    quiet = {**AS_STARTED, "DEBIAN_FRONTEND": "noninteractive"}
    install = [apt, "install", "-y", "--no-install-recommends", "chromium", "fonts-liberation"]
    for command in (install, [apt, "update"], install):
        done = subprocess.run(command, env=quiet, capture_output=True, check=False, timeout=600)
        if done.returncode == 0 and command is install:
            return True
    return False


def _with_browsers() -> dict[str, str]:
    return {**AS_STARTED, "PLAYWRIGHT_BROWSERS_PATH": os.environ["PLAYWRIGHT_BROWSERS_PATH"]}


def _prepare() -> None:
    """Install a Chromium if there is none, before tests run side by side."""
    os.environ.setdefault("PLAYWRIGHT_BROWSERS_PATH", str(ROOT / ".venv" / "browsers"))
    if found() is None:
        with sync_playwright() as playwright:
            if _playwrights_own(playwright.chromium) is None:
                _installed(playwright.chromium)


if __name__ == "__main__":
    _prepare()
