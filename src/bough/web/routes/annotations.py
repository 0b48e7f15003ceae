"""Stars, notes and hidden projects: read, and changed by the page."""

from pathlib import Path

from bough.errors import ProjectNotFound
from bough.library import (
    AnnotationChange,
    change_annotation,
    load_readable_annotations,
)
from bough.web.runtime.broadcaster import ServerEvent
from bough.web.state import AppState
from bough.web.wire.about import NoParams
from bough.web.wire.annotation_items import AnnotationBody, AnnotationItem, AnnotationsAnswer


def list_annotations(_: AppState, __: NoParams) -> AnnotationsAnswer:
    """List what is said of messages, on this machine."""
    found, trouble = load_readable_annotations()
    messages = [
        AnnotationItem(one.kind, one.id, one.starred, one.note, one.hidden)
        for one in found.list_all()
        if one.kind == "message"
    ]
    return AnnotationsAnswer(messages, trouble or None)


def change_one(state: AppState, body: AnnotationBody) -> AnnotationItem:
    """Change what is said of something, and tell all pages."""
    change = AnnotationChange(starred=body.starred, note=body.note, hidden=body.hidden)
    session = _find_session(state, body.session) if body.session else ""
    changed = change_annotation(body.kind, _find_subject(state, body), change, session)
    item = AnnotationItem(body.kind, body.id, changed.starred, changed.note, changed.hidden)
    state.publish([ServerEvent("annotation", item)])
    return item


def _find_subject(state: AppState, body: AnnotationBody) -> str:
    """Give the id under which something is kept: addresses tell two of the same name apart."""
    match body.kind:
        case "session":
            return _find_session(state, body.id)
        case "project":
            lists = state.lists()
            folders = {own: folder for folder, own in lists.project_ids.items()}
            project = lists.project(folders.get(body.id, ""))
            if project is None:
                raise ProjectNotFound(body.id)
            return project.id
        case "message":
            return body.id


def _find_session(state: AppState, wanted: str) -> str:
    """Give a session's own id; one that the client deleted is known by its row alone."""
    lists = state.lists()
    gone = next((row for row in lists.rows if row.deleted_at and row.id == wanted), None)
    return gone.id if gone is not None else Path(state.session_ids.find(wanted).path).stem
