"""The clock, the locale and the settings of times, handed to what writes times."""

import locale
import os
import sys
from datetime import UTC, datetime
from functools import lru_cache
from typing import Final

from bough.model.text.formats import ENGLISH, TimeFormat
from bough.query.usage.time_settings import apply_time_settings

_VARIABLES: Final = ("LC_ALL", "LC_TIME", "LANG")


def now() -> datetime:
    """Read the clock."""
    return datetime.now(UTC)


def read_time_words() -> TimeFormat:
    """Give how times are written: as the settings have it, and else as the locale."""
    return apply_time_settings(_read_locale(tuple(map(os.environ.get, _VARIABLES))))


# Lists ask for every screen, and the stream for every line; a locale is looked up in files.
@lru_cache(maxsize=4)
def _read_locale(_: tuple[str | None, ...]) -> TimeFormat:
    """Ask the locale of LC_TIME how it writes days, months and the hour.

    The process keeps its own locale: ours is set only for the length of the question. Where
    a system cannot answer (Windows has no nl_langinfo), English and 24 hours serve.
    """
    if sys.platform == "win32":
        return ENGLISH
    before = locale.setlocale(locale.LC_TIME)
    try:
        chosen = locale.setlocale(locale.LC_TIME, "")
        return ENGLISH if chosen in ("C", "POSIX") else _query_locale()
    except locale.Error:
        return ENGLISH
    finally:
        locale.setlocale(locale.LC_TIME, before)


if sys.platform != "win32":

    def _query_locale() -> TimeFormat:
        # The system counts Sunday as the first day, Python Monday.
        days = [locale.ABDAY_2, locale.ABDAY_3, locale.ABDAY_4, locale.ABDAY_5]
        days += [locale.ABDAY_6, locale.ABDAY_7, locale.ABDAY_1]
        months = [locale.ABMON_1, locale.ABMON_2, locale.ABMON_3, locale.ABMON_4]
        months += [locale.ABMON_5, locale.ABMON_6, locale.ABMON_7, locale.ABMON_8]
        months += [locale.ABMON_9, locale.ABMON_10, locale.ABMON_11, locale.ABMON_12]
        whole_days = [locale.DAY_2, locale.DAY_3, locale.DAY_4, locale.DAY_5]
        whole_days += [locale.DAY_6, locale.DAY_7, locale.DAY_1]
        whole_months = [locale.MON_1, locale.MON_2, locale.MON_3, locale.MON_4]
        whole_months += [locale.MON_5, locale.MON_6, locale.MON_7, locale.MON_8]
        whole_months += [locale.MON_9, locale.MON_10, locale.MON_11, locale.MON_12]
        clock = locale.nl_langinfo(locale.T_FMT)
        return TimeFormat(
            weekdays=tuple(locale.nl_langinfo(day).strip() for day in days),
            months=tuple(locale.nl_langinfo(month).strip() for month in months),
            twelve_hours="%r" in clock or "%I" in clock,
            whole_weekdays=tuple(locale.nl_langinfo(day).strip() for day in whole_days),
            whole_months=tuple(locale.nl_langinfo(month).strip() for month in whole_months),
        )
