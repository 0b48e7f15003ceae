"""The archive in rows: what is kept, what the client deletes next, what it deleted."""

from collections.abc import Iterator
from functools import partial
from typing import Final

from bough.errors import with_tilde
from bough.library import (
    ArchiveProgress,
    ArchiveStatus,
    ExpiringSession,
    GoneSessionCopy,
    describe_contents,
    describe_later,
    describe_retention,
)
from bough.model.text.formats import format_count, format_plural, format_size
from bough.terminal.canvas import Canvas
from bough.terminal.style import Glyphs, Role, Span, StyledLine
from bough.terminal.text import one_line
from bough.tui.data import ArchiveData
from bough.tui.widgets.cells import align_cells
from bough.tui.widgets.list_items import ListItem, draw_text, make_blank_item, make_line_item

_SHORT: Final = 8
_DAY: Final = 10
_WORK: Final = {"keep": ("Archiving", "A"), "verify": ("Verifying", "V")}


def build_archive_items(
    data: ArchiveData, progress: ArchiveProgress, canvas: Canvas, glyphs: Glyphs
) -> Iterator[ListItem]:
    """Say how the archive stands, then list what the client deletes next and what it deleted."""
    status = data.status
    yield from _build_state_items(status, canvas)
    yield from _build_work_items(status, progress, canvas, glyphs)
    yield make_blank_item("next.")
    number = format_count(len(status.expiring))
    yield make_line_item("next", f"Deleted next {number}", Role.HEADER)
    if not status.expiring:
        yield make_line_item("next.none", "The client deletes nothing within 7 days.")
    else:
        yield make_line_item("next.sum", f"{status.forecast.sentence}.")
    for one in status.expiring:
        draw = partial(_draw_expiring, one, data, glyphs)
        yield ListItem(f"next/{one.path}", draw, "expiring", one)
    if words := describe_later(status.later):
        yield _make_text_item("next.later", words, Role.META)
    yield make_blank_item("gone.")
    yield make_line_item("gone", f"Deleted and safe {format_count(len(status.gone))}", Role.HEADER)
    if not status.gone:
        yield make_line_item("gone.none", "The client has deleted nothing that is kept here.")
    for copy in status.gone:
        draw = partial(_draw_gone, copy, data, canvas, glyphs)
        yield ListItem(f"gone/{copy.path}", draw, "gone", copy)


def _build_state_items(status: ArchiveStatus, canvas: Canvas) -> Iterator[ListItem]:
    sentences = [describe_contents(status)]
    if status.automatic is False:
        sentences[0] += " It is switched off: nothing is kept automatically; g , switches it on."
    if not status.exists or status.behind:
        behind = format_plural(status.behind, "session")
        sentences.append(f"Not kept as it is now: {behind}. A archives what is new.")
    if status.forgotten:
        sentences.append(f"{format_plural(status.forgotten, 'session')} forgotten, as you asked.")
    written = f", last written {canvas.when(status.written_at)}" if status.written_at else ""
    sentences.append(f"The archive is at {with_tilde(status.archive)}{written}.")
    sentences += map(describe_retention, status.retention)
    for number, words in enumerate(sentences):
        role = Role.CLAUDE if number == 0 else Role.META
        yield _make_text_item(f"state/{number}", words, role)


def _build_work_items(
    status: ArchiveStatus, progress: ArchiveProgress, canvas: Canvas, glyphs: Glyphs
) -> Iterator[ListItem]:
    """Say how far the work is, and what the last verification found."""
    if progress.state == "running":
        doing, key = _WORK[progress.kind]
        far = f"{progress.done:,} of {progress.total:,} files" if progress.total else "beginning"
        yield make_line_item("work", f"{glyphs.node} {doing}: {far}. {key} stops it.", Role.ACTIVE)
    elif progress.sentence and (progress.kind, progress.state) != ("verify", "done"):
        role = Role.ERROR if progress.state == "failed" else Role.ACTIVE
        yield _make_text_item("work", progress.sentence, role)
    last = status.verified
    if last is None:
        return
    yield _make_text_item(
        "verified", f"Verified {canvas.when(last.at)}: {last.sentence}", Role.META
    )
    for number, damage in enumerate(last.damage):
        yield _make_text_item(f"damage/{number}", f"{glyphs.failed} {damage}", Role.ERROR)
    if last.left_out:
        yield make_line_item("damage.", f"  and {last.left_out:,} more", Role.ERROR)


def _make_text_item(key: str, text: str, role: Role) -> ListItem:
    return ListItem(key, partial(draw_text, text, role), "talk", picked=False)


def _draw_expiring(
    one: ExpiringSession, data: ArchiveData, glyphs: Glyphs, columns: int
) -> list[StyledLine]:
    state: Span = (
        (Role.ACTIVE, f"{glyphs.ok} kept")
        if one.kept
        else (Role.WAITING, f"{glyphs.failed} not kept")
    )
    lead = f"from {one.deleted_from[:_DAY]}  {one.session[:_SHORT]}  "
    title, project = _name_session(data, one.path)
    left: list[Span] = [(Role.META, lead), (Role.CLAUDE, f"{title}  "), (Role.META, project)]
    return [align_cells(left, [state], columns)]


def _draw_gone(
    copy: GoneSessionCopy, data: ArchiveData, canvas: Canvas, glyphs: Glyphs, columns: int
) -> list[StyledLine]:
    title, project = _name_session(data, copy.path)
    lead = f"{glyphs.archived} {copy.session[:_SHORT]}  "
    left: list[Span] = [(Role.META, lead), (Role.CLAUDE, f"{title}  "), (Role.META, project)]
    when = f"gone {canvas.when(copy.gone_at)}" if copy.gone_at else ""
    right = f"{format_size(copy.bytes):>8}  {when:>15}"
    return [align_cells(left, [(Role.META, right)], columns)]


def _name_session(data: ArchiveData, path: str) -> tuple[str, str]:
    row = data.rows.get(path)
    if row is None:
        return "Session in no list", ""
    return one_line(row.title), one_line(data.names.get(row.project, row.project))
