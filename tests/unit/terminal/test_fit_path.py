"""A path that is too long is cut in its middle: the name of the file stays."""

import pytest

from bough.model.tools.call_summary import shorten_path, split_path
from bough.terminal.text import fit_path, width


def test_the_name_of_the_file_stays() -> None:
    assert fit_path("src/app/analytics/daily/page.tsx", 20) == "src/app/an…/page.tsx"
    assert fit_path("C:\\Code\\shop\\analytics\\page.tsx", 20) == "C:\\Code\\sh…\\page.tsx"


@pytest.mark.parametrize("columns", range(1, 40))
def test_no_more_columns_are_taken_than_there_are(columns: int) -> None:
    assert width(fit_path("src/映画/analytics/daily/page.tsx", columns)) <= columns


def test_a_path_of_windows_is_told_from_the_project_however_it_is_spelt() -> None:
    assert shorten_path("c:\\Code\\shop\\src\\a.py", "C:\\code\\shop") == "src\\a.py"
    assert shorten_path("C:/Code/shop/src/a.py", "c:\\Code\\shop") == "src/a.py"
    assert shorten_path("/home/Dev/a.py", "/home/dev") == "/home/Dev/a.py"


def test_only_what_a_file_tool_is_about_is_a_path() -> None:
    assert split_path("Read", "src/app/a.py") == ("src/app/", "a.py")
    assert split_path("Bash", "ls src/app") == ("", "ls src/app")
