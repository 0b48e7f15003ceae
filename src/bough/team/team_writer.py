"""Writers of what is sent: the calls of the index's writer, passed on to the database.

At the level `numbers` a team sees what sessions used, how long they were and when: no title, no
words, no bytes, no names of branches or folders inside a session.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from bough.backports import override
from bough.store.postgres.postgres_writer import PostgresWriter
from bough.store.rows import AgentInfo, FileState, ProjectRow, RowBatch, SessionFacts
from bough.team.repository_name import find_repository

Runs = Sequence[tuple[int, int, int]]


class TeamWriter:
    """Passes everything on, projects with the address of their repository."""

    def __init__(self, writer: PostgresWriter) -> None:
        """Write with a writer."""
        self.writer = writer
        self._repositories: dict[str | None, str | None] = {}

    def project(self, row: ProjectRow) -> int:
        """Keep what a project is called; give its number."""
        if row.path not in self._repositories:
            self._repositories[row.path] = find_repository(row.path)
        repository = self._repositories[row.path]
        return self.writer.project(msgspec.structs.replace(row, repository=repository))

    def file(self, project: int, state: FileState) -> int:
        """Keep the state of a file; give its number."""
        return self.writer.file(project, state)

    def agent(self, file: int, info: AgentInfo) -> None:
        """Keep what is known of an agent."""
        self.writer.agent(file, info)

    def title(self, file: int, title: str | None) -> None:
        """Keep the title from a session's sidecar."""
        self.writer.title(file, title)

    def add(self, file: int, batch: RowBatch, runs: Runs = ()) -> None:
        """Add the rows of a stretch of a file."""
        self.writer.add(file, batch, runs)

    def branches(self, file: int, runs: Runs) -> None:
        """Mark which records of a file are on which branch."""
        self.writer.branches(file, runs)

    def facts(self, file: int, facts: SessionFacts) -> None:
        """Keep a session's facts."""
        self.writer.facts(file, facts)

    def drop_from(self, file: int, offset: int) -> None:
        """Forget what was read of a file from an offset on."""
        self.writer.drop_from(file, offset)

    def clear(self, file: int) -> None:
        """Forget the rows of a file that is read anew."""
        self.writer.clear(file)

    def forget(self, file: int) -> None:
        """Forget a file altogether."""
        self.writer.forget(file)

    def deleted(self, file: int, moment: str) -> None:
        """Note that a file is gone."""
        self.writer.deleted(file, moment)

    def place(self, file: int, device: int, inode: int) -> None:
        """Note where the bytes of a file are."""
        self.writer.place(file, device, inode)

    def step(self, done: int, total: int) -> None:
        """Make everything so far last, and say how far the work is."""
        self.writer.step(done, total)


class NumbersWriter(TeamWriter):
    """Passes on what was used, how much was said and when, and nothing of what was said.

    What a reading asks of earlier rows is remembered here, as the database has none of them.
    """

    def __init__(self, writer: PostgresWriter) -> None:
        """Write with a writer."""
        super().__init__(writer)
        self._outlines: dict[int, list[bytes]] = {}
        self._kinds: dict[int, Counter[str]] = {}

    @override
    def file(self, project: int, state: FileState) -> int:
        """Keep the state of a file, without bytes of it."""
        bare = msgspec.structs.replace(state, head=b"", head_length=0, tail=b"")
        return self.writer.file(project, bare)

    @override
    def agent(self, file: int, info: AgentInfo) -> None:
        """Keep which call started an agent."""
        self.writer.agent(file, AgentInfo(call=info.call))

    @override
    def title(self, file: int, title: str | None) -> None:
        """Keep no title."""

    @override
    def add(self, file: int, batch: RowBatch, runs: Runs = ()) -> None:  # noqa: ARG002 - no record is there
        """Add what the calls of a stretch used."""
        self._outlines.setdefault(file, []).extend(part for _, part in batch.outlines)
        kinds = self._kinds.setdefault(file, Counter())
        kinds.update(str(row[3]) for row in batch.records)
        self.writer.add(file, RowBatch(usage=batch.usage, sums=batch.sums))

    @override
    def branches(self, file: int, runs: Runs) -> None:
        """Mark nothing: no record is there."""

    @override
    def facts(self, file: int, facts: SessionFacts) -> None:
        """Keep a session's facts, without words."""
        self._outlines.pop(file, None)
        self._kinds.pop(file, None)
        bare = msgspec.structs.replace(
            facts,
            title=None,
            title_source=None,
            git_branch=None,
            cwd=None,
            slugs="[]",
            first_prompt="",
            last_prompt="",
            pull_requests="[]",
            conversations=[msgspec.structs.replace(one, title=None) for one in facts.conversations],
        )
        self.writer.facts(file, bare)

    def outlines(self, file: int) -> Sequence[bytes]:
        """Give the packed outlines of a file that is being read."""
        return self._outlines.get(file, [])

    def kinds(self, file: int) -> Mapping[str, int]:
        """Count the records of a file that is being read."""
        return self._kinds.get(file, Counter())

    def tools(self, file: int) -> dict[str, str]:  # noqa: ARG002 - of any file
        """Name no tools: files are always read whole."""
        return {}
