import runpy
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import bough
from bough.errors import BoughError

CALLS = """
    annotate annotations export_annotations hide_project import_annotations star unstar
    apply branch check_index compare conversations doctor explain_usage export export_site
    find fork goto history index lineage move outline plans preview projects prune_backups
    read_session remedies rename repair restore resume_command search sessions sql stats status
    suggest_query sum_usage tables undo usage watch
"""
TYPES = """
    Annotation ImportReport
    Agent AppliedOperation BackupReport BadLine BoughError BranchComparison BranchPoint CallResult
    Conversation ConversationRow Explanation Export Finding Health Hit IndexCheck IndexHandle
    LiveSession Message Operation Origin Picture Plan PlanLinks Project Record Remedy ResumeCommand
    SearchPage Session SessionMatches SessionOutline SessionRow SitePage SqlResult StatsReport
    Stream StreamEvent Suggestion TableColumns TextBlock TextMatch Tip Tokens ToolBlock
    ToolCall Tree Turn Usage UsageTotal UsageRow UsageTable
"""


def test_the_public_names_are_these() -> None:
    """Whoever adds or takes away a name does it on purpose, and in docs/library.md."""
    assert set(bough.__all__) == {"__version__", *CALLS.split(), *TYPES.split()}


@pytest.mark.parametrize("name", bough.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(bough, name) is not None
    assert name in dir(bough)


def test_public_names_are_those_of_the_library() -> None:
    library = import_module("bough.library")

    assert bough.read_session is library.read_session
    assert bough.BoughError is BoughError


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'bough' has no attribute 'nonsense'"):
        bough.nonsense  # noqa: B018 - asking for it is the act


def test_the_module_runs_as_a_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "bough", "--version"], capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == f"bough {bough.__version__}"


def test_every_name_of_the_library_is_there() -> None:
    library = import_module("bough.library")

    assert set(library.__all__) == set(library._MODULES)
    for name in library.__all__:
        assert getattr(library, name) is not None


def test_type_checkers_know_the_same_names() -> None:
    scripts = Path(__file__).parents[2] / "scripts"
    stub = runpy.run_path(str(scripts / "library_stub.py"))

    assert stub["STUB"].read_text(encoding="utf-8") == stub["build_stub"](), (
        "run scripts/library_stub.py"
    )


def test_an_unknown_name_of_the_library_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        import_module("bough.library").nonsense  # noqa: B018 - asking for it is the act


def test_a_package_does_not_take_the_place_of_a_function() -> None:
    import_module("bough.export.document")

    assert callable(bough.export)
    assert bough.export is import_module("bough.library.export_functions").export
