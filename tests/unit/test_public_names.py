import subprocess
import sys
from importlib import import_module

import pytest

import bough
from bough.errors import BoughError


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
