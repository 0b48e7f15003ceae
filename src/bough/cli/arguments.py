"""What a command was asked about: a session, a project, Claude folders.

Words of the command line become values here, in the same way for every command. What could
not be read on the way is said on stderr; the rest is shown.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from bough.cli import output
from bough.cli.options import Globals
from bough.errors import ExitCode, Misuse, TipNotFound

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bough.files.directory import Problem
    from bough.model.session import Session

_SHOWN = 10


def get_claude_folders(given: Globals) -> list[str]:
    """Give the Claude folders that were named; none means the usual ones."""
    return [check_name(folder) for folder in given.claude_dirs]


def check_name(text: str) -> str:
    """Refuse what can be no name of anything."""
    if "\0" in text:
        raise Misuse("A name holds a NUL character, which no file, session or project has.")
    if not text.strip():
        raise Misuse("A name is empty. bough sessions lists what there is.")
    return text


def load_session(given: Globals, wanted: str, client: str | None = None) -> "Session":
    """Read the session a person means, as their client or another version would resume it."""
    from bough.query.sessions.load_session import read_session  # noqa: PLC0415 - 50 ms; lists read no session

    seen_by = check_version(client) if client is not None else None
    return read_session(find_session_file(given, wanted), client=seen_by)


def find_session_file(given: Globals, wanted: str) -> Path:
    """Find the file of the session a person means."""
    from bough.query.lookup import find_session  # noqa: PLC0415 - 60 ms; lists look for none

    return find_session(check_name(wanted), get_claude_folders(given))


def find_message(session: "Session", wanted: str) -> str:
    """Find the message a person means by the beginning of its uuid."""
    prefix = check_name(wanted)
    number = session.tree.number
    if prefix in number:
        return prefix
    folded = prefix.casefold()
    found = {number[uuid]: uuid for uuid in number if uuid.casefold().startswith(folded)}
    if not found:
        raise TipNotFound(wanted, session.id)
    if len(found) > 1:
        names = ", ".join(uuid[: len(prefix) + 4] for uuid in list(found.values())[:4])
        raise Misuse(f'"{wanted}" fits {len(found):,} messages: {names}. Give more characters.')
    return session.tree.uuid(*found)


def check_version(text: str) -> str:
    """Check that a text is a client's version."""
    from bough.model.tree.active_tip import parse_version  # noqa: PLC0415 - 15 ms, rarely asked

    if parse_version(text) is None:
        raise Misuse(f"{text} is no version of the client, such as 2.1.120.")
    return text


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
