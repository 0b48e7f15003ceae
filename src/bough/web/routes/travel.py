"""Time travel: a preview of a change, carrying it out, and the history of all of them.

Nothing is written before a page was shown what. It names the plan that it was shown and the
digest of what it said; where the files are not what the plan was made from any more, it gets a
new preview instead. `bough.library.apply` alone writes.
"""

from hashlib import sha256
from pathlib import Path
from typing import Final

from bough.errors import BoughError, Misuse
from bough.library import (
    Busy,
    FileChanged,
    GotoUnsafe,
    Operation,
    Plan,
    PointSpec,
    Refusal,
    SessionMaybeOpen,
    SessionOpen,
    apply,
    build_preview,
    find_neighbor_point,
    fork,
    goto,
    history,
    list_unrepaired,
    remedies,
    rename,
    render_diff,
    repair,
    restore,
    undo,
)
from bough.model.outline.branch_path import find_neighbor_turn
from bough.model.tools.call_summary import shorten_path
from bough.web.responses import ApiError, encode_json, fault_of
from bough.web.routes.conversation import find_open_session
from bough.web.runtime.plan_cache import StoredPlan
from bough.web.state import AppState
from bough.web.wire.travel_plans import (
    AppliedAnswer,
    OperationItem,
    OperationsAnswer,
    OperationsQuery,
    PlanBody,
    PlanChangedAnswer,
    PlanPreview,
    PointFact,
    PreviewItem,
    RefusalOffer,
    TravelAnswer,
    TravelBody,
    TravelRefusal,
)

_SEES: Final = "Claude will see"
_DIFF_LINES: Final = 60
_DIFF_WIDTH: Final = 2_000
_CAUSED_BY_PERSON: Final = frozenset({400, 404, 409})
_OLD_PREVIEW: Final = "This preview is not kept any more. Nothing was written. Look at it again."


def preview_change(state: AppState, body: TravelBody) -> TravelAnswer:
    """Say what a change would do, or why it cannot be done."""
    path = _find_file(state, body)
    try:
        plan = _make_plan(state, body, path)
        return TravelAnswer(_keep_preview(state, body, path, plan), None)
    except BoughError as error:
        if error.http_status not in _CAUSED_BY_PERSON:
            raise
        return TravelAnswer(None, _describe_refusal(body, error))


def apply_plan(state: AppState, body: PlanBody) -> AppliedAnswer:
    """Carry out a plan that was shown, once."""
    previewed = state.plans.take(body.plan)
    if previewed is None or previewed.digest != body.digest:
        raise ApiError(409, "preview_gone", _OLD_PREVIEW)
    plan, asked = previewed.plan, previewed.body
    try:
        applied = apply(plan, force=asked.force)
    except FileChanged as error:
        raise _make_conflict(state, asked, error) from error
    except Busy:
        state.plans.keep(body.plan, previewed)
        raise
    except Refusal as error:
        refusal = _describe_refusal(asked, error)
        raise ApiError(409, refusal.code, refusal.message) from error
    state.note_written()
    command = plan.resume_command
    return AppliedAnswer(
        number=applied.number,
        operation=asked.operation,
        headline=plan.headline,
        session=_find_address(state, plan.path),
        resume=command.text if command is not None else None,
        resume_note=command.note if command is not None else "",
        notes=list(applied.notes),
    )


def list_operations(state: AppState, query: OperationsQuery) -> OperationsAnswer:
    """List what bough did to sessions, newest first."""
    done = history(everything=query.all, claude_dir=state.source.dirs)
    addresses = {entry.path: entry.id for entry in state.session_ids.entries()}
    return OperationsAnswer(
        [_describe_operation(one, addresses) for one in done[: query.limit]], len(done)
    )


def _describe_operation(operation: Operation, addresses: dict[str, str]) -> OperationItem:
    return OperationItem(
        number=operation.number,
        at=operation.at,
        operation=operation.operation,
        headline=operation.headline,
        state=operation.state,
        reason=operation.reason,
        session=addresses.get(operation.path or ""),
        undone_by=operation.undone_by,
        can_undo=operation.state == "done",
    )


def _find_file(state: AppState, body: TravelBody) -> Path | None:
    """Find the session's file by its address; an undo is about whatever was done."""
    if not state.ready:
        raise ApiError(409, "not_ready", "Nothing has been read yet. Press Read them first.")
    return None if body.operation == "undo" else Path(state.session_ids.find(body.session).path)


def _find_address(state: AppState, path: str | None) -> str | None:
    known = {entry.path: entry.id for entry in state.session_ids.entries()}
    return known.get(path or "")


def _make_plan(state: AppState, body: TravelBody, path: Path | None) -> Plan:
    if path is None:
        return undo(body.number, claude_dir=state.source.dirs)
    # A message stands for the turn it is in, as in the terminal app.
    point = PointSpec(body.at, nearest=True)
    match body.operation:
        case "goto":
            return goto(path, point, force=body.force)
        case "rename":
            return rename(path, body.title or "", force=body.force)
        case "repair":
            title = None if body.in_place else body.title or None
            return repair(path, in_place=body.in_place, title=title, force=body.force)
        case "restore":
            return restore(path)
        case _:
            return fork(path, point, title=body.title or None, cwd=_read_folder(body.cwd))


def _read_folder(typed: str) -> Path | None:
    """Read the folder that was typed; what it would be relative to is not known to a page."""
    words = typed.strip()
    if not words:
        return None
    folder = Path(words).expanduser()
    if not folder.is_absolute():
        raise Misuse(f"{words} is not a full path. Name the folder by its full path.")
    return folder


def _keep_preview(state: AppState, body: TravelBody, path: Path | None, plan: Plan) -> PlanPreview:
    """Write the preview of a plan, and keep the plan under the name and digest it gives."""
    name = state.plans.make_name()
    view, rows = plan.resume_view, build_preview(plan)
    diff = render_diff(plan, _DIFF_WIDTH).splitlines()
    shown = {
        "operation": body.operation,
        "session": state.session_ids.id_of(str(path)) if path is not None else "",
        "headline": plan.headline,
        "rows": [PreviewItem(row.label, row.text) for row in rows if row.label != _SEES],
        "point": _describe_point(state, body, plan),
        "sees": next((row.text for row in rows if row.label == _SEES), None),
        "prompts": list(view.prompts) if view is not None else [],
        "files": [shorten_path(file, plan.cwd) for file in view.later_files] if view else [],
        "stays": _list_unrepaired(state, body, plan),
        "title": plan.title,
        "cwd": plan.cwd,
        "diff": diff[:_DIFF_LINES],
        "diff_left": max(0, len(diff) - _DIFF_LINES),
    }
    # What is written is part of it: two plans that look alike are not taken for each other.
    digest = sha256(encode_json(shown) + encode_json(plan)).hexdigest()
    state.plans.keep(name, StoredPlan(plan, digest, body))
    return PlanPreview(plan=name, digest=digest, **shown)  # type: ignore[arg-type]


def _describe_point(state: AppState, body: TravelBody, plan: Plan) -> PointFact | None:
    """Describe where a plan begins, with the turns before and after it on the branch."""
    point = plan.point
    if point is None or body.operation not in ("fork", "goto"):
        return None
    session = find_open_session(state, body.session).session
    here, branch = point.prompt or point.uuid, body.branch or body.at
    # A prompt that was only ever queued is no record of a branch; where its turn ends is one.
    branch = branch if branch in session.tree.number else point.uuid
    later = find_neighbor_point(session, branch, here, 1)
    return PointFact(
        uuid=point.uuid,
        text=point.text,
        timestamp=point.timestamp,
        earlier=find_neighbor_point(session, branch, here, -1),
        later=later,
        is_before_unfinished=later != find_neighbor_turn(session, branch, here, 1),
    )


def _list_unrepaired(state: AppState, body: TravelBody, plan: Plan) -> list[str]:
    """List the findings about which a repair does nothing, with the reason."""
    if body.operation != "repair":
        return []
    session = find_open_session(state, body.session).session
    return [
        f"{one.message} {(one.why_not or '').capitalize()}."
        for one in list_unrepaired(remedies(session), plan)
    ]


def _describe_refusal(body: TravelBody, error: BoughError) -> TravelRefusal:
    """Say why something is refused in the words of the page, and what it can offer instead."""
    _, fault = fault_of(error)
    offers: list[RefusalOffer] = []
    message = error.message
    match error:
        case GotoUnsafe():
            message = error.reason
            offers.append("copy" if body.operation == "repair" else "fork")
        case SessionOpen() if body.operation == "goto":
            offers.append("fork")
        case SessionOpen() if body.operation == "repair":
            offers.append("copy")
        case SessionMaybeOpen():
            message = f"{error.what}, so a client may have it open. Close it and try again."
            offers += ["fork"] if body.operation == "goto" else []
            offers += ["copy"] if body.operation == "repair" else []
            offers.append("force")
        case _:
            pass
    return TravelRefusal(fault.code, message, offers)


def _make_conflict(state: AppState, asked: TravelBody, error: FileChanged) -> ApiError:
    """Answer with what would be done now, where a file changed since the preview."""
    answer = preview_change(state, asked)
    if answer.refusal is not None:
        return ApiError(409, answer.refusal.code, f"{error.message} {answer.refusal.message}")
    words = error.message.removesuffix("Nothing was written.")
    message = f"{words}Nothing was written. This is what would be done now."
    _, fault = fault_of(ApiError(409, "file_changed", message))
    return ApiError(409, "file_changed", message, document=PlanChangedAnswer(fault, answer.preview))
