"""The outline of a session with the prices that hold here: the published ones and the user's own.

Every face shows costs of it; asked anywhere else, they would be those of the published prices.
"""

from bough.config import Settings, load_settings
from bough.errors import BoughError
from bough.model.outline.session_outline import SessionOutline, outline_of
from bough.model.session import Session
from bough.model.usage.price_list import PriceList, apply_overrides


def load_prices() -> PriceList:
    """Read the prices; a settings file that makes no sense keeps no session from being read."""
    try:
        settings = load_settings()
    except BoughError:
        settings = Settings()
    return apply_overrides(settings.prices)


def outline_with_prices(session: Session) -> SessionOutline:
    """Look at a session as a whole, priced as the settings say."""
    return outline_of(session, load_prices())
