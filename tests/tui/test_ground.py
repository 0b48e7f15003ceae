"""What a terminal says about its ground."""

import pytest

from bough.tui.ground import is_light


@pytest.mark.parametrize(
    ("answer", "light"),
    [
        (b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?62;22c", True),
        (b"\x1b]11;rgb:fd/f6/e3\x07\x1b[?1;2c", True),
        (b"\x1b]11;rgb:0000/2b2b/3636\x1b\\", False),
        (b"\x1b]11;rgba:1e1e/1e1e/2e2e/ffff\x07", False),
        (b"\x1b[?62;22c", None),
        (b"", None),
    ],
)
def test_an_answer_is_read_as_light_dark_or_nothing(answer: bytes, light: bool | None) -> None:
    assert is_light(answer) is light
