import pytest

from bough.line import Line


@pytest.mark.parametrize(("raw", "ended"), [(b"{}\n", True), (b"{}", False), (b"\n", True)])
def test_a_line_is_ended_by_its_newline(raw: bytes, ended: bool) -> None:
    assert Line(0, 1, raw).ended is ended


def test_a_line_cannot_be_changed() -> None:
    line = Line(0, 1, b"{}\n")

    with pytest.raises(AttributeError):
        line.offset = 4  # type: ignore[misc]
