"""What was found in a session, a line each: what is fine first, then notes, then problems."""

from typing import Final

from bough.model.health import PROBLEM, Finding
from bough.model.session import Session
from bough.model.text.formats import format_count, format_percent, format_plural
from bough.terminal.style import Glyphs, Role, StyledLine, line_of
from bough.terminal.text import clean, wrap

_WIDEST: Final = 100
_NO_ACTION: Final = "Nothing to do."


def render_health(session: Session, glyphs: Glyphs, columns: int | None) -> list[StyledLine]:
    """Write the findings of a session and how many they are."""
    health = session.health
    found = sorted(health.findings, key=lambda finding: finding.severity == PROBLEM)
    room = None if columns is None else min(columns, _WIDEST)
    lines: list[StyledLine] = []
    for role, text, action in (
        _report_lines(session),
        _report_reach(session),
        *map(_report_finding, found),
    ):
        lines += _render_sentence(text, action, role, glyphs, room)
    problems = sum(finding.severity == PROBLEM for finding in found)
    notes = len(found) - problems
    counts = [format_plural(problems, "problem")] if problems else []
    counts += [format_plural(notes, "note")] if notes else []
    said = f"{', '.join(counts) or 'Nothing is wrong'}. Nothing was changed."
    return [*lines, *(line_of(line) for line in _wrap_text(said, room))]


def _report_lines(session: Session) -> tuple[Role, str, str]:
    """Say how much there is, and how much of it cannot be read."""
    bad = [line for line in session.bad_lines if not line.blank]
    numbers = [record.number for record in session.records]
    lines = max([*numbers, *(line.number for line in session.bad_lines)], default=0)
    facts = (format_plural(lines, "line"), format_plural(len(session.records), "record"))
    text = f"{', '.join(facts)}, {format_count(len(bad))} unreadable"
    return Role.ERROR if bad else Role.ACTIVE, text, ""


def _report_reach(session: Session) -> tuple[Role, str, str]:
    """Say how much of the conversation Claude would know; a compaction explains the rest."""
    seen = session.health.reachability
    if seen >= 1:
        return Role.ACTIVE, "A resume would see the whole conversation.", ""
    text = f"A resume would see {format_percent(seen)} of the conversation"
    if any(message.kind == "compaction" for message in session.conversation().messages):
        return Role.ACTIVE, f"{text}; it was compacted.", ""
    return Role.META, f"{text}.", ""


def _report_finding(finding: Finding) -> tuple[Role, str, str]:
    role = Role.ERROR if finding.severity == PROBLEM else Role.META
    action = finding.action if finding.action != _NO_ACTION else ""
    return role, finding.message, action


def _render_sentence(
    text: str, action: str, role: Role, glyphs: Glyphs, room: int | None
) -> list[StyledLine]:
    """Set a sentence behind its sign, and what can be done below it."""
    sign = {Role.ACTIVE: glyphs.ok, Role.ERROR: glyphs.failed}.get(role, "!")
    first, *rest = _wrap_text(clean(text), room)
    below = [*rest, *(_wrap_text(clean(action), room) if action else [])]
    quiet = [line_of(f"  {line}", Role.META) for line in below]
    return [((role, sign), (Role.CLAUDE, f" {first}")), *quiet]


def _wrap_text(text: str, columns: int | None) -> list[str]:
    lines = [text] if columns is None else wrap(text, columns - 2)
    return [line for line in lines if line.strip()] or [""]
