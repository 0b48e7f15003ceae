"""How many pixels a picture has, read from its first bytes."""

from typing import Final

_PNG: Final = b"\x89PNG\r\n\x1a\n"
_SKIPPED_MARKERS: Final = frozenset((0xC4, 0xC8, 0xCC))
"""Among the markers of JPEG that begin a frame, those that do not."""


def measure_picture(data: bytes) -> tuple[int, int] | None:
    """Give width and height; None where they cannot be read."""
    if data.startswith(_PNG) and data[12:16] == b"IHDR" and len(data) >= 24:
        return _big(data[16:20]), _big(data[20:24])
    if data.startswith((b"GIF87a", b"GIF89a")) and len(data) >= 10:
        return _little(data[6:8]), _little(data[8:10])
    if data.startswith(b"\xff\xd8"):
        return _measure_jpeg(data)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return _measure_webp(data)
    return None


def _measure_jpeg(data: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if 0xC0 <= marker <= 0xCF and marker not in _SKIPPED_MARKERS:
            return _big(data[at + 7 : at + 9]), _big(data[at + 5 : at + 7])
        at += 2 + max(2, _big(data[at + 2 : at + 4]))
    return None


def _measure_webp(data: bytes) -> tuple[int, int] | None:
    if len(data) < 30:
        return None
    match data[12:16]:
        case b"VP8X":
            return _little(data[24:27]) + 1, _little(data[27:30]) + 1
        case b"VP8 ":
            return _little(data[26:28]) & 0x3FFF, _little(data[28:30]) & 0x3FFF
        case b"VP8L":
            packed = _little(data[21:25])
            return (packed & 0x3FFF) + 1, (packed >> 14 & 0x3FFF) + 1
        case _:
            return None


def _big(data: bytes) -> int:
    return int.from_bytes(data, "big")


def _little(data: bytes) -> int:
    return int.from_bytes(data, "little")
