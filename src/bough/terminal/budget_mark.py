"""The mark of a session that is near its budget or over it, for lists in a terminal."""

from bough.model.usage.budget_share import BudgetShare
from bough.terminal.style import Glyphs, Role, Span


def format_budget_mark(share: BudgetShare | None, glyphs: Glyphs) -> str:
    """Give the sign and how much is spent; nothing where there is nothing to mark."""
    return f"{glyphs.budget} {share.label}" if share is not None else ""


def render_budget_mark(share: BudgetShare | None, glyphs: Glyphs) -> list[Span]:
    """Give the mark in its colour, and the gap behind it; nothing where there is none."""
    if share is None:
        return []
    return [(choose_budget_role(share), f"{format_budget_mark(share, glyphs)}  ")]


def choose_budget_role(share: BudgetShare) -> Role:
    """Choose how urgent a mark looks."""
    return Role.ERROR if share.is_over else Role.WAITING
