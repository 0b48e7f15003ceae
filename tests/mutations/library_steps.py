"""One mutated session through the library: read, understood, counted and written as documents."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import bough
from bough import BoughError
from tests.mutations.tally import Tally


def run_library(path: Path, tally: Tally) -> None:
    """Ask the library everything about a session; a sentence for an answer is fine."""
    name = f"{path.stem[:8]} of {path.parent.name}"

    def run(step: str, act: Callable[[], object]) -> object:
        return tally.run(f"{step} {name}", act, BoughError)

    session = run("read", lambda: bough.read_session(path))
    if not isinstance(session, bough.Session):
        return
    run("conversations", lambda: [one.messages for one in session.conversations])
    run("turns", lambda: [one.turns for one in session.conversations])
    run("tree", lambda: (session.tree, session.tips, session.branch_points))
    run("title", lambda: (session.title, session.origin))
    run("agents", lambda: [one.conversations for one in session.agents])
    run("outline", lambda: bough.outline(session))
    run("doctor", lambda: bough.doctor(session))
    run("remedies", lambda: bough.remedies(session))
    run("usage", lambda: session.usage)
    run("cost", lambda: session.cost(agents=True))
    run("calls", lambda: session.calls(agents=True))
    run("find", lambda: list(bough.find("tree", session)))
    for to in ("md", "html", "json"):
        make = partial(bough.export, session, to=to, redact=True, all_branches=True)
        run(f"export {to}", make)
    run("export for a model", lambda: bough.export(session, for_llm=True, redact=True, budget="4k"))
