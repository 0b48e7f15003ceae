"""How many pixels a picture has."""

import struct

import pytest

from bough.export.html.image_size import measure_picture

PNG = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sII", 13, b"IHDR", 96, 54) + b"\x08\x02"
GIF = b"GIF89a" + struct.pack("<HH", 320, 200)
JPEG = (
    b"\xff\xd8\xff\xe0"
    + struct.pack(">H", 16)
    + bytes(14)
    + b"\xff\xc4"
    + struct.pack(">H", 4)
    + bytes(2)
    + b"\xff\xc2"
    + struct.pack(">HBHH", 11, 8, 600, 840)
    + bytes(8)
)
WEBP = b"RIFF" + bytes(4) + b"WEBP"
EXTENDED = WEBP + b"VP8X" + bytes(8) + b"\x3f\x01\x00" + b"\xc7\x00\x00"
LOSSY = WEBP + b"VP8 " + bytes(10) + struct.pack("<HH", 320, 200)
LOSSLESS = WEBP + b"VP8L" + bytes(5) + struct.pack("<I", 319 | 199 << 14) + bytes(5)


@pytest.mark.parametrize(
    ("data", "size"),
    [
        (PNG, (96, 54)),
        (GIF, (320, 200)),
        (JPEG, (840, 600)),
        (EXTENDED, (320, 200)),
        (LOSSY, (320, 200)),
        (LOSSLESS, (320, 200)),
    ],
)
def test_the_first_bytes_say_it(data: bytes, size: tuple[int, int]) -> None:
    assert measure_picture(data) == size


@pytest.mark.parametrize("data", [b"", b"<svg>", PNG[:20], GIF[:8], JPEG[:12], EXTENDED[:26], WEBP])
def test_a_picture_that_is_cut_or_none_has_no_size(data: bytes) -> None:
    assert measure_picture(data) is None
