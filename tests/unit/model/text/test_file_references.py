"""Files that a prompt names with an at sign."""

import pytest

from bough.model.text.file_references import find_file_references


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("with @cli/main.py, please", ["cli/main.py"]),
        ("see @README.md.", ["README.md"]),
        ('open @"my notes/plan b.md" now', ["my notes/plan b.md"]),
        (r"and @src\app\main.cs", [r"src\app\main.cs"]),
        ("ask someone@example.com or @alice", []),
        ("the decorator `@app.route` stays code, @app.py does not", ["app.py"]),
        ("nothing at all", []),
    ],
)
def test_a_file_is_named_by_an_at_sign_before_a_path(text: str, paths: list[str]) -> None:
    assert [one.path for one in find_file_references(text)] == paths


def test_a_reference_tells_where_it_stands_without_the_full_stop_behind_it() -> None:
    text = "Read @a/b.py. Then `@c.py` and @d.py"
    assert [text[one.start : one.end] for one in find_file_references(text)] == ["@a/b.py", "@d.py"]
