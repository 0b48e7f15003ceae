"""What was found in a session, a line each: what is fine first, then notes, then problems."""

from typing import Final

from bough.cli.clean import clean
from bough.cli.fitting import wrap
from bough.cli.numbers import count, plural, share
from bough.cli.style import Role, Styles
from bough.model.health import PROBLEM, Finding
from bough.model.session import Session

_WIDEST: Final = 100
_NO_ACTION: Final = "Nothing to do."


def doctor_lines(session: Session, styles: Styles, columns: int | None) -> list[str]:
    """Write the findings of a session and how many they are."""
    health = session.health
    found = sorted(health.findings, key=lambda finding: finding.severity == PROBLEM)
    lines = [_read(session, styles), _reached(session, styles)]
    for finding in found:
        lines += _finding(finding, styles, columns)
    problems = sum(finding.severity == PROBLEM for finding in found)
    notes = len(found) - problems
    counts = [plural(problems, "problem")] if problems else []
    counts += [plural(notes, "note")] if notes else []
    return [*lines, f"{', '.join(counts) or 'Nothing is wrong'}. Nothing was changed."]


def _read(session: Session, styles: Styles) -> str:
    """Say how much there is, and how much of it cannot be read."""
    bad = [line for line in session.bad_lines if not line.blank]
    numbers = [record.number for record in session.records]
    lines = max([*numbers, *(line.number for line in session.bad_lines)], default=0)
    facts = (plural(lines, "line"), plural(len(session.records), "record"))
    text = f"{', '.join(facts)}, {count(len(bad))} unreadable"
    return _marked(text, styles, Role.ERROR if bad else Role.ACTIVE)


def _reached(session: Session, styles: Styles) -> str:
    """Say how much of the conversation Claude would know; a compaction explains the rest."""
    seen = session.health.reachability
    if seen >= 1:
        return _marked("A resume would see the whole conversation.", styles, Role.ACTIVE)
    text = f"A resume would see {share(seen)} of the conversation"
    if any(turn.kind == "compaction" for turn in session.conversation().turns):
        return _marked(f"{text}; it was compacted.", styles, Role.ACTIVE)
    return _marked(f"{text}.", styles, Role.META)


def _finding(finding: Finding, styles: Styles, columns: int | None) -> list[str]:
    role = Role.ERROR if finding.severity == PROBLEM else Role.META
    room = None if columns is None else min(columns, _WIDEST)
    first, *rest = _set(clean(finding.message), room)
    action = _set(clean(finding.action), room) if finding.action != _NO_ACTION else []
    below = [*rest, *action]
    return [_marked(first, styles, role), *(styles.paint(Role.META, f"  {line}") for line in below)]


def _set(text: str, columns: int | None) -> list[str]:
    lines = [text] if columns is None else wrap(text, columns - 2)
    return [line for line in lines if line.strip()] or [""]


def _marked(text: str, styles: Styles, role: Role) -> str:
    glyphs = styles.glyphs
    sign = {Role.ACTIVE: glyphs.ok, Role.ERROR: glyphs.failed}.get(role, "!")
    return f"{styles.paint(role, sign)} {text}"
