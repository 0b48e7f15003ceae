"""Settings as the apps list and change them."""

from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest

from bough.config import app_settings_path, load_settings, settings_path
from bough.errors import BoughError, ExitCode, Misuse
from bough.library import change_setting, find_setting, list_settings, list_settings_warnings
from bough.model.text.formats import format_clock, format_moment
from bough.query.usage.time_settings import apply_time_settings, load_zone
from tests.conftest import Home

AT = datetime(2026, 11, 15, 22, 5, 9, tzinfo=UTC)


def write_config(text: str) -> None:
    settings_path().parent.mkdir(parents=True, exist_ok=True)
    settings_path().write_text(text, encoding="utf-8")


def kept() -> dict[str, object]:
    return msgspec.json.decode(app_settings_path().read_bytes(), type=dict[str, object])


def test_a_choice_is_kept_and_taken_back(home: Home) -> None:
    assert find_setting("density").source == "default"

    changed = change_setting("density", "compact")
    assert (changed.value, changed.source) == ("compact", "apps")
    assert load_settings().density == "compact"

    changed = change_setting("density", None)
    assert (changed.value, changed.source) == ("comfortable", "default")
    assert kept() == {}


def test_what_the_config_file_sets_cannot_be_changed_and_says_where(home: Home) -> None:
    write_config('theme = "dark"\n')

    row = find_setting("theme")
    assert (row.value, row.source) == ("dark", "config")
    assert "config.toml, which wins" in row.fixed
    with pytest.raises(Misuse, match=r"config\.toml, which wins\. Change it there"):
        change_setting("theme", "light")
    assert not app_settings_path().exists()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("theme", "pink"),
        ("theme", 3),
        ("text_size", 5),
        ("text_size", "15"),
        ("zone", "Mars/Olympus"),
        ("zone", "../../etc/passwd"),
        ("clock", "13h"),
        ("backup_days", 3),
        ("backup_megabytes", -1),
        ("claude_dirs", ["relative"]),
        ("claude_dirs", [""]),
        ("claude_dirs", "~/x"),
        ("prices", {"claude-lab-9": {"input": "much"}}),
        ("archive", "yes"),
        ("archive", 1),
        ("archive_dir", "relative"),
        ("archive_dir", ""),
        ("index", "/tmp/x"),
        ("nonsense", 1),
    ],
)
def test_a_value_without_sense_is_refused_and_nothing_is_written(
    home: Home, name: str, value: object
) -> None:
    with pytest.raises(Misuse):
        change_setting(name, value)

    assert not app_settings_path().exists()


def test_a_folder_around_our_own_files_is_refused(home: Home) -> None:
    with pytest.raises(Misuse, match="inside the Claude folder"):
        change_setting("claude_dirs", [str(app_settings_path().parent.parent)])


def test_the_archive_is_unanswered_until_somebody_answers(home: Home) -> None:
    assert find_setting("archive").value is None

    assert change_setting("archive", True).value is True
    assert change_setting("archive", False).value is False
    assert load_settings().archive is False
    assert change_setting("archive", None).source == "default"


def test_an_archive_inside_a_claude_folder_is_refused(home: Home) -> None:
    with pytest.raises(Misuse, match="inside the Claude folder"):
        change_setting("archive_dir", str(home.path / "kept"))

    assert change_setting("archive_dir", str(home.path.parent / "kept")).source == "apps"


def test_fields_of_a_newer_bough_stay_in_the_file(home: Home) -> None:
    app_settings_path().parent.mkdir(parents=True)
    app_settings_path().write_text('{"of_tomorrow": 1}')

    change_setting("text_size", 18)

    assert kept() == {"of_tomorrow": 1, "text_size": 18}


def test_every_setting_that_holds_is_one_of_its_options(home: Home) -> None:
    rows = list_settings()

    assert {row.name for row in rows} >= {"theme", "text_size", "density", "zone", "clock"}
    for row in rows:
        assert row.value == row.default
        if row.kind == "choice":
            assert row.value in [option.value for option in row.options]


def test_a_file_that_cannot_be_written_is_said(home: Home) -> None:
    app_settings_path().parent.parent.mkdir(parents=True, exist_ok=True)
    app_settings_path().parent.write_text("no folder")

    with pytest.raises(BoughError, match="Density cannot be kept in") as caught:
        change_setting("density", "compact")

    assert caught.value.exit_code is ExitCode.FAILED


def test_zone_and_clock_reach_what_writes_times(home: Home) -> None:
    change_setting("zone", "Asia/Tokyo")
    change_setting("clock", "12h")
    words = apply_time_settings()

    assert format_clock(AT, words=words) == "7:05 AM"
    assert format_clock(AT, words=words, seconds=True) == "7:05:09 AM"
    assert format_moment(AT, datetime(2026, 11, 16, 1, tzinfo=UTC), words=words) == "7:05 AM"
    assert str(load_zone()) == "Asia/Tokyo"


def test_a_zone_that_nobody_knows_warns_and_times_are_written_all_the_same(home: Home) -> None:
    write_config('zone = "Mars/Olympus"\n')

    assert apply_time_settings().zone is None
    assert "No time zone is called Mars/Olympus" in list_settings_warnings()[0]


def test_a_home_is_named_by_its_tilde(home: Home, tmp_path: Path) -> None:
    change_setting("claude_dirs", ["~/elsewhere"])

    assert load_settings().claude_dirs == ("~/elsewhere",)


def test_files_without_sense_do_not_keep_times_from_being_written(home: Home) -> None:
    write_config("zone = 3\n")

    with pytest.raises(Misuse, match="make no sense"):
        load_settings()
    assert apply_time_settings().zone is None
