"""Parts of names: what is one, and that marking finds what the index keeps."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bough.model.text.identifiers import find_part, find_parts, list_parts, mark_kind


@pytest.mark.parametrize(
    ("run", "parts"),
    [
        ("importJob", ["import", "Job"]),
        ("ImportJob", ["Import", "Job"]),
        ("newHTTPServer", ["new", "HTTP", "Server"]),
        ("getURLById", ["get", "URL", "By", "Id"]),
        ("utf8Decode", ["utf8", "Decode"]),
        ("getX", ["get"]),
        ("import", []),
        ("Import", []),
        ("IMPORT", []),
        ("APIs", []),
        ("aB3dE9fGh1Kq", []),
        ("x" * 80 + "Y", []),
    ],
)
def test_a_name_is_cut_where_its_case_changes(run: str, parts: list[str]) -> None:
    assert [run[start:end] for start, end in find_parts(run)] == parts


def test_the_parts_of_a_text_are_listed_once_each_with_its_kind() -> None:
    listed = list_parts("run importJob, then exportJob; é toJSON".encode(), 0).split()

    assert listed[::2] == ["import", "job", "export", "to", "json"]
    assert listed[1::2] == [f"{mark_kind(0)}{part}" for part in listed[::2]]


def test_a_part_is_found_where_it_stands() -> None:
    text = "é jobs: importJob"

    assert list(find_part(text, "job", prefix=False)) == [(14, 17)]
    assert list(find_part(text, "jo", prefix=False)) == []
    assert list(find_part(text, "jo", prefix=True)) == [(14, 16)]


@given(st.text(alphabet="abAB1 é_", max_size=24))
def test_what_is_listed_is_found_and_nothing_else(text: str) -> None:
    listed = set(list_parts(text.encode(), 1).split()[::2])

    words = {text[a:b].lower() for a in range(len(text)) for b in range(a + 2, len(text) + 1)}

    assert {w for w in words if w.isascii() and any(find_part(text, w, prefix=False))} == listed
