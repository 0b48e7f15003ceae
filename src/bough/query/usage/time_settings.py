"""How times are written and days are counted, as the settings have it.

Every face writes times with the functions of `bough.model.text.formats`, and takes the zone and
the clock for them from here.
"""

from datetime import tzinfo

from msgspec.structs import replace

from bough.config import Settings, load_settings
from bough.errors import BoughError, Misuse
from bough.model.text.formats import ENGLISH, TimeFormat


def apply_time_settings(words: TimeFormat = ENGLISH) -> TimeFormat:
    """Give the words of a locale the zone and the clock that a person has chosen.

    A zone that nobody knows, and files without sense, are told where settings are listed or
    needed; times are written all the same.
    """
    settings = _load_tolerantly()
    twelve = words.twelve_hours if settings.clock is None else settings.clock == "12h"
    return replace(words, zone=_find_chosen_zone(settings.zone), twelve_hours=twelve)


def load_zone() -> tzinfo:
    """Give the zone in which days begin: the chosen one, or the machine's own."""
    from bough.query.usage.time_zones import LocalZone  # noqa: PLC0415 - most have chosen none

    return _find_chosen_zone(_load_tolerantly().zone) or LocalZone()


def _load_tolerantly() -> Settings:
    try:
        return load_settings()
    except BoughError:
        return Settings()


def _find_chosen_zone(name: str | None) -> tzinfo | None:
    if name is None or name.lower() == "local":
        return None
    from bough.query.usage.time_zones import find_zone  # noqa: PLC0415 - most have chosen none

    try:
        return find_zone(name)
    except Misuse:
        return None
