"""Words of an output without what a terminal acts upon."""

import pytest

from bough.model.text.terminal_codes import strip_terminal_codes


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("plain words\n\tand a tab", "plain words\n\tand a tab"),
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("\x1b[2K\x1b[1Gline 2", "line 2"),
        ("\x1b[38:5:200mone\x07", "one"),
    ],
)
def test_codes_of_a_terminal_are_left_out_and_words_stay(written: str, words: str) -> None:
    assert strip_terminal_codes(written) == words
