"""Steps: calls that follow one another, one row each, in one block.

Every row says how its call ended and how long it took. Of a long run the first two, the last
two and what failed are shown. What failed and was not tried again is open.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from bough.export.html.folds import fold
from bough.export.html.notes import quiet_lines
from bough.export.html.render_context import Scene
from bough.export.html.tools.views import body_of
from bough.export.markup.escape import attribute, escaped, isolated
from bough.model.conversation.steps import BAD, Run, Step, facts_of, rows_shown
from bough.model.text.formats import count, duration, plural
from bough.model.tools.call_row import State, ToolView, view_of
from bough.model.tools.call_summary import LONGEST, text_in
from bough.model.tools.calls import ToolBlock

_FITS: Final = 60
_WIDEST: Final = 12
_SIGNS: Final = {State.OK: ("ok", "✓"), State.OPEN: ("wait", "…"), State.STOPPED: ("wait", "-")}
_SPOKEN: Final = {State.OK: "went well", State.OPEN: "no result", State.STOPPED: "stopped"}


def steps_block(
    run: Run, scene: Scene, key: str, last_of_kind: frozenset[int], *, full: bool
) -> str:
    """Show a run of steps; `last_of_kind` are the places of the last call of each tool."""
    views = [_view(step.block, scene) for step in run.steps]
    rows = list(zip(run.steps, views, rows_shown(views), strict=True))
    wide = min(max(len(_name(view)) for view in views), _WIDEST)
    out = [f'<div class="steps w{wide}">', _summary(views) if len(views) > 1 else ""]
    for shown, group in groupby(rows, key=lambda row: row[2]):
        several = list(group)
        if shown:
            out += [
                _row(step, view, scene, key, last_of_kind, full=full) for step, view, _ in several
            ]
        else:
            hidden = [(step, view) for step, view, _ in several]
            out.append(_hidden(hidden, scene, key, full=full))
    return "".join([*out, "</div>"])


def hidden_rows(run: Run, first: int, scene: Scene, key: str, *, full: bool) -> str:
    """Show the rows of a run that were left out from some place on."""
    views = [_view(step.block, scene) for step in run.steps]
    out: list[str] = []
    begun = False
    for step, view, shown in zip(run.steps, views, rows_shown(views), strict=True):
        begun = begun or step.number == first
        if begun and shown:
            break
        if begun:
            out.append(_row(step, view, scene, key, frozenset(), full=full))
    return "".join(out)


def step_body(block: ToolBlock, scene: Scene, key: str, *, full: bool) -> str:
    """Show what a call was given and what it gave back."""
    return body_of(block, scene, key, full=full)


def _view(block: ToolBlock, scene: Scene) -> ToolView:
    return view_of(block, scene.called_at(block.id), scene.cwd)


def _summary(views: Sequence[ToolView]) -> str:
    run = facts_of(views)
    facts = [f"<b>{plural(run.steps, 'step')}</b>"]
    if run.files:
        facts.append(f"<span>{plural(run.files, 'file')} changed</span>")
    if run.added or run.removed:
        facts.append(_changed(run.added, run.removed))
    if run.failed:
        facts.append(f'<span class="bad">✗ {count(run.failed)} failed</span>')
    took = f'<span class="took">{duration(run.seconds)}</span>' if run.seconds else ""
    return f'<div class="sum">{"".join(facts)}{took}</div>'


def _hidden(steps: Sequence[tuple[Step, ToolView]], scene: Scene, key: str, *, full: bool) -> str:
    first = steps[0][0].number
    summary = f"Show {plural(len(steps), 'more step')}"

    def rows() -> str:
        return "".join(_row(step, view, scene, key, frozenset(), full=full) for step, view in steps)

    return fold(f"{key}~{first}+", "more", summary, rows, inside=full)


def _row(
    step: Step, view: ToolView, scene: Scene, key: str, last: frozenset[int], *, full: bool
) -> str:
    own = f"{key}~{step.number}"
    failed = view.outcome.state in BAD
    opened = failed and step.number in last
    row = fold(
        own,
        f"step is-{view.outcome.state}",
        row_summary(view, _title(step.block, view)),
        lambda: step_body(step.block, scene, own, full=full),
        inside=full,
        opened=opened,
    )
    reason = ""
    if view.outcome.reason and not opened:
        reason = f'<p class="reason" dir="auto">{escaped(view.outcome.reason)}</p>'
    # What a row hides may be large, and what stands below it is mostly nothing.
    return row + reason + quiet_lines(step.beside, "", key, full=full)


def _title(block: ToolBlock, view: ToolView) -> str:
    """Give what a row cuts or shortens, for a tooltip; nothing where it says everything."""
    given = block.input if isinstance(block.input, dict) else {}
    whole = text_in(given, "command", "file_path", "notebook_path", "path", "url", "query")
    return "" if view.summary.startswith(whole) and len(whole) < _FITS else whole[:LONGEST]


def row_summary(view: ToolView, title: str = "") -> str:
    """Write the row of a call: its name, what it is about, how it ended."""
    about, lines = _about(view)
    span = f' <i class="lines">lines {lines}</i>' if lines else ""
    told = f' title="{attribute(title)}"' if title else ""
    return (
        f'<span class="v">{escaped(_name(view))}</span>'
        f'<span class="g"{told}>{isolated(about)}{span}</span>{_end(view)}'
    )


def _name(view: ToolView) -> str:
    return f"{view.server}: {view.name}" if view.server else view.name


def _about(view: ToolView) -> tuple[str, str]:
    """Part the range of lines from the file it is of."""
    if view.outcome.span is None:
        return view.summary, ""
    about, _, lines = view.summary.rpartition(" ")
    return about, lines


def _end(view: ToolView) -> str:
    state, outcome = view.outcome.state, view.outcome
    took = f'<span class="took">{duration(view.seconds)}</span>' if view.seconds is not None else ""
    look, sign = _SIGNS.get(state, ("bad", "✗"))
    words = outcome.text or ("no result" if state is State.OPEN else "")
    if outcome.added is not None:
        told = _changed(outcome.added, outcome.removed or 0)
    else:
        told = f"<span>{isolated(words)}</span>" if words else ""
    if state in BAD:
        return (
            f'<span class="o"><span class="bad"><span aria-hidden="true">✗</span> '
            f"{isolated(words or 'failed')}</span>{took}</span>"
        )
    spoken = _SPOKEN.get(state, "failed")
    mark = f'<span class="{look}" role="img" aria-label="{spoken}">{sign}</span>'
    return f'<span class="o">{told}{took}{mark}</span>'


def _changed(added: int, removed: int) -> str:
    plus = f'<span class="plus">+{count(added)}</span>' if added or not removed else ""
    minus = f'<span class="minus">\N{MINUS SIGN}{count(removed)}</span>' if removed else ""
    return plus + minus
