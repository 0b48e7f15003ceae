"""Settings: what can be chosen, and a change of one."""

from functools import cache
from typing import Final

from bough.config import Settings, app_settings_path, read_settings, settings_path
from bough.errors import BoughError, Misuse, with_tilde
from bough.library import (
    Setting,
    change_prices,
    change_setting,
    find_weekday,
    list_settings,
    list_settings_warnings,
    measure_index,
)
from bough.model.usage.published_prices import AS_OF
from bough.web.responses import ApiError
from bough.web.state import AppState
from bough.web.wire.about import NoParams
from bough.web.wire.setting_rows import (
    PageSettings,
    SettingBody,
    SettingChoice,
    SettingItem,
    SettingPrice,
    SettingsAnswer,
)

_HERE_ONLY: Final = "Folders are changed only where bough is reached from its own machine alone."


def show_settings(state: AppState, _: NoParams) -> SettingsAnswer:
    """List what can be chosen, and where things lie."""
    index = state.source.index_path
    return SettingsAnswer(
        settings=[_make_item(state, row) for row in list_settings()],
        warnings=list_settings_warnings(),
        file=with_tilde(str(app_settings_path())),
        config=with_tilde(str(settings_path())),
        folders=[with_tilde(str(folder)) for folder in state.source.folders],
        index=with_tilde(str(index)),
        index_bytes=measure_index(index),
        prices_of=AS_OF,
        zones=_list_zones(),
    )


def change_one(state: AppState, body: SettingBody) -> SettingsAnswer:
    """Change a setting, and give all of them as they are then."""
    if body.name in ("claude_dirs", "archive_dir") and state.token_needed:
        # Whoever was given the token may read this history, and no other folder.
        raise ApiError(403, "here_only", _HERE_ONLY)
    if body.name == "prices" and isinstance(body.value, dict):
        change_prices(body.value)
    else:
        change_setting(body.name, body.value)
    if body.name == "prices":
        state.list_cache.refresh_if_due()
    return show_settings(state, NoParams())


def load_page_settings() -> PageSettings:
    """Give what the page is drawn with; settings that cannot be read leave it as it is."""
    try:
        loaded = read_settings()
    except BoughError:
        return PageSettings(None, None, None, None, None, Settings().week_start, [])
    values, chosen = loaded.values, loaded.in_config | loaded.in_apps
    return PageSettings(
        theme=values.theme if "theme" in chosen else None,
        text_size=values.text_size if "text_size" in chosen else None,
        density=values.density if "density" in chosen else None,
        zone=values.zone,
        clock=values.clock,
        week_start=_find_first_day(values.week_start),
        fixed=sorted(loaded.in_config),
    )


def _find_first_day(name: str) -> str:
    """Name the day weeks begin on; a name that is none is said by the reports that need it."""
    try:
        return find_weekday(name)
    except Misuse:
        return Settings().week_start


def _make_item(state: AppState, row: Setting) -> SettingItem:
    value = row.value
    here_only = row.kind in ("folder", "folders") and state.token_needed
    return SettingItem(
        name=row.name,
        section=row.section,
        label=row.label,
        kind=row.kind,
        about=row.about,
        options=[SettingChoice(one.value, one.label) for one in row.options],
        least=row.least,
        most=row.most,
        unit=row.unit,
        source=row.source,
        fixed=row.fixed or (_HERE_ONLY if here_only else ""),
        text=_write_text(value),
        number=value if isinstance(value, int) and not isinstance(value, bool) else None,
        folders=[str(folder) for folder in value] if isinstance(value, list | tuple) else [],
        prices=_list_prices(value) if isinstance(value, dict) else [],
    )


def _write_text(value: object) -> str | None:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else None


def _list_prices(prices: dict[str, dict[str, object]]) -> list[SettingPrice]:
    return [
        SettingPrice(model, _read_rate(rates.get("input")), _read_rate(rates.get("output")))
        for model, rates in prices.items()
    ]


def _read_rate(rate: object) -> float | None:
    return float(rate) if isinstance(rate, int | float) else None


@cache
def _list_zones() -> list[str]:
    from zoneinfo import available_timezones  # noqa: PLC0415 - looks through a folder

    return sorted(name for name in available_timezones() if "/" in name or name == "UTC")
