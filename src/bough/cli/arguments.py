"""What a command was asked about: a session, a project, Claude folders.

Words of the command line become values here, in the same way for every command. What could
not be read on the way is said on stderr; the rest is shown.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from bough import library
from bough.cli import output
from bough.cli.options import Globals
from bough.errors import ExitCode, Misuse

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bough.files.directory import Problem
    from bough.library import DeletionForecast, SessionRow
    from bough.model.session import Session

_SHOWN = 10


def get_claude_folders(given: Globals) -> list[str]:
    """Give the Claude folders that were named; none means the usual ones."""
    return [check_name(folder) for folder in given.claude_dirs]


def check_name(text: str) -> str:
    """Refuse what can be no name of anything."""
    if "\0" in text:
        raise Misuse("The name contains a NUL character, which no file, session or project has.")
    if not text.strip():
        raise Misuse("The name is empty. bough sessions lists what there is.")
    return text


def load_session(given: Globals, wanted: str, client: str | None = None) -> "Session":
    """Read the session a person means, as their client or another version would resume it."""
    session = library.read_session(check_name(wanted), get_claude_folders(given), client=client)
    if (
        given.store is None
        and session.path
        and (words := library.find_kept_place(session.path).words)
    ):
        output.say(f"Session {session.id[:8]}: {words}. bough restore {session.id[:8]} returns it.")
    return session


def load_newest(
    given: Globals, wanted: str, client: str | None = None, *, whole: bool
) -> "Session":
    """Read the session a person means, to be drawn: unless whole, so much as is drawn at once."""
    session = load_session(given, wanted, client)
    drawn = session if whole else library.keep_drawable(session)
    if drawn is not session:
        output.say(
            f"Session {session.id[:8]} has {len(session.records):,} records. Shown are the newest "
            f"{len(drawn.records):,}, and all numbers are of these. --whole shows all."
        )
    return drawn


def find_session_file(given: Globals, wanted: str) -> Path:
    """Find the file of the session a person means."""
    return library.find_session(check_name(wanted), get_claude_folders(given))


def find_message(session: "Session", wanted: str) -> str:
    """Find the message a person means by the beginning of its uuid."""
    return library.find_message(session, check_name(wanted))


def annotate_rows(rows: "Iterable[SessionRow]", *, required: bool) -> "list[SessionRow]":
    """Put stars and notes into rows; where they cannot be read, say so unless they are needed."""
    if required:
        return library.annotate_sessions(rows, library.load_annotations())
    annotations, trouble = library.load_readable_annotations()
    if trouble:
        output.say(trouble)
    return library.annotate_sessions(rows, annotations)


def describe_forecast(forecast: "DeletionForecast") -> str:
    """Say what the client deletes next, and how to keep what is not kept; empty without any."""
    if not forecast.sentence:
        return ""
    remedy = " bough archive keeps them." if forecast.not_kept else ""
    return f"{forecast.sentence}.{remedy}"


def report_problems(problems: "Iterable[Problem | str]", *, rest: bool = False) -> bool:
    """Say what could not be read, each in a sentence; tell whether there was anything.

    Args:
        problems: What went wrong.
        rest: Whether there is something else, and it is shown.
    """
    reasons = (problem if isinstance(problem, str) else problem.reason for problem in problems)
    sentences = list(dict.fromkeys(reasons))
    for sentence in sentences[:_SHOWN]:
        output.say(f"{sentence} The rest is shown." if rest else sentence)
    if len(sentences) > _SHOWN:
        output.say(f"{len(sentences) - _SHOWN:,} more files could not be read.")
    return bool(sentences)


def choose_exit_code(rows: int, *, trouble: bool) -> ExitCode:
    """Choose the exit code of a list: it failed when trouble left nothing to show."""
    return ExitCode.FAILED if trouble and not rows else ExitCode.FINE
