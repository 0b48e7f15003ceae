"""How much of a budget is spent is said by every face with the same numbers and words."""

import contextlib
import io
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import Struct

import bough
from bough import library
from bough.cli.main import run
from bough.query.index.handle import open_index
from bough.sample import session
from bough.sample.demo import write_demo
from bough.terminal.list_cells import format_budget_mark
from bough.terminal.style import UNICODE
from bough.tui.data import LibraryQueries
from tests.unit.query.usage.usage_home import OPUS
from tests.unit.query.usage.usage_home import spent as spent_tokens
from tests.web.serving import Served

pytestmark = pytest.mark.slow

OVER = "3f9c"


class SpentHistory(Struct, frozen=True):
    """A history with budgets: some sessions are near theirs, one that goes on is over it."""

    claude: Path
    index: Path
    served: Served

    def ask(self, *words: str) -> tuple[str, str]:
        """Give what a command writes to stdout and stderr."""
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
        where = ["--claude-dir", str(self.claude), "--index", str(self.index)]
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            assert run([*where, *words]) == 0
        texts = []
        for stream in (out, err):
            stream.flush()
            texts.append(stream.buffer.getvalue().decode())
        return texts[0], texts[1]

    def ask_json(self, *words: str) -> Any:
        """Give the JSON of a command."""
        return msgspec.json.decode(self.ask(*words, "--json")[0])


@pytest.fixture(scope="module")
def spent(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SpentHistory]:
    """Set budgets, and serve the sample."""
    folder = tmp_path_factory.mktemp("spent").resolve()
    now = datetime.now(UTC)
    claude = write_demo(folder, now)
    # What the sample has of today depends on the hour; this one goes on at any.
    goes_on = session("goes on", start=now - timedelta(minutes=2)).user("Rename the module")
    goes_on.assistant("Renamed.", model=OPUS, usage=spent_tokens(500_000, 100_000)).write(claude)
    index = folder / "index.sqlite"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_DATA_HOME", str(folder / "data"))
        patch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
        library.change_budgets(session=3, day=12)
        open_index([claude], index).close()
        with Served(claude, folder) as served:
            yield SpentHistory(claude, index, served)


def document_of(share: library.BudgetShare | None) -> Any:
    return msgspec.to_builtins(share)


def test_every_list_marks_the_same_sessions(spent: SpentHistory) -> None:
    rows = bough.sessions(claude_dir=spent.claude, index=spent.index)
    marks = {row.id: document_of(row.budget) for row in rows if row.budget is not None}
    shown = LibraryQueries([str(spent.claude)], str(spent.index)).sessions(None)
    served = spent.served.get("/api/sessions?limit=500")["rows"]
    table = spent.ask("sessions")[0].splitlines()

    assert {mark["is_over"] for mark in marks.values()} == {True, False}
    assert any(session.startswith(OVER) for session in marks)
    assert len(marks) < len(rows)
    told = {row["id"]: row["budget"] for row in spent.ask_json("sessions") if "budget" in row}
    assert told == marks
    assert {row.id: document_of(row.budget) for row in shown.rows if row.budget} == marks
    assert {row["id"]: row["budget"] for row in served if row["budget"]} == marks
    for row in rows:
        (line,) = (one for one in table if one.startswith(row.id[:8]))
        assert (UNICODE.budget in line) == (row.id in marks)
        assert format_budget_mark(row.budget, UNICODE) in line


def test_what_goes_on_is_marked_as_in_the_lists(spent: SpentHistory) -> None:
    marks = {row.id: document_of(row.budget) for row in bough.status(spent.claude)}
    served = spent.served.get("/api/live")["sessions"]
    shown, _ = spent.ask("status")

    assert any(marks.values())
    assert {row["id"]: row["budget"] for row in spent.ask_json("status")} == marks
    assert {row["id"]: row["budget"] for row in served} == marks
    assert shown.count(UNICODE.budget) == sum(mark is not None for mark in marks.values())


def test_how_much_of_the_day_is_spent_is_one_number(spent: SpentHistory) -> None:
    share = library.day_budget(spent.claude, index=spent.index)
    home = LibraryQueries([str(spent.claude)], str(spent.index)).load_projects()
    guard = spent.ask_json("guard")

    assert share is not None
    assert share.spent_usd == guard["day_usd"]
    assert home.day_budget == share
    assert spent.served.get("/api/usage/totals")["budget"] == document_of(share)
    assert f"{share.words[:1].upper()}{share.words[1:]}." in spent.ask("status")[1].splitlines()
