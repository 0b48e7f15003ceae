import sys
from pathlib import Path

import pytest

from bough.config import (
    Settings,
    app_settings_path,
    claude_dirs,
    data_dir,
    index_path,
    load_settings,
    read_settings,
    settings_path,
)
from bough.errors import Misuse, Unreadable


@pytest.fixture
def user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A person with nothing set but a home."""
    for name in ("CLAUDE_CONFIG_DIR", "BOUGH_INDEX", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv("APPDATA", str(tmp_path / ".config"))
    return tmp_path


def write_settings(text: str) -> None:
    settings_path().parent.mkdir(parents=True)
    settings_path().write_text(text, encoding="utf-8")


class TestClaudeFolders:
    def test_both_usual_places_are_looked_at(self, user: Path) -> None:
        assert claude_dirs() == (user / ".claude", user / ".config" / "claude")

    @pytest.mark.parametrize(
        ("platform", "place"),
        [
            ("linux", ".config/Claude"),
            ("win32", ".config/Claude"),
            ("darwin", "Library/Application Support/Claude"),
        ],
    )
    def test_the_desktop_app_is_looked_at_where_cowork_has_worked(
        self, user: Path, monkeypatch: pytest.MonkeyPatch, platform: str, place: str
    ) -> None:
        monkeypatch.setattr("sys.platform", platform)
        before = claude_dirs()
        (user / place / "local-agent-mode-sessions").mkdir(parents=True)

        assert claude_dirs() == (*before, user / place)
        assert user / place not in before

    def test_xdg_moves_the_second_place(self, user: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("XDG_CONFIG_HOME", str(user / "xdg"))

        assert claude_dirs() == (user / ".claude", user / "xdg" / "claude")

    def test_a_relative_xdg_folder_does_not_count(
        self, user: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("XDG_CONFIG_HOME", "somewhere")

        assert claude_dirs()[1] == user / ".config" / "claude"

    def test_the_clients_variable_replaces_the_usual_places(
        self, user: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("CLAUDE_CONFIG_DIR", "~/elsewhere")

        assert claude_dirs() == (user / "elsewhere",)

    def test_the_variable_may_name_several_folders(
        self, user: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("CLAUDE_CONFIG_DIR", "~/one, ~/two,")

        assert claude_dirs() == (user / "one", user / "two")

    def test_a_folder_with_a_comma_in_its_name_is_one_folder(
        self, user: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (user / "a,b").mkdir()
        monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(user / "a,b"))

        assert claude_dirs() == (user / "a,b",)

    def test_an_empty_variable_does_not_count(
        self, user: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("CLAUDE_CONFIG_DIR", " ")

        assert claude_dirs()[0] == user / ".claude"

    def test_what_the_caller_names_beats_everything(
        self, user: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(user / "env"))
        named = [user / "b", Path("~/a")]

        assert claude_dirs(named) == (user / "b", user / "a")

    def test_two_names_of_one_folder_are_one(self, user: Path) -> None:
        (user / ".claude").mkdir()
        (user / ".config").mkdir()
        (user / ".config" / "claude").symlink_to(user / ".claude")

        assert claude_dirs() == (user / ".claude",)

    def test_a_link_that_leads_to_itself_is_only_a_place(self, user: Path) -> None:
        (user / ".claude").symlink_to(user / ".claude")

        assert user / ".claude" in claude_dirs()

    def test_an_unknown_users_home_is_misuse(self, user: Path) -> None:
        with pytest.raises(Misuse, match="Cannot tell which folder ~no-such-user/x is"):
            claude_dirs([Path("~no-such-user/x")])


class TestIndex:
    def test_it_lies_in_the_data_folder(self, user: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("XDG_DATA_HOME", str(user / "data"))

        assert index_path() == user / "data" / "bough" / "index.sqlite"

    def test_the_variable_moves_it_and_the_caller_beats_the_variable(
        self, user: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("BOUGH_INDEX", str(user / "env.sqlite"))

        assert index_path() == user / "env.sqlite"
        assert index_path(user / "mine.sqlite") == user / "mine.sqlite"

    def test_it_is_refused_inside_a_claude_folder(self, user: Path) -> None:
        with pytest.raises(Misuse, match=r"inside the Claude folder .*Name another place"):
            index_path(user / ".claude" / "deep" / "index.sqlite")

    def test_it_is_refused_inside_a_claude_folder_the_caller_names(self, user: Path) -> None:
        with pytest.raises(Misuse):
            index_path(user / "other" / "index.sqlite", claude=[user / "other"])

    def test_it_is_refused_inside_the_usual_folder_when_another_is_named(self, user: Path) -> None:
        with pytest.raises(Misuse):
            index_path(user / ".claude" / "index.sqlite", claude=[user / "other"])

    def test_a_link_into_a_claude_folder_is_seen_through(self, user: Path) -> None:
        (user / ".claude").mkdir()
        (user / "innocent").symlink_to(user / ".claude")

        with pytest.raises(Misuse):
            index_path(user / "innocent" / "index.sqlite")

    def test_a_neighbour_with_a_similar_name_is_allowed(self, user: Path) -> None:
        path = user / ".claude-index" / "index.sqlite"

        assert index_path(path) == path

    def test_a_data_folder_inside_a_claude_folder_is_refused(
        self, user: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("XDG_DATA_HOME", str(user / ".claude"))

        with pytest.raises(Misuse):
            index_path()


@pytest.mark.parametrize(
    ("platform", "variable", "below"),
    [
        ("linux", None, ".local/share/bough"),
        ("darwin", None, "Library/Application Support/bough"),
        ("win32", None, "AppData/Local/bough"),
        ("win32", "LOCALAPPDATA", "local/bough"),
        ("linux", "XDG_DATA_HOME", "local/bough"),
    ],
)
def test_each_platform_has_its_data_folder(
    user: Path, monkeypatch: pytest.MonkeyPatch, platform: str, variable: str | None, below: str
) -> None:
    monkeypatch.delenv("LOCALAPPDATA", raising=False)
    monkeypatch.setattr(sys, "platform", platform)
    if variable:
        monkeypatch.setenv(variable, str(user / "local"))

    assert data_dir() == user / below


class TestSettings:
    def test_without_a_file_everything_has_its_default(self, user: Path) -> None:
        assert load_settings() == Settings()

    def test_the_file_names_folders_and_the_index(self, user: Path) -> None:
        write_settings('claude_dirs = ["~/work", "~/home"]\nindex = "~/i.sqlite"\n')

        assert claude_dirs() == (user / "work", user / "home")
        assert index_path() == user / "i.sqlite"

    def test_the_environment_beats_the_file(
        self, user: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write_settings('claude_dirs = ["~/work"]\n')
        monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(user / "env"))

        assert claude_dirs() == (user / "env",)

    @pytest.mark.parametrize(
        ("text", "what"),
        [
            ("claude_dirs = \n", "line 1"),
            ("claude_dirs = 4", "claude_dirs"),
        ],
    )
    def test_nonsense_is_misuse_and_says_where(self, user: Path, text: str, what: str) -> None:
        write_settings(text)

        with pytest.raises(Misuse, match=rf"config.toml make no sense: .*{what}"):
            load_settings()

    def test_a_file_that_is_not_text_is_unreadable(self, user: Path) -> None:
        settings_path().parent.mkdir(parents=True)
        settings_path().write_bytes(b"\xff\xfe")

        with pytest.raises(Unreadable, match="it is not UTF-8 text"):
            load_settings()

    def test_a_folder_in_its_place_is_unreadable(self, user: Path) -> None:
        settings_path().mkdir(parents=True)

        with pytest.raises(Unreadable):
            load_settings()

    def test_days_weeks_and_prices_can_be_chosen(self, user: Path) -> None:
        write_settings(
            'zone = "Europe/Prague"\nweek_start = "sunday"\n[prices."claude-lab-9"]\ninput = 4\n'
        )

        found = load_settings()

        assert (found.zone, found.week_start) == ("Europe/Prague", "sunday")
        assert found.prices == {"claude-lab-9": {"input": 4}}

    def test_a_price_that_is_no_table_makes_no_sense(self, user: Path) -> None:
        write_settings('[prices]\n"claude-lab-9" = 4\n')

        with pytest.raises(Misuse, match="make no sense"):
            load_settings()


def choose_in_apps(text: str) -> None:
    app_settings_path().parent.mkdir(parents=True, exist_ok=True)
    app_settings_path().write_text(text, encoding="utf-8")


class TestChoicesOfTheApps:
    def test_what_was_chosen_in_an_app_holds(self, user: Path) -> None:
        choose_in_apps('{"zone": "Asia/Tokyo", "clock": "12h"}')

        found = read_settings()

        assert (found.values.zone, found.values.clock) == ("Asia/Tokyo", "12h")
        assert found.in_apps == {"zone", "clock"}
        assert found.warnings == ()

    def test_the_file_that_a_person_writes_wins(self, user: Path) -> None:
        write_settings('zone = "Europe/Prague"\n')
        choose_in_apps('{"zone": "Asia/Tokyo", "density": "compact"}')

        found = read_settings()

        assert (found.values.zone, found.values.density) == ("Europe/Prague", "compact")
        assert found.in_config == {"zone"}
        assert found.in_apps == {"density"}

    def test_a_change_of_the_file_is_seen_at_once(self, user: Path) -> None:
        choose_in_apps('{"text_size": 17}')
        assert load_settings().text_size == 17

        choose_in_apps('{"text_size": 18}')
        assert load_settings().text_size == 18

    def test_unknown_fields_of_both_files_warn_and_do_not_count(self, user: Path) -> None:
        write_settings("colour = 'red'\nweek_start = 'sunday'\n")
        choose_in_apps('{"shape": 3}')

        found = read_settings()

        assert found.values == Settings(week_start="sunday")
        assert [sentence.split(";")[0] for sentence in found.warnings] == [
            "No setting is called colour",
            "No setting is called shape",
        ]

    @pytest.mark.parametrize("text", ["{", "[]", '"x"', "[" * 100_000])
    def test_damage_of_what_the_apps_wrote_only_warns(self, user: Path, text: str) -> None:
        choose_in_apps(text)

        assert load_settings() == Settings()
        assert "cannot be read" in read_settings().warnings[0]

    def test_one_value_without_sense_leaves_the_others(self, user: Path) -> None:
        choose_in_apps('{"text_size": 900, "density": "compact"}')

        assert load_settings() == Settings(density="compact")
        assert "text_size" in read_settings().warnings[0]

    def test_a_folder_in_the_place_of_the_file_only_warns(self, user: Path) -> None:
        app_settings_path().mkdir(parents=True)

        assert load_settings() == Settings()
        assert len(read_settings().warnings) == 1
