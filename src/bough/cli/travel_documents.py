"""What the commands of time travel print for --json; docs/time-travel.md lists the fields."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from bough import library

if TYPE_CHECKING:
    from collections.abc import Sequence

JsonDocument = dict[str, object]
OPERATION_FIELDS: Final = (
    *("number", "at", "operation", "session", "headline", "state", "reason", "path", "result"),
    *("undoes", "undone_by", "claude_dir"),
)


def resume_document(plan: "library.Plan", _number: int | None = None) -> JsonDocument:
    """Describe a session that can be resumed at a point."""
    view = plan.resume_view
    return {
        "session": plan.result,
        "path": plan.path,
        "at": plan.point.uuid if plan.point is not None else None,
        "turns": view.turns + view.summarized if view is not None else None,
        "resume": plan.resume,
    }


def change_document(plan: "library.Plan", number: int | None) -> JsonDocument:
    """Describe an operation on files that are there."""
    return {
        "operation": number,
        "session": plan.session,
        "path": plan.path,
        "claude_dir": str(Path(plan.projects).parent),
        "changes": list(plan.changes),
        "creates": list(plan.creates),
        "undoes": list(plan.undoes),
    }


def dry_run_document(plan: "library.Plan", document: JsonDocument, *, diff: bool) -> JsonDocument:
    """Add to a document that it is a plan only, and what the plan is."""
    planned: JsonDocument = {
        "operation": plan.operation,
        "headline": plan.headline,
        "sees": msgspec.to_builtins(plan.resume_view),
        "creates": list(plan.creates),
        "changes": list(plan.changes),
        "checked": list(plan.checked),
        "notes": list(plan.notes),
    }
    if diff:
        planned["diff"] = library.render_diff(plan)
    return {**document, "dry_run": True, "plan": planned}


MATCH_FIELDS: Final = (
    *("session", "uuid", "kind", "text", "marks", "timestamp", "turn", "end", "active"),
    *("tips", "above", "below"),
)


def match_document(session: str, match: "library.TextMatch") -> JsonDocument:
    """Describe words that were found."""
    return {
        "session": session,
        "uuid": match.uuid,
        "kind": match.kind,
        "text": match.snippet.text,
        "marks": match.snippet.marks,
        "timestamp": match.timestamp,
        "turn": match.turn,
        "end": match.end,
        "active": match.active,
        "tips": match.tips,
        "above": match.above,
        "below": match.below,
    }


def operations_document(operations: "Sequence[library.Operation]") -> list[JsonDocument]:
    """Describe what was done, the newest first."""
    return [{name: getattr(one, name) for name in OPERATION_FIELDS} for one in operations]


def backups_document(report: "library.BackupReport", *, dry_run: bool) -> JsonDocument:
    """Describe which backups went, or would go."""
    return {
        "removed": [
            {
                "number": one.number,
                "at": one.at,
                "headline": one.headline,
                "state": one.state,
                "bytes": one.bytes,
                "why": one.why,
            }
            for one in report.removed
        ],
        "kept": report.kept,
        "kept_bytes": report.kept_bytes,
        "dry_run": dry_run,
    }


def comparison_document(seen: "library.BranchComparison") -> JsonDocument:
    """Describe two branches side by side; `other` is there where B is of another session."""
    return {
        "session": seen.session,
        **({"other": seen.other} if seen.other is not None else {}),
        "shared": seen.shared,
        "parting": seen.parting,
        "a": _side_document(seen.a),
        "b": _side_document(seen.b),
        "only_a": seen.only_a,
        "only_b": seen.only_b,
        "both": seen.both,
    }


def _side_document(side: "library.ComparedBranch") -> JsonDocument:
    return {
        "tip": side.tip,
        "active": side.active,
        "turns": len(side.turns),
        "prompts": side.turns,
        "files": side.files,
        "tokens": side.usage.tokens,
        "calls": side.usage.calls,
        "cost_usd": side.cost.usd,
        "unpriced_models": side.cost.unpriced_models,
        "duration_seconds": side.seconds,
    }
