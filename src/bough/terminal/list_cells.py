"""What lists in a terminal say of a session in a few characters: its cost, its budget, its copy."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from bough.model.interpret.kept_places import KeptPlace
from bough.model.text.formats import format_cost
from bough.model.usage.budget_share import BudgetShare
from bough.terminal.style import Glyphs, Role, Span

if TYPE_CHECKING:
    from bough.library import Project
    from bough.model.usage.costs import UsageTotal

_DATED: Final = re.compile(r"-\d{8}\Z")
NOTHING_GONE: Final[Mapping[tuple[str, str], KeptPlace]] = {}
"""What a list says by project and session where every file is there."""


def find_alike_projects(projects: "Sequence[Project]") -> frozenset[str]:
    """Find projects with the same name and path: only the names of their folders differ."""
    counts = Counter((one.name, one.path, one.machine) for one in projects)
    return frozenset(one.id for one in projects if counts[one.name, one.path, one.machine] > 1)


def format_cost_cell(amount: "UsageTotal | None") -> str:
    """Write a cost for a column; a dash where nothing was used."""
    if amount is None or not amount.tokens:
        return format_cost(0, in_table=True)
    return format_cost(amount.usd, partly_unknown=not amount.cost.is_complete, in_table=True)


def format_kept_sign(place: KeptPlace, glyphs: Glyphs) -> str:
    """Give the sign of a session whose file the client deleted, and its word; else nothing."""
    if place is KeptPlace.FILE:
        return ""
    sign = glyphs.archived if place is KeptPlace.ARCHIVE else glyphs.lost
    return f"{sign} {place.label}"


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


def shorten_model(name: str) -> str:
    """Name a model as people do: opus-4-6."""
    return _DATED.sub("", name.removeprefix("claude-")) or name
