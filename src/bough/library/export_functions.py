"""Documents: a conversation as Markdown, HTML, JSON or slides, and projects as small sites."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, TypedDict, Unpack

from bough.errors import BoughError, Misuse
from bough.export.document import Export, export_session
from bough.export.document_options import (
    DEFAULT_BUDGET,
    ExportFormat,
    ExportOptions,
    parse_budget,
)
from bough.export.save import check_file, check_folder, make_folder, save_file
from bough.export.site import SitePage, write_site
from bough.library.parameters import ClaudeDir, Folder, SessionLike, as_dirs, as_session
from bough.query.lists.projects import project_listings
from bough.query.lookup import find_project
from bough.query.sessions.session_parts import find_message

_SUFFIXES: Final = {
    ".md": ExportFormat.MARKDOWN,
    ".markdown": ExportFormat.MARKDOWN,
    ".html": ExportFormat.HTML,
    ".htm": ExportFormat.HTML,
    ".json": ExportFormat.JSON,
}


class ExportChoices(TypedDict, total=False):
    """What an export holds; what is not named is as in `bough export`.

    Everything is in by default but what looks like a secret, which `redact=False` keeps.
    `redact_emails` hides e-mail addresses too. `budget` is a number of tokens, or words such as
    50k and 200kB.
    """

    all_branches: bool
    agents: bool
    thinking: bool
    tools: bool
    results: bool
    redact: bool
    redact_emails: bool
    for_llm: bool
    budget: int | str


def export(
    session: SessionLike,
    output: Folder | None = None,
    *,
    to: str | None = None,
    tip: str | None = None,
    force: bool = False,
    claude_dir: ClaudeDir = None,
    **choices: Unpack[ExportChoices],
) -> Export:
    """Make a document of a session, from its start to the active tip; write it where asked.

    Args:
        session: A session, its file, the beginning of its id, or `latest`.
        output: A file to write; without one, the document is only given.
        to: md, html, json or present; else by the name of the file, else md.
        tip: The branch that goes through this message, by the beginning of its uuid.
        force: Write over a file that is there.
        claude_dir: Where ids are looked for; by default the usual places.
        **choices: What is in the document; see `ExportChoices`.

    Raises:
        BoughError: The session holds no conversation.
        Misuse: The file may not be written, or is there already.
    """
    read = as_session(session, claude_dir)
    message = find_message(read, tip) if tip is not None else None
    include = make_options(choose_format(to, output), message, **choices)
    if include.all_branches and include.to is ExportFormat.PRESENT:
        raise Misuse("A presentation shows one branch; name it with tip.")
    file = Path(output).expanduser() if output is not None else None
    if file is not None:
        check_file(file, _list_claude_folders(claude_dir, read.path), force=force)
    if not read.tips and not read.conversation().messages:
        raise BoughError(f"Session {read.id[:8]} holds no conversation.")
    made = export_session(read, include)
    if file is not None:
        save_file(file, made.body)
    return made


def export_site(
    projects: Sequence[str],
    output: Folder,
    *,
    to: str = ExportFormat.HTML,
    force: bool = False,
    claude_dir: ClaudeDir = None,
    progress: Callable[[int, int], None] = lambda _done, _all: None,
    **choices: Unpack[ExportChoices],
) -> list[SitePage]:
    """Write every session of some projects as a page, and the list that leads to them.

    Args:
        projects: Projects, as people name them.
        output: The folder to write into.
        to: html or md.
        force: Write into a folder that is not empty.
        claude_dir: A folder such as `~/.claude`, or several; by default the usual places.
        progress: Is told how many sessions of how many were written.
        **choices: What is in the pages; see `ExportChoices`.
    """
    include = make_options(ExportFormat(to), None, **choices)
    if include.to not in (ExportFormat.HTML, ExportFormat.MARKDOWN) or include.for_llm:
        raise Misuse("A site is written as html or md, and for people.")
    folder = Path(output).expanduser()
    check_folder(folder, _list_claude_folders(claude_dir, None), force=force)
    listings = project_listings(as_dirs(claude_dir))
    chosen = [find_project(name, listings) for name in projects]
    make_folder(folder)
    return write_site(chosen, include, folder, progress)


def choose_format(to: str | None, output: Folder | None = None) -> ExportFormat:
    """Choose the form of a document: the one that is named, else by the file's name."""
    if to is not None:
        return ExportFormat(to)
    return _SUFFIXES.get(Path(output or "").suffix.lower(), ExportFormat.MARKDOWN)


def make_options(
    to: ExportFormat, tip: str | None, **choices: Unpack[ExportChoices]
) -> ExportOptions:
    """Put choices into one value."""
    budget = choices.get("budget", DEFAULT_BUDGET)
    return ExportOptions(
        to=to,
        tip=tip,
        all_branches=choices.get("all_branches", False),
        agents=choices.get("agents", True),
        thinking=choices.get("thinking", True),
        tools=choices.get("tools", True),
        results=choices.get("results", True),
        redact=choices.get("redact", True),
        emails=choices.get("redact_emails", False),
        for_llm=choices.get("for_llm", False),
        budget=parse_budget(budget) if isinstance(budget, str) else budget,
    )


def _list_claude_folders(claude_dir: ClaudeDir, session: str | None) -> list[Path]:
    """List the Claude folders that were named, and the one a session lies in."""
    named = [Path(folder).expanduser() for folder in as_dirs(claude_dir)]
    parents = Path(session).absolute().parents if session is not None else ()
    above = [place.parent for place in parents if place.name == "projects"]
    return [*named, *above]
