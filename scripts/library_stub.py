"""Write `src/bough/library/__init__.pyi`, the names of the library for type checkers.

    python scripts/library_stub.py

The table of names is the one list; tests/unit/test_public_names.py holds that this is its copy.
"""

from pathlib import Path

from bough.library.name_table import NAMES_BY_MODULE

STUB = Path(__file__).resolve().parents[1] / "src" / "bough" / "library" / "__init__.pyi"


def build_stub() -> str:
    """Give the text of the stub: each name imported from its module, and exported again."""
    lines = ["# Written by scripts/library_stub.py from name_table.py.", "# ruff: noqa: I001", ""]
    for module, names in sorted(NAMES_BY_MODULE.items()):
        lines.append(f"from {module} import (")
        lines += [f"    {name} as {name}," for name in sorted(names.split())]
        lines.append(")")
    return "\n".join([*lines, "", "__all__: list[str]", ""])


if __name__ == "__main__":
    STUB.write_text(build_stub(), encoding="utf-8")
