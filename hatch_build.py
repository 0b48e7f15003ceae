"""Puts the built page into the package: the hook that hatchling runs before it packs.

Wheels, source distributions and editable installs all need the page. It is built by
`frontend/build.py` unless what is there was built from the very same sources, which is how an
install from a source distribution needs no npm registry.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

if TYPE_CHECKING:
    from types import ModuleType


class PageHook(BuildHookInterface[Any]):
    """Builds the page before anything is packed."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page, or end the build with a sentence that says what is missing."""
        del version, build_data
        frontend = _frontend(Path(self.root))
        try:
            built = frontend.build()
        except frontend.Failed as failure:
            raise SystemExit(f"\n{failure}") from None
        self.app.display_info("Built the page." if built else "The built page is current.")


def _frontend(root: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("bough_frontend", root / "frontend/build.py")
    if spec is None or spec.loader is None:
        raise SystemExit("frontend/build.py is missing from this source tree.")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
