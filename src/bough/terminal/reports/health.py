"""What was found in a session, a line each: what is fine first, then notes, then problems."""

from typing import Final

from bough.model.health import PROBLEM, Finding
from bough.model.session import Session
from bough.model.text.formats import count, plural, share
from bough.terminal.style import Role, Styles
from bough.terminal.text import clean, wrap

_WIDEST: Final = 100
_NO_ACTION: Final = "Nothing to do."


def doctor_lines(session: Session, styles: Styles, columns: int | None) -> list[str]:
    """Write the findings of a session and how many they are."""
    health = session.health
    found = sorted(health.findings, key=lambda finding: finding.severity == PROBLEM)
    room = None if columns is None else min(columns, _WIDEST)
    lines: list[str] = []
    for role, text, action in (_read(session), _reached(session), *map(_found, found)):
        lines += _line(text, action, role, styles, room)
    problems = sum(finding.severity == PROBLEM for finding in found)
    notes = len(found) - problems
    counts = [plural(problems, "problem")] if problems else []
    counts += [plural(notes, "note")] if notes else []
    return [*lines, *_set(f"{', '.join(counts) or 'Nothing is wrong'}. Nothing was changed.", room)]


def _read(session: Session) -> tuple[Role, str, str]:
    """Say how much there is, and how much of it cannot be read."""
    bad = [line for line in session.bad_lines if not line.blank]
    numbers = [record.number for record in session.records]
    lines = max([*numbers, *(line.number for line in session.bad_lines)], default=0)
    facts = (plural(lines, "line"), plural(len(session.records), "record"))
    text = f"{', '.join(facts)}, {count(len(bad))} unreadable"
    return Role.ERROR if bad else Role.ACTIVE, text, ""


def _reached(session: Session) -> tuple[Role, str, str]:
    """Say how much of the conversation Claude would know; a compaction explains the rest."""
    seen = session.health.reachability
    if seen >= 1:
        return Role.ACTIVE, "A resume would see the whole conversation.", ""
    text = f"A resume would see {share(seen)} of the conversation"
    if any(turn.kind == "compaction" for turn in session.conversation().turns):
        return Role.ACTIVE, f"{text}; it was compacted.", ""
    return Role.META, f"{text}.", ""


def _found(finding: Finding) -> tuple[Role, str, str]:
    role = Role.ERROR if finding.severity == PROBLEM else Role.META
    action = finding.action if finding.action != _NO_ACTION else ""
    return role, finding.message, action


def _line(text: str, action: str, role: Role, styles: Styles, room: int | None) -> list[str]:
    """Set a sentence behind its sign, and what can be done below it."""
    sign = {Role.ACTIVE: styles.glyphs.ok, Role.ERROR: styles.glyphs.failed}.get(role, "!")
    first, *rest = _set(clean(text), room)
    below = [*rest, *(_set(clean(action), room) if action else [])]
    quiet = [styles.paint(Role.META, f"  {line}") for line in below]
    return [f"{styles.paint(role, sign)} {first}", *quiet]


def _set(text: str, columns: int | None) -> list[str]:
    lines = [text] if columns is None else wrap(text, columns - 2)
    return [line for line in lines if line.strip()] or [""]
