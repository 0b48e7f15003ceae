import sqlite3
from contextlib import closing

import pytest

from bough.store.query_language import Field, Filter, like_pattern


def fits(wanted: Filter, value: str) -> bool:
    with closing(sqlite3.connect(":memory:")) as db:
        question = r"select ? like ? escape '\'"
        return bool(db.execute(question, (value, like_pattern(wanted))).fetchone()[0])


@pytest.mark.parametrize(
    ("field", "value", "fitting", "other"),
    [
        (Field.TOOL, "bash", "Bash", "BashOutput"),
        (Field.TOOL, "mcp__*", "mcp__git__log", "mcpXXgit"),
        (Field.SESSION, "3f9c", "3f9c21d0", "a3f9c"),
        (Field.FILE, "reader.py", "/src/reader.py", "/src/reader_py"),
        (Field.FILE, "src*.py", "/src/a/b.py", "/a/b.py"),
        (Field.FILE, r"C:\a", r"C:\a\b.py", "C:/a/b.py"),
        (Field.MODEL, "opus", "claude-opus-5", "claude-sonnet-5"),
        (Field.PROJECT, "100%", "up 100% now", "up 100 now"),
        (Field.ROLE, "user", "user", "users"),
    ],
)
def test_a_value_fits_as_its_field_says(field: Field, value: str, fitting: str, other: str) -> None:
    wanted = Filter(field, value)

    assert fits(wanted, fitting)
    assert not fits(wanted, other)
