"""Steps: a stretch of work in one block, a row for each call, thought and line said.

Every call says how it ended and how long it took. Of a long block the first two rows, the last
two and what failed are shown. What failed and was not tried again is open.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct

from bough.export.html.folds import render_fold
from bough.export.html.messages import render_thought
from bough.export.html.notes import render_notes
from bough.export.html.render_context import RenderContext
from bough.export.html.tools.views import render_body
from bough.export.markup.escape import escape_attribute, escape_html, isolate_text
from bough.export.markup.markdown import render_markdown
from bough.model.conversation.steps import (
    FAILED_STATES,
    RunRow,
    Step,
    StepRun,
    WordRow,
    describe_hidden_rows,
    fit_name_column,
    group_rows,
    sum_up_run,
)
from bough.model.text.formats import format_count, format_duration, format_plural
from bough.model.tools.call_row import CallState, ToolView
from bough.model.tools.call_summary import LONGEST, find_text, split_path
from bough.model.tools.calls import ToolBlock

_FITS: Final = 60
_SIGNS: Final = {
    CallState.OK: ("ok", "✓"),
    CallState.OPEN: ("wait", "…"),
    CallState.STOPPED: ("wait", "-"),
}
_SPOKEN: Final = {
    CallState.OK: "went well",
    CallState.OPEN: "no result",
    CallState.STOPPED: "stopped",
}


class AnswerFacts(Struct, frozen=True):
    """How long the thoughts of an answer took, and the places of the last call of each tool."""

    thoughts: Mapping[int, float | None] = {}
    last_calls: frozenset[int] = frozenset()


def render_steps(
    run: StepRun, context: RenderContext, key: str, facts: AnswerFacts, *, full: bool
) -> str:
    """Show a block of steps."""
    views = _view_calls(run, context)
    wide = fit_name_column((len(view.label) for view in views.values()), 0)
    summary = _render_summary(list(views.values())) if len(views) > 1 else ""
    out = [f'<div class="steps w{wide}">', summary]
    for group in group_rows(run, views):
        if group.is_hidden:
            out.append(_render_hidden_fold(group.rows, context, key, facts, full=full))
        else:
            out += [_render_row(row, context, key, facts, full=full) for row in group.rows]
    return "".join([*out, "</div>"])


def render_hidden_steps(
    run: StepRun, first: int, context: RenderContext, key: str, facts: AnswerFacts
) -> str:
    """Show the rows of a block that were left out from some place on."""
    groups = (group.rows for group in group_rows(run, _view_calls(run, context)))
    rows = next((rows for rows in groups if rows[0].number == first), ())
    return "".join(_render_row(row, context, key, facts, full=False) for row in rows)


def _view_calls(run: StepRun, context: RenderContext) -> dict[int, ToolView]:
    return {step.number: context.facts.view_call(step.block) for step in run.steps}


def render_step_body(block: ToolBlock, context: RenderContext, key: str, *, full: bool) -> str:
    """Show what a call was given and what it gave back."""
    return render_body(block, context, key, full=full)


def _render_summary(views: Sequence[ToolView]) -> str:
    run = sum_up_run(views)
    facts = [f"<b>{format_plural(run.steps, 'step')}</b>"]
    if run.files:
        facts.append(f"<span>{format_plural(run.files, 'file')} changed</span>")
    if run.added or run.removed:
        facts.append(_render_line_counts(run.added, run.removed))
    if run.failed:
        facts.append(f'<span class="bad">✗ {format_count(run.failed)} failed</span>')
    took = f'<span class="took">{format_duration(run.seconds)}</span>' if run.seconds else ""
    return f'<div class="sum">{"".join(facts)}{took}</div>'


def _render_hidden_fold(
    rows: Sequence[RunRow], context: RenderContext, key: str, facts: AnswerFacts, *, full: bool
) -> str:
    """Fold rows away; nothing that failed is among them, so none of them is open."""
    summary = f"Show {describe_hidden_rows(rows)}"

    def body() -> str:
        return "".join(_render_row(row, context, key, facts, full=full) for row in rows)

    return render_fold(f"{key}~{rows[0].number}+", "more", summary, body, inside=full)


def _render_row(
    row: RunRow, context: RenderContext, key: str, facts: AnswerFacts, *, full: bool
) -> str:
    """Show a row, and the notes that came after it."""
    own = f"{key}~{row.number}"
    match row:
        case Step():
            shown = _render_step(row, context, own, facts.last_calls, full=full)
        case WordRow() if row.is_thought:
            shown = render_thought(row.block, facts.thoughts.get(row.number), own, full=full)
        case _:
            # A page finds it by its key; a document is not asked for rows.
            name = "" if full else f' data-key="{escape_attribute(own)}"'
            shown = f'<div class="prose said"{name}>{render_markdown(row.block.text)}</div>'
    # What a row hides may be large, and what stands below it is mostly nothing.
    return shown + render_notes(row.notes, "", key, full=full)


def _render_step(
    step: Step, context: RenderContext, own: str, last: frozenset[int], *, full: bool
) -> str:
    view = context.facts.view_call(step.block)
    failed = view.outcome.state in FAILED_STATES
    opened = failed and step.number in last
    row = render_fold(
        own,
        f"step is-{view.outcome.state}",
        render_row_summary(view, _make_tooltip(step.block, view)),
        lambda: render_step_body(step.block, context, own, full=full),
        inside=full,
        opened=opened,
    )
    reason = ""
    if view.outcome.reason and not opened:
        reason = f'<p class="reason" dir="auto">{escape_html(view.outcome.reason)}</p>'
    return row + reason


def _make_tooltip(block: ToolBlock, view: ToolView) -> str:
    """Give what a row cuts or shortens, for a tooltip; nothing where it says everything."""
    given = block.input if isinstance(block.input, dict) else {}
    whole = find_text(given, "command", "file_path", "notebook_path", "path", "url", "query")
    return "" if view.summary.startswith(whole) and len(whole) < _FITS else whole[:LONGEST]


def render_row_summary(view: ToolView, title: str = "") -> str:
    """Write the row of a call: its name, what it is about, how it ended."""
    about, lines = _split_line_range(view)
    span = f' <i class="lines">lines {lines}</i>' if lines else ""
    tooltip = f' title="{escape_attribute(title)}"' if title else ""
    folder, file = split_path(view.label, about)
    words = isolate_text(about)
    if folder:
        # Where there is no room the folder is cut, and the name of the file stays.
        words = f'<bdi class="folder">{escape_html(folder)}</bdi><bdi>{escape_html(file)}</bdi>'
    look = "g path" if folder else "g"
    return (
        f'<span class="v">{escape_html(view.label)}</span>'
        f'<span class="{look}"{tooltip}>{words}{span}</span>{_render_outcome(view)}'
    )


def _split_line_range(view: ToolView) -> tuple[str, str]:
    """Part the range of lines from the file it is of."""
    if view.outcome.span is None:
        return view.summary, ""
    about, _, lines = view.summary.rpartition(" ")
    return about, lines


def _render_outcome(view: ToolView) -> str:
    state, outcome = view.outcome.state, view.outcome
    took = (
        f'<span class="took">{format_duration(view.seconds)}</span>'
        if view.seconds is not None
        else ""
    )
    look, sign = _SIGNS.get(state, ("bad", "✗"))
    words = outcome.text
    if state is CallState.OPEN and not words:
        # A page makes a clock of it while Claude works.
        since = escape_attribute(view.started_at or "")
        mark = f'<span data-since="{since}">no result</span>'
        return f'<span class="o">{mark}<span class="wait" aria-hidden="true">…</span></span>'
    if outcome.added is not None:
        ending = _render_line_counts(outcome.added, outcome.removed or 0)
    else:
        ending = f"<span>{isolate_text(words)}</span>" if words else ""
    if state in FAILED_STATES:
        return (
            f'<span class="o"><span class="bad"><span aria-hidden="true">✗</span> '
            f"{isolate_text(words or 'failed')}</span>{took}</span>"
        )
    spoken = _SPOKEN.get(state, "failed")
    mark = f'<span class="{look}" role="img" aria-label="{spoken}">{sign}</span>'
    return f'<span class="o">{ending}{took}{mark}</span>'


def _render_line_counts(added: int, removed: int) -> str:
    plus = f'<span class="plus">+{format_count(added)}</span>' if added or not removed else ""
    minus = f'<span class="minus">\N{MINUS SIGN}{format_count(removed)}</span>' if removed else ""
    return plus + minus
