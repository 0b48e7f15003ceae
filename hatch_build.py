"""Puts into the package what is made and not written: the page, the guide and the manual.

It is the hook that hatchling runs before it packs. Wheels, source distributions and editable
installs all need the page. It is built by `frontend/build.py` unless what is there was built from
the very same sources, which is how an install from a source distribution needs no npm registry.
A wheel also carries the guide (docs/*.md, for `bough docs`) and a manual page for each command.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

if TYPE_CHECKING:
    from types import ModuleType


class PageHook(BuildHookInterface[Any]):
    """Builds the page before anything is packed, and adds guide and manual to a wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page, or end the build with a sentence that says what is missing."""
        root = Path(self.root)
        frontend = _frontend(root)
        try:
            built = frontend.build()
        except frontend.Failed as failure:
            raise SystemExit(f"\n{failure}") from None
        self.app.display_info("Built the page." if built else "The built page is current.")
        if self.target_name == "wheel" and version != "editable":
            for page in sorted((root / "docs").glob("*.md")):
                build_data["force_include"][str(page)] = f"bough/guide/{page.name}"
            for page in _write_manual(root):
                build_data["shared_data"][str(page)] = f"share/man/man1/{page.name}"


def _write_manual(root: Path) -> list[Path]:
    """Write the manual in a process of its own: this one has not the package on its path."""
    folder = root / "build" / "man"
    subprocess.run(  # noqa: S603 - our own script
        [sys.executable, str(root / "scripts" / "man_pages.py"), str(folder)],
        check=True,
        # What is installed for a build is only on the path of this process.
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(root / "src"), *sys.path])},
    )
    return sorted(folder.glob("*.1"))


def _frontend(root: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("bough_frontend", root / "frontend/build.py")
    if spec is None or spec.loader is None:
        raise SystemExit("frontend/build.py is missing from this source tree.")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
