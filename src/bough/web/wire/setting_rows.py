"""What goes over the wire about settings: the page of them, and one change."""

from typing import Literal

from msgspec import Struct


class SettingChoice(Struct, frozen=True):
    """One of a few values; null is that of the system, or none yet."""

    value: str | bool | None
    label: str


class SettingPrice(Struct, frozen=True):
    """A price of one's own, in USD per million tokens; null is left to the published one."""

    model: str
    input: float | None
    output: float | None


class SettingItem(Struct, frozen=True):
    """One setting: what holds, where it was set, and how it is chosen.

    Of `text`, `number`, `folders` and `prices` the one of its kind has the value; `text` is true or
    false for what is on or off. `fixed` is the sentence that says why it cannot be changed here;
    empty where it can be.
    """

    name: str
    section: str
    label: str
    kind: Literal["choice", "number", "zone", "folder", "folders", "prices"]
    about: str
    options: list[SettingChoice]
    least: int
    most: int
    unit: str
    source: Literal["default", "apps", "config"]
    fixed: str
    text: str | None
    number: int | None
    folders: list[str]
    prices: list[SettingPrice]


class SettingsAnswer(Struct, frozen=True):
    """The page of settings. `folders` are read now, `zones` can be chosen."""

    settings: list[SettingItem]
    warnings: list[str]
    file: str
    config: str
    folders: list[str]
    index: str
    index_bytes: int
    prices_of: str
    zones: list[str]


class SettingBody(Struct, frozen=True, forbid_unknown_fields=True):
    """A change: the setting's name and its value; null takes the choice back.

    Of `prices` the value holds the models that change: their rates, or null for none of one's own.
    """

    name: str
    value: str | bool | int | list[str] | dict[str, dict[str, float] | None] | None = None


class PageSettings(Struct, frozen=True):
    """What the page needs before it shows anything; null is not chosen.

    `fixed` names those that `config.toml` sets.
    """

    theme: Literal["system", "light", "dark"] | None
    text_size: int | None
    density: Literal["comfortable", "compact"] | None
    zone: str | None
    clock: Literal["24h", "12h"] | None
    week_start: str
    fixed: list[str]
