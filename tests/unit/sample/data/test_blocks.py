import base64
import struct
import zlib

from bough.sample.data import blocks


def test_the_picture_is_a_real_png_of_the_size_asked_for() -> None:
    data = blocks.draw_png(12, 7)

    width, height = struct.unpack(">II", data[16:24])
    start = data.index(b"IDAT") + 4
    pixels = zlib.decompressobj().decompress(data[start:])
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    assert (width, height) == (12, 7)
    assert len(pixels) == 7 * (1 + 12 * 3)


def test_an_image_block_holds_its_bytes() -> None:
    source = blocks.image(b"bytes", "image/jpeg")["source"]

    assert isinstance(source, dict)
    assert base64.b64decode(str(source["data"])) == b"bytes"
    assert source["media_type"] == "image/jpeg"


def test_a_result_leaves_out_what_it_is_not_told() -> None:
    assert blocks.tool_result("t", None).keys() == {"tool_use_id", "type"}
    assert blocks.tool_result("t", "x", is_error=False)["is_error"] is False
