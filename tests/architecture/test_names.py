"""Names a newcomer guesses: the folder list and the class list read like the field's own words.

Each rule has a list of what still breaks it. The lists may only shrink: an entry that is no
longer needed fails, so nobody leaves it behind.
"""

import ast
import gc
import re
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path

# Base names that stand in several packages, each for the same feature.
SHARED_NAMES = {
    "agents": "sub-agents",
    "annotations": "stars, notes and hidden projects",
    "api_errors": "errors of the API",
    "app": "the application object of a face",
    "archive": "the archive",
    "blocks": "blocks of a message",
    "compare": "two branches side by side",
    "completion": "what may stand where somebody is typing",
    "conversation": "a conversation",
    "costs": "what something cost",
    "errors": "errors of a stage, and what they say",
    "export": "documents to keep",
    "find": "find in conversations",
    "folds": "what is folded",
    "fork": "fork",
    "goto": "goto",
    "header": "the head of a conversation",
    "health": "doctor",
    "help": "what commands and keys do",
    "hooks": "hooks",
    "index_updates": "what the index tells a face",
    "lanes": "columns of the branches of a tree",
    "line_diff": "differences by line",
    "list_rows": "rows of lists",
    "lists": "lists",
    "markdown": "Markdown",
    "messages": "messages",
    "metadata": "records that are no messages",
    "notes": "notes",
    "pieces": "what a conversation is shown as",
    "plan_preview": "what a plan would write",
    "presentation": "a conversation shown slide by slide",
    "projects": "projects",
    "repair": "repair",
    "search": "search",
    "search_hits": "hits of a search",
    "session": "a session",
    "sessions": "sessions",
    "slides": "slides of a presentation",
    "stats": "stats",
    "status": "status",
    "steps": "runs of steps",
    "style": "looks of a terminal",
    "todo_lists": "lists of todos",
    "tools": "tool calls",
    "travel": "time travel",
    "tree": "the tree",
    "turns": "turns",
    "undo": "undo",
    "usage": "usage",
    "zoom": "how near one looks at a tree",
}

# One module a command: the list is as long as the command line.
LONG_FOLDERS = {"cli/commands"}
LONGEST_FOLDER = 20

# Small modules with one importer, and why they stand alone.
SMALL_MODULES: dict[str, str] = {}
SMALL = 30

# English words that look like two of ours in one.
WHOLE_WORDS = {"openapi", "runtime", "timetravel"}


@cache
def modules(root: Path) -> tuple[Path, ...]:
    source = root / "src" / "bough"
    return tuple(
        path.relative_to(source)
        for path in sorted(source.rglob("*.py"))
        if path.name not in ("__init__.py", "__main__.py")
    )


@cache
def trees(root: Path) -> tuple[tuple[str, ast.Module], ...]:
    source = root / "src" / "bough"
    gc.disable()  # all of it stays: a search for garbage in millions of nodes finds none
    try:
        return tuple(
            (path.as_posix(), ast.parse((source / path).read_text(encoding="utf-8")))
            for path in modules(root)
        )
    finally:
        gc.enable()


def test_no_module_is_a_bare_gerund(root: Path) -> None:
    gerunds = [path.as_posix() for path in modules(root) if path.stem.endswith("ing")]

    assert gerunds == []


def test_a_public_class_name_occurs_once(root: Path) -> None:
    owners = defaultdict(list)
    for name, tree in trees(root):
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                owners[node.name].append(name)

    assert {name: found for name, found in owners.items() if len(found) > 1} == {}


def test_a_base_name_stands_once_in_a_package(root: Path) -> None:
    owners = Counter((path.parts[0], path.stem) for path in modules(root) if len(path.parts) > 1)

    assert [pair for pair, count in owners.items() if count > 1] == []


def test_a_base_name_that_stands_in_several_packages_names_one_feature(root: Path) -> None:
    counted = Counter(path.stem for path in modules(root))
    repeated = {stem for stem, count in counted.items() if count > 1}

    assert repeated == set(SHARED_NAMES)


def test_two_words_in_a_module_name_are_joined_by_an_underscore(root: Path) -> None:
    vocabulary = {word for path in modules(root) for word in path.stem.split("_") if len(word) > 2}
    vocabulary |= {folder for path in modules(root) for folder in path.parts[:-1]}
    glued = {
        word
        for word in vocabulary
        if any(
            word[:cut] in vocabulary and word[cut:] in vocabulary for cut in range(3, len(word) - 2)
        )
    }

    assert glued == WHOLE_WORDS


def test_no_folder_holds_more_modules_than_a_reader_takes_in(root: Path) -> None:
    counted = Counter(path.parent.as_posix() for path in modules(root))
    long = {folder for folder, count in counted.items() if count > LONGEST_FOLDER}

    assert long == LONG_FOLDERS


def test_a_small_module_with_one_importer_says_why_it_stands_alone(root: Path) -> None:
    small = set()
    importers = imports_of_modules(root)
    for path in modules(root):
        lines = (root / "src" / "bough" / path).read_text(encoding="utf-8").count("\n")
        if lines < SMALL and len(importers[dotted(path)]) == 1:
            small.add(path.as_posix())

    assert small == set(SMALL_MODULES)


def dotted(path: Path) -> str:
    return ".".join(("bough", *path.with_suffix("").parts))


def imports_of_modules(root: Path) -> dict[str, set[str]]:
    """Tell which modules import each module, whether by name or from its package."""
    importers: dict[str, set[str]] = defaultdict(set)
    for name, tree in trees(root):
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                importers[node.module].add(name)
                for alias in node.names:
                    importers[f"{node.module}.{alias.name}"].add(name)
    return importers


def test_a_class_is_a_noun_and_no_metaphor(root: Path) -> None:
    metaphors = re.compile(
        r"^(Knot|Story|Told|Teller|Telling|Said|Room|House|Ear|Desk|Deed|Sight|Till|Reel|Roll|"
        r"Sheet|Hues?|Seam|Twig|Stem|Shel(f|ves)|Errand|Glimpse|Standing|Course|Board|Cockpit)s?$"
    )
    found = [
        f"{name}: {node.name}"
        for name, tree in trees(root)
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and metaphors.match(node.name.lstrip("_"))
    ]

    assert found == []


METAPHORS = {
    *("cockpit", "deed", "desk", "errand", "glimpse", "knot", "lookout", "seam", "shelf"),
    *("shelves", "sheet", "strand", "teller", "telling", "tellings", "twig", "wish", "wishes"),
}


def name_in(node: ast.AST) -> str:
    match node:
        case ast.Name(id=name) | ast.arg(arg=name) | ast.Attribute(attr=name):
            return name
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return name
        case _:
            return ""


def test_no_name_has_a_metaphor_in_it(root: Path) -> None:
    found = {
        f"{path}: {name_in(node)}"
        for path, tree in trees(root)
        for node in ast.walk(tree)
        if METAPHORS.intersection(name_in(node).lower().split("_"))
    }

    # What a browser is styled by is called so everywhere.
    assert {one for one in found if not one.endswith("load_style_sheet")} == set()
