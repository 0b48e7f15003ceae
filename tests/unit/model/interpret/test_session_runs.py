"""Sessions in the background and in the cloud are told from those that a person typed."""

import pytest

from bough.model.interpret.session_runs import classify_run
from bough.sample import session
from tests.unit.model.opened import opened


@pytest.mark.parametrize(
    ("entrypoint", "kind", "run"),
    [
        ("cli", None, "typed"),
        (None, None, "typed"),
        ("claude-vscode", None, "typed"),
        ("sdk-py", None, "program"),
        ("remote", None, "cloud"),
        ("remote_mobile", None, "cloud"),
        ("cli", "bg", "background"),
        ("remote_trigger", "bg", "background"),
        ("cli", "new", "typed"),
    ],
)
def test_a_session_runs_as_its_records_say(
    entrypoint: str | None, kind: str | None, run: str
) -> None:
    assert classify_run(entrypoint, kind) == run


def test_one_record_is_enough_to_know_a_session_in_the_background() -> None:
    builder = session().user("a").assistant("b", sessionKind="bg")

    assert opened(builder).run == "background"
    assert opened(session().user("a")).run == "typed"
