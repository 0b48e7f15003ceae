"""The budgets that a person chose, for whoever marks what is spent of them."""

from bough.config import load_settings
from bough.errors import BoughError
from bough.model.usage.budget_share import NO_BUDGETS, Budgets


def load_budgets() -> Budgets:
    """Read the budgets; none where the settings cannot be read, which others say."""
    try:
        settings = load_settings()
    except BoughError:
        return NO_BUDGETS
    return Budgets(settings.budget_session, settings.budget_day)
