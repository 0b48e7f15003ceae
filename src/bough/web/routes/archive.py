"""The archive: what is kept, what the client deletes next; taking in, verifying, forgetting.

Answered from the index and the catalog: nothing here lists a folder. What writes is a POST with the
token of the page; restoring goes through the preview of time travel.
"""

from pathlib import Path
from typing import Final

from bough.errors import ClaudeFolderNotFound, with_tilde
from bough.library import (
    ArchiveProgress,
    ArchiveStatus,
    DeletionForecast,
    ExpiringSession,
    GoneSessionCopy,
    archive_status,
    describe_contents,
    describe_later,
    describe_retention,
    forecast_deletions,
    forget_archived_session,
)
from bough.web.responses import ApiError
from bough.web.runtime.list_cache import ListSnapshot, folder_of
from bough.web.state import AppState
from bough.web.wire.about import NoParams
from bough.web.wire.archive_answers import (
    ArchiveAnswer,
    ArchiveWork,
    ExpiringItem,
    ForecastAnswer,
    ForgetBody,
    ForgottenAnswer,
    GoneItem,
    RetentionItem,
    VerifiedItem,
    WorkBody,
)

_MOST_LISTED: Final = 500
_SHORT: Final = 8


def get_forecast(state: AppState, _: NoParams) -> ForecastAnswer:
    """Say what the client deletes next; nothing before anything was read."""
    if not state.ready:
        return _make_forecast(DeletionForecast())
    try:
        with state.source.lend_handle() as handle:
            return _make_forecast(forecast_deletions(index=handle))
    except ClaudeFolderNotFound:
        return _make_forecast(DeletionForecast())


def get_archive(state: AppState, _: NoParams) -> ArchiveAnswer:
    """Say how the archive stands."""
    if not state.ready:
        raise ApiError(409, "not_ready", "Nothing has been read yet. Press Read them first.")
    with state.source.lend_handle() as handle:
        found = archive_status(index=handle)
    lists = state.lists()
    return ArchiveAnswer(
        archive=with_tilde(found.archive),
        exists=found.exists,
        is_missing=found.is_missing,
        sentence=describe_contents(found),
        automatic=found.automatic,
        sessions=found.sessions,
        deleted=found.deleted,
        behind=found.behind,
        bytes=found.bytes,
        packed=found.packed,
        forgotten=found.forgotten,
        written_at=found.written_at,
        retention=_list_retention(found),
        forecast=_make_forecast(found.forecast),
        expiring=[_make_expiring(state, lists, one) for one in found.expiring[:_MOST_LISTED]],
        expiring_total=len(found.expiring),
        later=describe_later(found.later),
        gone=[_make_gone(state, lists, one) for one in found.gone[:_MOST_LISTED]],
        gone_total=len(found.gone),
        verified=_make_verified(found),
        work=_make_work(state.archive_job.progress),
    )


def work_on_archive(state: AppState, body: WorkBody) -> ArchiveWork:
    """Begin to take in or to verify, or stop what runs."""
    if not state.ready:
        raise ApiError(409, "not_ready", "Nothing has been read yet. Press Read them first.")
    if body.do == "cancel":
        state.archive_job.cancel()
    elif not state.archive_job.start(body.do):
        raise ApiError(409, "busy", "The archive is being worked on. Stop that first, or wait.")
    return _make_work(state.archive_job.progress)


def get_work(state: AppState, _: NoParams) -> ArchiveWork:
    """Say how far the work on the archive is."""
    return _make_work(state.archive_job.progress)


def forget_session(state: AppState, body: ForgetBody) -> ForgottenAnswer:
    """Remove every copy of a session, and take none in again."""
    done = forget_archived_session(body.session)
    state.note_written()
    return ForgottenAnswer(done.session, done.files, done.bytes)


def _make_forecast(found: DeletionForecast) -> ForecastAnswer:
    return ForecastAnswer(found.sentence, found.sessions, found.not_kept, found.days)


def _list_retention(found: ArchiveStatus) -> list[RetentionItem]:
    return [
        RetentionItem(
            folder=with_tilde(rule.folder),
            days=rule.days,
            source=with_tilde(rule.source) if rule.source else None,
            sentence=describe_retention(rule),
        )
        for rule in found.retention
    ]


def _make_expiring(state: AppState, lists: ListSnapshot, one: ExpiringSession) -> ExpiringItem:
    title, project = _name_session(lists, one.path, one.session)
    return ExpiringItem(
        state.session_ids.id_of(one.path),
        one.session,
        title,
        project,
        one.deleted_from,
        one.kept,
    )


def _make_gone(state: AppState, lists: ListSnapshot, one: GoneSessionCopy) -> GoneItem:
    title, project = _name_session(lists, one.path, one.session)
    row = lists.row(one.path)
    return GoneItem(
        session=one.session,
        open_id=state.session_ids.id_of(one.path) if row is not None else None,
        title=title,
        project_name=project,
        bytes=one.bytes,
        gone_at=one.gone_at,
    )


def _name_session(lists: ListSnapshot, path: str, session: str) -> tuple[str, str]:
    """Give the title and the project's name, as lists do; else the id and the folder."""
    row = lists.row(path)
    if row is None:
        return f"Session {session[:_SHORT]}", Path(path).parent.name
    project = lists.project(folder_of(row))
    return row.title, project.name if project is not None else row.project


def _make_verified(found: ArchiveStatus) -> VerifiedItem | None:
    last = found.verified
    if last is None:
        return None
    return VerifiedItem(last.at, last.sentence, list(last.damage), last.left_out)


def _make_work(progress: ArchiveProgress) -> ArchiveWork:
    return ArchiveWork(
        progress.kind, progress.state, progress.done, progress.total, progress.sentence
    )
