"""Sessions that are going on: where each stands, and everything as it happens."""

import threading
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from bough.config import claude_dirs, index_path
from bough.library.parameters import (
    ClaudeDir,
    Folder,
    IndexLike,
    as_dirs,
    as_index_path,
    as_moment,
)
from bough.query.live.running_sessions import LiveSession, list_live_sessions

if TYPE_CHECKING:
    from bough.query.live.stream import Stream
    from bough.store.protocol import Store


def status(
    claude_dir: ClaudeDir = None,
    *,
    since: str | datetime = "12h",
    quick: bool = False,
    now: datetime | None = None,
) -> list[LiveSession]:
    """List sessions with a client that runs, or with recent activity; the most urgent first.

    Args:
        claude_dir: A folder such as `~/.claude`, or several; by default the usual places.
        since: What counts as recent: 12h, today, or a moment.
        quick: Read only the ends of files; costs are not known then.
        now: The moment it is asked; by default the clock's.
    """
    begin = as_moment(since, now, "12h, today or yesterday")
    return list_live_sessions(as_dirs(claude_dir), since=begin, quick=quick, now=now)


def refresh_status_numbers(claude_dir: ClaudeDir = None, *, index: IndexLike = None) -> None:
    """Count what `bough statusline` shows of the day, the block and other sessions, and keep it.

    Args:
        claude_dir: The Claude folder whose sessions ask; by default the client's own.
        index: Where the index is; without one the files of today are read.
    """
    # A status bar asks every few seconds, and needs none of this.
    from bough.query.live.status_numbers import refresh_numbers  # noqa: PLC0415

    folder = claude_dirs([Path(one) for one in as_dirs(claude_dir)])[0]
    chosen = as_index_path(index)
    refresh_numbers(folder, Path(chosen) if chosen else None)


def watch(  # noqa: PLR0913 - one for each option of the command
    what: Sequence[str] = (),
    claude_dir: ClaudeDir = None,
    *,
    only: Sequence[str] = (),
    tools: bool | None = None,
    agents: bool | None = None,
    since: str | datetime = "10m",
    tip: str | None = None,
    index: IndexLike = None,
    no_index: bool = False,
    stop: threading.Event | None = None,
    complain: Callable[[str], None] = lambda _: None,
    now: datetime | None = None,
) -> "Stream":
    """Follow sessions: the recent past, then everything as it happens.

    Use it in a `with`, and iterate over it: each event is a `StreamEvent`.

    Args:
        what: Projects and sessions, as people name them; none: everything.
        claude_dir: A folder such as `~/.claude`, or several; by default the usual places.
        only: Only these: thinking, text, tools, prompts, states, errors.
        tools: With or without tool calls.
        agents: With or without what agents do.
        since: How far back to begin: 10m, 2h, now, or a moment.
        tip: Only the branch through this message, of the one session that is named.
        index: Where the index is that is kept current meanwhile, where there is one.
        no_index: Do not keep the index current.
        stop: When it is set, nobody waits any longer.
        complain: Is told why the index cannot be kept current.
        now: The moment it is asked; by default the clock's.
    """
    # A status bar asks every few seconds, and needs none of this.
    from bough.query.live.event_filter import choose_events  # noqa: PLC0415
    from bough.query.live.stream import open_stream  # noqa: PLC0415

    is_shown = choose_events(only, tools=tools, agents=agents)
    begin = as_moment(since, now, "10m, 2h, 14:30 or yesterday")
    dirs = as_dirs(claude_dir)
    stream = open_stream(
        dirs,
        what,
        since=begin,
        tip=tip,
        stop=stop,
        store=None if no_index else _find_index(dirs, as_index_path(index)),
        complain=complain,
    )
    stream.is_shown = is_shown
    return stream


def _find_index(dirs: Sequence[Folder], index: Folder | None) -> "Callable[[], Store] | None":
    """Give what opens the index where there is one; a watch makes none."""
    from bough.query.index.handle import index_exists  # noqa: PLC0415 - see above

    if not index_exists(dirs, index):
        return None
    path = index_path(Path(index) if index else None, claude_dirs([Path(d) for d in dirs]))

    def open_store() -> "Store":
        from bough.store.sqlite.store import SqliteStore  # noqa: PLC0415 - only with an index

        return SqliteStore(path)

    return open_store
