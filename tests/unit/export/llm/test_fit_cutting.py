"""Texts are cut in their middle, between paragraphs, and never inside a fence."""

from hypothesis import given
from hypothesis import strategies as st

from bough.export.llm.fit import cut_lines, cut_text, size_of

PARTS = st.lists(
    st.sampled_from(
        ["A paragraph of some words.", "```py\nx = 1\n\ny = 2\n```", "- a\n- b", "ž" * 40]
    ),
    min_size=1,
    max_size=30,
)


@given(PARTS, st.integers(0, 800))
def test_what_is_cut_fits_and_keeps_fences_whole(parts: list[str], room: int) -> None:
    cut = cut_text("\n\n".join(parts), room)

    assert cut is None or size_of(cut) <= room
    assert cut is None or cut.count("```") % 2 == 0


@given(st.lists(st.text(alphabet="ab ", max_size=30), min_size=1), st.integers(0, 300))
def test_lines_are_cut_to_fit(lines: list[str], room: int) -> None:
    cut = cut_lines("\n".join(lines), room)

    assert cut is None or size_of(cut) <= room


def test_the_beginning_and_the_end_are_kept_and_the_gap_is_told() -> None:
    text = "\n\n".join(["First."] + ["Middle of some length."] * 20 + ["Last."])

    cut = cut_text(text, 160)

    assert cut is not None
    assert cut.startswith("First.")
    assert cut.endswith("Last.")
    assert "characters left out …]" in cut


def test_what_fits_is_not_touched() -> None:
    assert cut_lines("a\nb", 3) == "a\nb"
