"""A sample of the mutated files; `make test-mutations` takes thousands of them everywhere."""

from pathlib import Path
from random import Random

import pytest

from bough.errors import Misuse
from tests.mutations.command_steps import judge, run_commands, run_here, run_session_commands
from tests.mutations.library_steps import run_library
from tests.mutations.mutated_files import write_mutations
from tests.mutations.mutators import MUTATORS, Mutator
from tests.mutations.sources import Source, list_sources
from tests.mutations.tally import Tally
from tests.mutations.web_requests import run_requests

SEED = 14
FILES = 24


@pytest.fixture(scope="module")
def sources() -> list[Source]:
    """Give the made-up sessions."""
    return list_sources()


@pytest.fixture(scope="module")
def mutated(tmp_path_factory: pytest.TempPathFactory, sources: list[Source]) -> list[Path]:
    """Write a sample, and give the sessions' own files."""
    folder = tmp_path_factory.mktemp("mutated") / ".claude"
    return write_mutations(folder, range(FILES), sources, SEED)


def history_of(files: list[Path]) -> Path:
    return files[0].parents[2]


@pytest.mark.slow
def test_the_library_answers_whatever_the_file(mutated: list[Path]) -> None:
    tally = Tally()

    for path in mutated:
        run_library(path, tally)
        run_session_commands(path, tally)

    assert tally.problems == []
    assert tally.steps > FILES * 10


@pytest.mark.slow
def test_the_commands_answer_whatever_the_files(mutated: list[Path], tmp_path: Path) -> None:
    tally = Tally()

    run_commands(history_of(mutated), tmp_path / "index.sqlite", tally, is_apart=False)

    assert tally.problems == []


@pytest.mark.slow
def test_the_web_app_answers_whatever_the_files(mutated: list[Path], tmp_path: Path) -> None:
    tally = Tally()

    run_requests(history_of(mutated), tmp_path, [path.stem for path in mutated], tally)

    assert tally.problems == []
    assert tally.steps > FILES * 5


@pytest.mark.parametrize("mutator", dict.fromkeys(MUTATORS), ids=lambda one: one.__name__)
def test_a_mutator_spoils_and_one_seed_gives_one_file(
    sources: list[Source], mutator: Mutator
) -> None:
    data = sources[0]["{id}.jsonl"]

    made = [mutator(Random(number), data) for number in range(20)]

    assert any(one != data for one in made)
    assert made == [mutator(Random(number), data) for number in range(20)]


def test_one_seed_makes_the_same_files(tmp_path: Path, sources: list[Source]) -> None:
    first = write_mutations(tmp_path / "a", range(10), sources, SEED)
    second = write_mutations(tmp_path / "b", range(10), sources, SEED)

    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]


def test_the_tally_sees_an_exception_and_lets_a_sentence_pass() -> None:
    tally = Tally()

    tally.run("divide", lambda: 1 // 0)
    tally.run("refuse", _refuse, Misuse)

    assert tally.steps == 2
    [problem] = tally.problems
    assert problem.startswith("divide: ZeroDivisionError")


def test_the_tally_sees_what_takes_too_long() -> None:
    tally = Tally()

    tally.add("quick", 4.9)
    tally.add("slow", 5.1)

    assert tally.problems == ["slow: took 5.1 s"]


def test_a_refused_command_line_is_a_problem() -> None:
    code, said = run_here(["sessions", "--nonsense"])

    assert judge(code, said) is not None
    assert judge(1, "bough stopped on an error of its own: KeyError") is not None
    assert judge(1, "No session.") is None


def _refuse() -> None:
    raise Misuse("No.")
