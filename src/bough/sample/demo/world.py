"""Where the made-up people work, and how their sessions begin."""

from datetime import datetime, timedelta
from typing import Unpack

from bough.sample.builder.session import Session, session
from bough.sample.data.records import FactWords

ORCHARD = "/home/dev/code/orchard-shop"
RESUME_IMPORT = f"{ORCHARD}/.claude/worktrees/resume-import"
FIX_TAX = f"{ORCHARD}/.claude/worktrees/fix-tax"
LANTERN = "/home/dev/code/paper-lantern"
TIDE_TABLE = "C:\\Users\\dev\\source\\tide-table"
FIELD_NOTES = "/home/dev/writing/field-notes"
DOTFILES = "/home/dev/dotfiles"
TICK = timedelta(milliseconds=400)


def begin(seed: str, moment: datetime, **facts: Unpack[FactWords]) -> Session:
    """Begin a session at a moment; things happen a little faster than in tests."""
    return session(f"demo/{seed}", **({"start": moment, "tick": TICK} | facts))
