"""`bough find`: words in a session, with what stands around them and on which branch."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from bough.cli import output
from bough.cli.arguments import find_session_file, get_claude_folders, report_problems
from bough.cli.options import Globals, command, pass_globals
from bough.cli.travel import make_canvas
from bough.cli.travel_documents import match_document
from bough.errors import ExitCode, Misuse, Unreadable
from bough.query.lists.projects import project_listings
from bough.query.sessions.load_session import read_session
from bough.terminal.text import one_line
from bough.timetravel.plans.find import find_text as find_in

if TYPE_CHECKING:
    from bough.model.session import Session
    from bough.timetravel.plans.find import TextMatch

# What no JSON writer escapes, so that a file's bytes tell whether it is worth reading.
_AS_WRITTEN: Final = re.compile(r"[A-Za-z0-9 _.,:;()=+-]+")


@command("find")
@click.argument("text")
@click.argument("session", required=False)
@pass_globals
def find(given: Globals, text: str, session: str | None) -> int:
    """Find TEXT in SESSION or in all sessions: each place with what is around it.

    SESSION is a path, the beginning of an id, or latest. TEXT is looked for as it is, in any
    case, in what was said, thought, called and answered. The ids are those that bough fork
    and bough goto take. bough search asks the index, and knows filters.
    """
    if not text.strip():
        raise Misuse("Nothing to find. Name some words, as in bough find checkpoint.")
    problems: list[str] = []
    found = _find_matches(given, text, session, problems)
    screen = output.detect_screen(given.color)
    count = 0
    if given.json:
        documents = [match_document(s.id, match) for s, matches in found for match in matches]
        count = len(documents)
        output.emit_json(documents, screen)
    else:
        first = next(found, None)
        if first is not None:
            count = 1
            output.page_lines(_render_lines(given, first, found), screen)
    output.flush_output()
    report_problems(problems, rest=bool(count))
    if not count:
        where = f"session {session}" if session is not None else "any session"
        output.say(f'Nothing in {where} has "{one_line(text)}".')
    return ExitCode.FINE if count else ExitCode.FAILED


def _find_matches(
    given: Globals, text: str, wanted: str | None, problems: list[str]
) -> "Iterator[tuple[Session, list[TextMatch]]]":
    """Look into one session or all of them, the newest first."""
    paths = [find_session_file(given, wanted)] if wanted is not None else _list_all_sessions(given)
    for path in paths:
        try:
            if wanted is None and not _can_contain(path, text):
                continue
            session = read_session(path)
        except Unreadable as error:
            if wanted is not None:
                raise
            problems.append(error.message)
            continue
        if matches := find_in(session, text):
            yield session, matches


def _list_all_sessions(given: Globals) -> list[Path]:
    sessions = [s for p in project_listings(get_claude_folders(given)) for s in p.sessions]
    sessions.sort(key=lambda session: session.mtime_ns, reverse=True)
    return [session.path for session in sessions if session.path is not None]


def _can_contain(path: Path, text: str) -> bool:
    """Tell from the bytes alone whether a file can have some words."""
    if not _AS_WRITTEN.fullmatch(text):
        return True
    try:
        data = path.read_bytes()
    except OSError:
        return True  # reading it says why
    return re.search(re.escape(text.encode()), data, re.IGNORECASE) is not None


def _render_lines(
    given: Globals,
    first: "tuple[Session, list[TextMatch]]",
    rest: "Iterator[tuple[Session, list[TextMatch]]]",
) -> Iterator[str]:
    from bough.terminal.reports.find_matches import render_matches  # noqa: PLC0415 - 17 ms; JSON needs none of it

    sheet = make_canvas(given)
    yield from render_matches(*first, sheet)
    for session, matches in rest:
        yield ""
        yield from render_matches(session, matches, sheet)
