"""All that a store answers, without the numbers it uses inside: for comparing two stores."""

from collections.abc import Iterable
from typing import Any

from msgspec.structs import asdict

from bough.store.protocol import Store
from bough.store.stats_protocol import RowPart, StatsScope
from bough.store.usage_protocol import SumKey, SumRequest

SCOPES = (
    StatsScope(),
    StatsScope(since="2026-01-10T00:00:00.000Z", until="2026-11-12T10:15:00.000Z"),
)
GROUPS: tuple[frozenset[SumKey], ...] = (
    frozenset(),
    frozenset({"quarter"}),
    frozenset({"session"}),
    frozenset({"project", "quarter"}),
    frozenset({"folder", "quarter"}),
    frozenset({"agent", "session"}),
    frozenset({"file"}),
)
_QUESTIONS = (
    *("calls", "tools", "hook_runs", "troubles", "agent_reports", "agent_files", "answers"),
    *("compactions", "touches", "prompts"),
)
_WITH_FILE = ("calls", "answers", "prompts", "touches", "hook_runs")


def answers_of(store: Store, prefix: str = "") -> dict[str, object]:
    """Ask a store everything; `prefix` stands before its paths and is taken off."""
    known = {state.id: path.removeprefix(prefix) for path, state in store.states().items()}
    return {
        "states": {
            known[state.id]: asdict(state)
            | {"id": 0, "path": "", "deleted_at": state.deleted_at is not None}
            for state in store.states().values()
        },
        "projects": _rows(store.projects(), known, prefix),
        "sessions": _rows(store.sessions(), known, prefix),
        "session files": _rows(store.session_files(), known, prefix),
        "old session files": _rows(store.session_files(1_700_000_000_000_000_000), known, prefix),
        "gone": _rows(store.gone_sessions(), known, prefix),
        "conversations": _rows(store.conversations(), known, prefix),
        "order of conversations": [row.ended_at for row in store.conversations()],
        "titles": {known[file]: titles for file, titles in store.titles_from_others().items()},
        "titles, asked for one by one": {
            path: [*store.titles_from_others([file]).get(file, ())] for file, path in known.items()
        },
        "steps": _rows(store.conversation_steps(list(known)), known, prefix),
        "agents": sorted(
            (known[row[0]], known[row[1]], *row[2:]) for row in store.calls_of_agents(list(known))
        ),
        **_answers_about_files(store, known),
        **_answers_about_usage(store, known, prefix),
        **_answers_about_behaviour(store, known),
    }


def _answers_about_files(store: Store, known: dict[int, str]) -> dict[str, object]:
    return {
        "kinds": {path: dict(store.kinds(file)) for file, path in known.items()},
        "tools": {path: store.tools(file) for file, path in known.items()},
        "custom titles": {path: store.custom_title(file) for file, path in known.items()},
        "outlines": {path: list(store.outlines(file)) for file, path in known.items()},
    }


def _answers_about_usage(store: Store, known: dict[int, str], prefix: str) -> dict[str, object]:
    sums = {}
    for by in GROUPS:
        for since in (None, "2026-01-12T09:30:00.000Z"):
            found = store.sum_usage(SumRequest(by=by, since=since))
            assert found is not None
            sums[f"sums by {sorted(by)} since {since}"] = _merge_sums(found, known, by, prefix)
    return {
        "usages": _rows(store.usages(), known, prefix),
        "shared usages": _rows(store.shared_usages(), known, prefix),
        "usage files": _rows(store.usage_files(dated=True), known, prefix),
        "lines": sorted(
            (known[file], repr(line)) for file, line in store.lines_of_calls(list(known))
        ),
        **sums,
    }


def _merge_sums(
    found: Iterable[tuple[Any, Any]], known: dict[int, str], by: frozenset[SumKey], prefix: str
) -> dict[str, tuple[object, ...]]:
    """Add up what is told apart by nothing that was asked for: a store may leave that to others."""
    merged: dict[str, tuple[object, ...]] = {}
    for usage, total in found:
        rank = total.rank if "agent" in by else None
        folder = usage.folder.removeprefix(prefix)
        own = (usage.project, folder, usage.session, usage.agent, known.get(usage.number), rank)
        key = repr((*own, total.model, total.timestamp, total.origin))
        numbers = (total.calls, total.input_tokens, total.output_tokens, total.web_searches)
        cached = (total.cache_creation_tokens, total.cache_read_tokens)
        one = (*numbers, *cached, total.cache_creation_1h_tokens)
        first, last, *sums = merged.get(key, (total.first_at, total.last_at, *(0 for _ in one)))
        merged[key] = (
            min(first or "", total.first_at or ""),
            max(last or "", total.last_at or ""),
            *(before + number for before, number in zip(sums, one, strict=True)),
        )
    return merged


def _answers_about_behaviour(store: Store, known: dict[int, str]) -> dict[str, object]:
    source = store.behaviour()
    file = min(known, key=lambda one: known[one]) if known else 0
    found: dict[str, object] = {}
    for scope in SCOPES:
        for name in _QUESTIONS:
            rows = [tuple(row) for row in getattr(source, name)(scope)]
            found[f"{name} since {scope.since}"] = sorted(
                _without_file(name, rows, known), key=repr
            )
    for name in _WITH_FILE:
        rows = [tuple(row) for row in getattr(source, name)(StatsScope(), RowPart(files=(file,)))]
        found[f"{name} of a file"] = sorted(_without_file(name, rows, known), key=repr)
    found["order of troubles"] = [row.timestamp for row in source.troubles(StatsScope())]
    found["order of compactions"] = [row.timestamp for row in source.compactions(StatsScope())]
    return found


def _without_file(
    name: str, rows: Iterable[tuple[object, ...]], known: dict[int, str]
) -> Iterable[tuple[object, ...]]:
    if name not in _WITH_FILE:
        return rows
    if name == "hook_runs":
        return [(known[row[0]], *row[1:]) for row in rows]  # type: ignore[index] # a file's number
    # Of what several files have, each store names another one.
    return [row[1:] for row in rows]


def _rows(rows: Iterable[Any], known: dict[int, str], prefix: str) -> list[str]:
    """Write rows with paths instead of numbers, in one order."""
    found = []
    for row in rows:
        values = asdict(row)
        for name in ("id", "number", "machine", "owner"):
            if name in values and not isinstance(values[name], str):
                del values[name]
        for name in ("machine", "owner"):
            values.pop(name, None)
        if "deleted_at" in values:  # when somebody looked, which was not at once
            values["deleted_at"] = values["deleted_at"] is not None
        if isinstance(values.get("file"), int):
            values["file"] = known[values["file"]]
        for name in ("path", "folder"):
            if isinstance(values.get(name), str):
                values[name] = values[name].removeprefix(prefix)
        found.append(repr(values))
    return sorted(found)
