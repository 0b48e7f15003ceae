"""Composition: a class is read without the eight above it, so chains of classes are short.

Each exception has its reason, and the list may only shrink: one that is no longer needed fails.
"""

import ast
from functools import cache
from pathlib import Path

DEEPEST = 3

# Classes that stand on more of ours, how many, and why.
FLUENT = "a fluent builder gives itself back: its steps are mixins, not parts"
DEEPER = {
    "AgentSteps": (4, FLUENT),
    "CopySteps": (4, FLUENT),
    "SampleSession": (5, FLUENT),
}

# A screen is a `BaseScreen` with parts.
SCREEN_BASE = "BaseScreen"


@cache
def classes(root: Path) -> dict[str, frozenset[str]]:
    """Tell the bases of every class of ours, by name; one name may stand in several modules."""
    found: dict[str, frozenset[str]] = {}
    for path in (root / "src" / "bough").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                bases = {base_name(base) for base in node.bases} - {node.name}
                found[node.name] = found.get(node.name, frozenset()) | bases
    return found


def base_name(base: ast.expr) -> str:
    if isinstance(base, ast.Subscript):
        return base_name(base.value)
    return base.attr if isinstance(base, ast.Attribute) else ast.unparse(base)


def depth(name: str, known: dict[str, frozenset[str]]) -> int:
    """Count the classes of ours from the top of a chain down to this one."""
    return 1 + max((depth(base, known) for base in known[name] if base in known), default=0)


def test_no_class_stands_on_more_than_two_of_ours(root: Path) -> None:
    known = classes(root)
    deeper = {name: depth(name, known) for name in known if depth(name, known) > DEEPEST}

    assert deeper == {name: count for name, (count, _) in DEEPER.items()}


def test_a_screen_stands_on_the_base_screen_alone(root: Path) -> None:
    known = classes(root)
    screens = {name for name in known if name.endswith("Screen") and name != SCREEN_BASE}

    assert screens
    assert {name: known[name] for name in screens if known[name] != {SCREEN_BASE}} == {}


def test_no_class_of_the_terminal_app_leaves_methods_to_its_heirs(root: Path) -> None:
    unfinished = [
        f"{path.name}:{node.lineno}"
        for path in (root / "src" / "bough" / "tui").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Raise) and "NotImplementedError" in ast.unparse(node)
    ]

    assert unfinished == []
