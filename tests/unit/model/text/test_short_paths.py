"""Paths where there is little room."""

import pytest

from bough.model.text.short_paths import shorten_apart


@pytest.mark.parametrize(
    ("paths", "shown"),
    [
        ([], []),
        (["src/a.py", "src/b.py"], ["a.py", "b.py"]),
        (
            ["app/users/page.tsx", "app/teams/page.tsx", "a.css"],
            ["users/page.tsx", "teams/page.tsx", "a.css"],
        ),
        (["a/x/page.tsx", "b/x/page.tsx"], ["a/x/page.tsx", "b/x/page.tsx"]),
        (["page.tsx", "app/page.tsx"], ["page.tsx", "app/page.tsx"]),
        (["C:\\app\\a\\x.ts", "C:\\app\\b\\x.ts"], ["a/x.ts", "b/x.ts"]),
        (["same", "same"], ["same", "same"]),
    ],
)
def test_namesakes_are_told_apart_by_their_folders(paths: list[str], shown: list[str]) -> None:
    assert shorten_apart(paths) == shown
