"""The clock and the locale of the machine."""

import locale
import sys
import time
from datetime import UTC, datetime

import pytest

from bough.model.text.formats import ENGLISH, format_moment
from bough.terminal.clock import now, read_time_words


def test_now_carries_its_zone() -> None:
    assert now().tzinfo is UTC


@pytest.mark.parametrize("name", ["C", "POSIX", "xx_NOWHERE.UTF-8"])
def test_a_plain_or_unknown_locale_speaks_english(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("LC_ALL", name)

    assert read_time_words() == ENGLISH


def test_asking_leaves_the_locale_of_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    before = locale.setlocale(locale.LC_TIME)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")

    read_time_words()

    assert locale.setlocale(locale.LC_TIME) == before


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no nl_langinfo")
def test_a_locale_gives_seven_days_from_monday_and_twelve_months(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("LC_ALL", "C.UTF-8")

    words = read_time_words()

    assert words.weekdays == ENGLISH.weekdays
    assert words.months == ENGLISH.months


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone is the system's")
def test_without_a_zone_the_machine_s_own_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    at = datetime(2026, 7, 1, 12, 0, tzinfo=UTC)
    monkeypatch.setenv("TZ", "America/New_York")
    time.tzset()

    shown = format_moment(at, at)
    monkeypatch.undo()
    time.tzset()

    assert shown == "08:00"
