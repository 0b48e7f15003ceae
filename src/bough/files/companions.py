"""What lies beside a session: agents, tool results, workflow runs, a sidecar title.

<session>/subagents/agent-<id>.jsonl (+ .meta.json)
<session>/subagents/workflows/<run>/agent-<id>.jsonl, journal.jsonl
<session>/tool-results/
<session>/workflows/<run>.json
<session>/custom-title.json
agent-<id>.jsonl                       beside the sessions: the layout of 2.0 clients
"""

import os
from pathlib import Path
from typing import Literal, TypeAlias

from msgspec import Struct

from bough.files.directory import (
    NOTHING_KEPT,
    Entries,
    FolderEntry,
    KeptFolders,
    Problem,
    file_status,
    identity_in,
    is_folder,
    list_entries,
    status_of,
)

Layout: TypeAlias = Literal["flat", "subagents", "workflow"]

AGENT = "agent-"
SUFFIX = ".jsonl"
SESSION_FOLDERS = ("file-history", "tasks", "todos", "plans", "paste-cache", "image-cache")
"""The folders beside `projects` in which clients keep more of a session."""


class AgentFile(Struct, frozen=True):
    """An agent's own transcript; `meta_file` says more of it, `run` names its workflow run."""

    id: str
    file: str
    size: int
    mtime_ns: int
    layout: Layout
    meta_file: str | None = None
    run: str | None = None

    @property
    def path(self) -> Path:
        """Give the file as a path; lists of ten thousand do without."""
        return Path(self.file)

    @property
    def meta(self) -> Path | None:
        """Give what says more as a path."""
        return Path(self.meta_file) if self.meta_file is not None else None


class WorkflowFiles(Struct, frozen=True):
    """What a workflow run left behind besides its agents."""

    run: str
    journal: Path | None = None
    report: Path | None = None


class Companions(Struct, frozen=True):
    """Everything in a session's own folder."""

    agents: tuple[AgentFile, ...] = ()
    tool_results: Path | None = None
    workflows: tuple[WorkflowFiles, ...] = ()
    custom_title: Path | None = None


NO_COMPANIONS = Companions()


def list_companions(
    folder: str | Path, problems: list[Problem], kept: KeptFolders = NOTHING_KEPT
) -> Companions:
    """List a session's own folder, with what is kept of it."""
    entries = list_entries(str(folder), problems, kept)
    folders = {name: entry.path for name, entry in entries.items() if is_folder(entry)}
    agents: list[AgentFile] = []
    journals: dict[str, Path] = {}
    if "subagents" in folders:
        agents, journals = _walk_subagents(folders["subagents"], problems, kept)
    reports: dict[str, Path] = {}
    if "workflows" in folders:
        reports = _list_reports(folders["workflows"], problems, kept)
    return Companions(
        agents=tuple(agents),
        tool_results=Path(folders["tool-results"]) if "tool-results" in folders else None,
        workflows=tuple(
            WorkflowFiles(run, journals.get(run), reports.get(run))
            for run in sorted({*journals, *reports})
        ),
        custom_title=_find_custom_title(entries, problems),
    )


def describe_agent_file(
    entry: FolderEntry,
    beside: Entries,
    problems: list[Problem],
    layout: Layout,
    run: str | None = None,
) -> AgentFile | None:
    """Describe an agent's file; what lies beside it may hold its meta file."""
    status = file_status(entry, problems)
    if status is None:
        return None
    stem = entry.name.removesuffix(SUFFIX)
    meta = beside.get(f"{stem}.meta.json")
    return AgentFile(
        id=stem.removeprefix(AGENT),
        file=entry.path,
        size=status.st_size,
        mtime_ns=status.st_mtime_ns,
        layout=layout,
        meta_file=meta.path if meta else None,
        run=run,
    )


def is_agent_file(name: str) -> bool:
    """Tell by its name whether a file is an agent's, wherever it lies."""
    return name.startswith(AGENT) and name.endswith(SUFFIX)


def _walk_subagents(
    top: str, problems: list[Problem], kept: KeptFolders
) -> tuple[list[AgentFile], dict[str, Path]]:
    """Walk to any depth for agents, and for the journals of workflow runs."""
    agents: list[AgentFile] = []
    journals: dict[str, Path] = {}
    seen: set[tuple[int, int]] = set()
    waiting: list[tuple[str, str | None]] = [(top, None)]
    while waiting:
        folder, run = waiting.pop()
        holds_runs = folder.endswith(f"{os.sep}workflows")
        entries = list_entries(folder, problems, kept)
        for name, entry in entries.items():
            if is_agent_file(name):
                layout: Layout = "workflow" if run else "subagents"
                if agent := describe_agent_file(entry, entries, problems, layout, run):
                    agents.append(agent)
            elif is_folder(entry):
                if _may_enter(entry, seen, problems):
                    waiting.append((entry.path, name if holds_runs else run))
            elif name == "journal.jsonl" and run:
                journals[run] = Path(entry.path)
    agents.sort(key=lambda agent: agent.file)
    return agents, journals


def _may_enter(entry: FolderEntry, seen: set[tuple[int, int]], problems: list[Problem]) -> bool:
    """Refuse folders that may lead out of the session or round in a circle."""
    if entry.is_symlink():
        reason = f"{entry.name} is a link to a folder; below subagents these are not followed."
        problems.append(Problem(Path(entry.path), reason))
        return False
    # A Windows junction is no link to Python 3.11, and can lead upwards like one.
    status = status_of(entry, problems)
    if status is None or identity_in(status) in seen:
        return False
    seen.add(identity_in(status))
    return True


def _list_reports(folder: str, problems: list[Problem], kept: KeptFolders) -> dict[str, Path]:
    return {
        name.removesuffix(".json"): Path(entry.path)
        for name, entry in list_entries(folder, problems, kept).items()
        if name.endswith(".json") and not is_folder(entry)
    }


def _find_custom_title(entries: Entries, problems: list[Problem]) -> Path | None:
    entry = entries.get("custom-title.json")
    return Path(entry.path) if entry and file_status(entry, problems) else None
