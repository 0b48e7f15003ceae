"""`bough resume`: find a session, go to its folder and start the client on it."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from bough import library
from bough.cli import output
from bough.cli.arguments import check_name, find_session_file, get_claude_folders
from bough.cli.claude_client import print_resume_command, require_client, start_client
from bough.cli.data_source import label_projects, open_lists
from bough.cli.options import Globals, command, pass_globals
from bough.cli.prompts import choose_line
from bough.errors import AmbiguousSession, BoughError, ExitCode, NotFound, SessionNotFound
from bough.library import shorten_id
from bough.terminal import clock
from bough.terminal.canvas import Canvas
from bough.terminal.text import one_line, pad, width

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bough.library import SessionRow

_ID: Final = re.compile(r"[0-9a-f][0-9a-f-]{3,35}", re.IGNORECASE)
_MOST: Final = 10
_HITS: Final = 50


@command("resume")
@click.argument("words", nargs=-1, metavar="[SESSION | WORDS...]")
@click.option("--print", "only_print", is_flag=True, help="Print the command; start nothing.")
@pass_globals
def resume(given: Globals, words: tuple[str, ...], *, only_print: bool) -> int:
    """Start the client on a session, in the folder where it finds it.

    SESSION is a path, the beginning of an id, or latest. WORDS are words of its title, else of
    what was asked in it. Where several sessions fit, a list is shown to choose from; without
    words it has the newest ones.

    \b
    bough resume csv import
    bough resume 3f9c --print
    """  # noqa: D301 - click wants a real backspace
    wanted = " ".join(check_name(word) for word in words)
    path, title = _find_session(given, wanted)
    found = library.resume_command(path)
    if found.kind != "resume":
        raise BoughError(found.note)
    if given.json:
        document = {
            "session": found.session,
            "title": title,
            "path": str(path),
            "folder": found.folder,
            "folder_gone": found.is_folder_gone,
            "resume": found.text,
        }
        output.emit_json(document, output.detect_screen(given.color))
        return ExitCode.FINE
    named = f"{shorten_id(found.session)}  {one_line(title)}".rstrip()
    output.say(f"Session {named}")
    if only_print:
        print_resume_command(found)
        return ExitCode.FINE
    if found.note:
        raise BoughError(f"{found.note} Nothing was started.")
    require_client("Nothing was started. With --print the command is only printed.")
    return start_client(found)


def _find_session(given: Globals, wanted: str) -> tuple[Path, str]:
    """Find the session that is meant, and its title."""
    missing: SessionNotFound | None = None
    if wanted == "latest" or wanted.endswith(".jsonl") or _ID.fullmatch(wanted):
        try:
            path = find_session_file(given, wanted)
        except SessionNotFound as error:
            missing = error  # a word may look like an id: decade, facade
        except AmbiguousSession as error:
            rows, names = _list_sessions(given)
            fitting = [row for row in rows if row.id in error.matches]
            return _choose_session(fitting, names, f'"{wanted}" begins {len(fitting)} ids:')
        else:
            return path, library.read_session(path).title
    rows, names = _list_sessions(given)
    if not wanted:
        return _choose_session(rows[:_MOST], names, "The newest sessions:", always=True)
    fitting = _find_by_title(rows, wanted) or _find_by_prompt(given, rows, wanted)
    if not fitting:
        raise missing or NotFound(
            f'No session has "{wanted}" in its id, its title or its prompts. '
            "bough sessions lists them."
        )
    return _choose_session(fitting, names, f'"{wanted}" fits {len(fitting)} sessions:')


def _list_sessions(given: Globals) -> "tuple[list[SessionRow], dict[str, str]]":
    """List the sessions that are there, newest first, and the names of their projects."""
    with open_lists(given) as found:
        rows = [row for row in found.sessions().rows if row.deleted_at is None]
        return rows, label_projects(found.projects())


def _find_by_title(rows: "Sequence[SessionRow]", wanted: str) -> "list[SessionRow]":
    """Find the sessions whose titles have all the words; a title that is just them wins."""
    words = wanted.casefold().split()
    fitting = [row for row in rows if all(word in row.title.casefold() for word in words)]
    same = [row for row in fitting if row.title.casefold().split() == words]
    return same or fitting


def _find_by_prompt(
    given: Globals, rows: "Sequence[SessionRow]", wanted: str
) -> "list[SessionRow]":
    """Find the sessions in which something with all the words was asked."""
    words = " ".join(f'"{word}"' for word in re.findall(r"\w+", wanted))
    if not words:
        return []
    index = check_name(given.index) if given.index is not None else None
    page = library.search(
        f"{words} kind:prompt", limit=_HITS, claude_dir=get_claude_folders(given), index=index
    )
    asked = {hit.session for hit in page.hits}
    return [row for row in rows if row.id in asked]


def _choose_session(
    rows: "Sequence[SessionRow]", names: dict[str, str], head: str, *, always: bool = False
) -> tuple[Path, str]:
    """Take the only one, or let a person choose."""
    if not rows:
        raise BoughError("There is no session to resume here.")
    at = 0
    if always or len(rows) > 1:
        lines = _describe_rows(rows, names)
        at = choose_line(head, lines, f"bough resume {shorten_id(rows[0].id)}", most=_MOST)
    return Path(rows[at].path), rows[at].title


def _describe_rows(rows: "Sequence[SessionRow]", names: dict[str, str]) -> list[str]:
    """Write the rows to choose from, in columns."""
    canvas = Canvas(clock.now(), words=clock.read_time_words())
    times = canvas.list_times(row.ended_at for row in rows)
    projects = [one_line(names.get(row.project, row.project)) for row in rows]
    widest_time, widest_project = max(map(width, times)), max(map(width, projects))
    return [
        f"{shorten_id(row.id)}  {pad(when, widest_time)}  {pad(project, widest_project)}  "
        f"{one_line(row.title)}"
        for row, when, project in zip(rows, times, projects, strict=True)
    ]
