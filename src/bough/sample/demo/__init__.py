"""The made-up history of `bough demo`.

Some people and their work over a year: a shop and its worktrees, a drawing program, a Windows
machine, notes in other scripts, clients from 1.0 to one that does not exist yet. It is written
into the folder given and nowhere else, and is the same for the same moment.
"""

import os
from datetime import datetime
from pathlib import Path

import msgspec

from bough.sample.builder.session import SampleSession
from bough.sample.data.ids import uuid_with_prefix
from bough.sample.demo import lantern, orchard, resume_import, taxes
from bough.sample.demo import other_machines as elsewhere
from bough.sample.demo.world import ORCHARD, DemoCalendar, begin_session

_MODULES = (resume_import, orchard, taxes, lantern, elsewhere)


def sessions(now: datetime) -> list[SampleSession]:
    """Give every session of the demo, seen from a moment."""
    calendar = DemoCalendar(now)
    return [session for place in _MODULES for session in place.sessions(calendar)]


def write_demo(folder: Path, now: datetime) -> Path:
    """Write the demo's history below a folder; give the Claude folder it is in."""
    claude_dir = folder / ".claude"
    for session in sessions(now):
        session.write(claude_dir)
        _set_file_times(session, claude_dir)
    _write_notes(claude_dir, now)
    orphaned = _make_orphaned_agents(now)
    orphaned.write_companions(claude_dir)
    _set_file_times(orphaned, claude_dir)
    return claude_dir


def _write_notes(claude_dir: Path, now: datetime) -> None:
    """Leave what the client keeps beside `projects/`: a plan, and the tasks of what it became."""
    moment = DemoCalendar(now).last_weekday(taxes.TUESDAY, "17:40").timestamp()
    files = {f"plans/{taxes.SLUG}.md": f"{taxes.PLAN}\n"}
    for number, task in enumerate(taxes.TASKS, 1):
        given = {"id": str(number), **task, "blocks": [], "blockedBy": []}
        name = f"tasks/{taxes.BUILD_ID}/{number}.json"
        files[name] = msgspec.json.format(msgspec.json.encode(given), indent=2).decode()
    for name, text in files.items():
        place = claude_dir / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8", newline="\n")
        os.utime(place, (moment, moment))


def _set_file_times(session: SampleSession, claude_dir: Path) -> None:
    """Give each file the time of its last record: the client sorts and tidies by it."""
    folder = claude_dir / "projects" / session.project
    for place in session.files():
        draft = session.agent_files.get(place, session)
        moment = draft.now.timestamp()
        if (folder / place).exists():
            os.utime(folder / place, (moment, moment))


def _make_orphaned_agents(now: datetime) -> SampleSession:
    """Leave what remains of a session the client deleted: its agents, without their session."""
    seed = "old-notes"
    moment = DemoCalendar(now).days_ago(44, "10:00")
    builder = begin_session(
        seed, moment, session_id=uuid_with_prefix("0c44f1b2", seed), cwd=ORCHARD
    )
    return builder.user("Old import notes").agent(
        "Explore", "read the old notes", answer="Outdated."
    )
