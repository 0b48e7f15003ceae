"""Sending: the ordinary reading of files, from masked bytes, into a team's database.

A file is sent whole or not at all, and numbers are hashes: a push that was cut off is simply
continued by the next one, and what is sent twice is the same rows. What the client deleted stays
in the database; what bough moved or removed does not.
"""

import socket
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from bough.archive.storage.archive_finder import DISK_THEN_ARCHIVE
from bough.archive.storage.archive_folder import machine_id
from bough.errors import Unreadable
from bough.files.byte_source import require_source
from bough.files.directory import Problem
from bough.ingest.index.refresh import RefreshReport
from bough.ingest.index.refresh_run import RefreshRun, blank_state, build_project_row
from bough.ingest.index.work_plan import WorkPlan, find_removed
from bough.model.text.times import format_timestamp
from bough.store.postgres.postgres_store import PostgresStore
from bough.store.postgres.postgres_writer import PostgresWriter
from bough.store.postgres.schema_scripts import require_schema
from bough.store.postgres.sent_files import (
    drop_companions,
    find_role,
    list_sent_sessions,
    load_sent_files,
    remove_session,
)
from bough.store.postgres.server_connection import ServerConnection
from bough.store.postgres.statistics.report_sums import complete_stats
from bough.store.rows import CompanionRow, MachineRow
from bough.store.stats_protocol import SumBuilder
from bough.team.budget_evaluation import evaluate_budgets
from bough.team.line_redactor import REDACTION_FORM
from bough.team.push_plan import (
    Progress,
    PushLevel,
    PushPlan,
    PushReport,
    SessionPush,
    assign_group,
    learn_again,
    plan_push,
)
from bough.team.redacted_source import RedactedFinder, read_whole
from bough.team.session_groups import ChosenSessions, SessionGroup
from bough.team.team_writer import NumbersWriter, TeamWriter


class TeamPush:
    """A team's database as one machine sends to it.

    Raises:
        IndexTrouble: There is no such database, or it has no tables, or those of another bough.
    """

    def __init__(self, url: str) -> None:
        """Connect."""
        self._sources = RedactedFinder(DISK_THEN_ARCHIVE)
        self._machine = describe_machine(url)
        self._store = PostgresStore(url, machine=self._machine, sources=self._sources)
        self.place = self._store.connection.place

    def close(self) -> None:
        """Let go of the connection."""
        self._store.close()

    def plan(
        self, chosen: ChosenSessions, level: PushLevel = "all", progress: Progress | None = None
    ) -> PushPlan:
        """Find what is to be sent; nothing is sent by it."""
        sent = load_sent_files(self._store.connection, self._machine, chosen.sessions)
        return plan_push(chosen, sent, self.place, level, progress)

    def send(
        self, chosen: ChosenSessions, plan: PushPlan, progress: Progress | None = None
    ) -> PushReport:
        """Send what was planned; gives the report with what could not be read."""
        problems = list(plan.report.problems)
        total = plan.report.bytes
        done = 0
        with self._store.writing() as writer:
            self._forget_moved(writer, chosen)
            self._save_form(writer, plan.checked)
            for push in plan.sessions:
                problems += self._send_session(writer, push, plan.report.level)
                done += push.bytes
                if progress is not None:
                    progress(done, total)
        crossed = evaluate_budgets(self._store.connection) if plan.sessions else ()
        return msgspec.structs.replace(
            plan.report, problems=tuple(problems), crossed=tuple(crossed)
        )

    def complete_stats(self, builders: Sequence[SumBuilder]) -> None:
        """Make the sums for statistics of what this person sent, where they are missing."""
        complete_stats(self._store.connection, builders)

    def find_session(self, begin: str) -> list[str]:
        """List the sessions of this machine that were sent and whose ids begin so."""
        return list_sent_sessions(self._store.connection, self._machine.id, begin)

    def remove(self, session: str) -> int:
        """Take a session back: its rows and bytes, not that there was one; tells how many files."""
        with self._store.writing() as writer:
            writer.flush()
            moment = format_timestamp(datetime.now(UTC))
            return remove_session(self._store.connection, writer, self._machine.id, session, moment)

    def _send_session(
        self, writer: PostgresWriter, push: SessionPush, level: PushLevel
    ) -> list[Problem]:
        report = RefreshReport()
        work = WorkPlan([push.group.project], push.tasks, (), ())
        if level == "numbers":
            numbers = NumbersWriter(writer)
            if any(task.known is not None for task in push.tasks):
                writer.flush()
                drop_companions(self._store.connection, self._machine.id, push.group.id)
            RefreshRun(numbers, numbers, work, report, None).run_tasks()
            return report.problems
        redactor = push.redactor or learn_again(push)
        self._sources.release()
        assign_group(self._sources, push.group, redactor)
        team = TeamWriter(writer)
        self._mark_stale(team, push)
        RefreshRun(self._store, team, work, report, None, sources=self._sources).run_tasks()
        problems = [*report.problems, *self._send_companions(team, push)]
        self._save_form(writer, [push.group])
        return problems

    def _save_form(self, writer: PostgresWriter, groups: Iterable[SessionGroup]) -> None:
        """Keep that these sessions are hidden as this bough hides them."""
        paths = [file.path for group in groups for file in group.files]
        if paths:
            writer.redaction(paths, REDACTION_FORM)

    def _mark_stale(self, team: TeamWriter, push: SessionPush) -> None:
        """Mark, all at once, the files that were sent with a secret that nobody knew then."""
        if not push.stale:
            return
        team.step(0, 1)
        project = team.project(build_project_row(push.group.project, self._sources))
        files = {file.path: file for file in push.group.files}
        for state in push.stale:
            team.file(project, blank_state(files[state.path]))
        team.writer.flush()
        drop_companions(self._store.connection, self._machine.id, push.group.id)
        team.step(0, 1)

    def _send_companions(self, team: TeamWriter, push: SessionPush) -> list[Problem]:
        if not push.companions:
            return []
        problems: list[Problem] = []
        project = team.project(build_project_row(push.group.project, self._sources))
        for one in push.companions:
            try:
                data = read_whole(require_source(self._sources, one.path))
            except Unreadable as error:
                problems.append(Problem(Path(one.path), error.message))
                continue
            row = CompanionRow(push.group.id, one.path, one.size, one.mtime_ns)
            team.writer.companion(project, row, data)
        return problems

    def _forget_moved(self, writer: PostgresWriter, chosen: ChosenSessions) -> None:
        """Forget the files that bough gave another place, or removed."""
        sent = load_sent_files(self._store.connection, self._machine, chosen.sessions)
        files = [(group, file) for group in chosen.groups for file in group.files]
        paths = {file.path for _, file in files}
        names = {(file.role, group.id, file.agent) for group, file in files}
        missing = [
            state
            for path, state in sent.states.items()
            if path not in paths and state.deleted_at is None
            if DISK_THEN_ARCHIVE.find(path) is None
        ]
        gone = [one for one in missing if (one.role, one.session, one.agent) in names]
        for state in {one.id: one for one in (*gone, *find_removed(missing))}.values():
            writer.forget(state.id)


def describe_machine(url: str) -> MachineRow:
    """Tell which machine this is, and whose: the role that one is in the database."""
    connection = ServerConnection(url)
    try:
        require_schema(connection)
        owner = find_role(connection)
    finally:
        connection.close()
    return MachineRow(machine_id(make=True), owner, socket.gethostname())
