"""Content blocks, and the token counts that come with them.

Each function gives the very object the client stores. Images are real: a reader that decodes
them must find a picture.
"""

import base64
import struct
import zlib
from collections.abc import Mapping

Json = dict[str, object]
"""One JSON object."""
Content = str | list[Json]
"""What a message may hold: plain text, or blocks."""


def text(words: str) -> Json:
    """Make a text block."""
    return {"type": "text", "text": words}


def thinking(words: str, signature: str = "EuYBCkQYAiJA") -> Json:
    """Make a thinking block; empty words leave the signature alone."""
    return {"type": "thinking", "thinking": words, "signature": signature}


def redacted_thinking(data: str = "EvAFCoYBGAIiQL") -> Json:
    """Make a thinking block whose text the API withheld."""
    return {"type": "redacted_thinking", "data": data}


def tool_use(tool_id: str, name: str, given: Mapping[str, object], *, caller: bool = False) -> Json:
    """Make a tool call."""
    block: Json = {"type": "tool_use", "id": tool_id, "name": name, "input": dict(given)}
    return block | {"caller": {"type": "direct"}} if caller else block


def tool_result(tool_id: str, content: Content | None, *, is_error: bool | None = None) -> Json:
    """Make the result of a tool call; None leaves a field out, as the client does."""
    block: Json = {"tool_use_id": tool_id, "type": "tool_result"}
    if content is not None:
        block["content"] = content
    if is_error is not None:
        block["is_error"] = is_error
    return block


def tool_reference(tool: str) -> Json:
    """Name a deferred tool, as a tool search answers."""
    return {"type": "tool_reference", "tool_name": tool}


def image(data: bytes | None = None, media_type: str = "image/png") -> Json:
    """Make an image block; without data, a small picture."""
    encoded = base64.b64encode(draw_png() if data is None else data).decode()
    return {
        "type": "image",
        "source": {"type": "base64", "media_type": media_type, "data": encoded},
    }


def document(words: str, title: str | None = None) -> Json:
    """Make a plain-text document block."""
    block: Json = {
        "type": "document",
        "source": {"type": "text", "media_type": "text/plain", "data": words},
    }
    return block if title is None else block | {"title": title}


def pdf(data: bytes = b"%PDF-1.4\n%%EOF\n") -> Json:
    """Make a PDF document block."""
    source = {
        "type": "base64",
        "media_type": "application/pdf",
        "data": base64.b64encode(data).decode(),
    }
    return {"type": "document", "source": source}


def draw_png(
    width: int = 8, height: int = 8, colour: tuple[int, int, int] = (46, 125, 90)
) -> bytes:
    """Draw a PNG: a plain field with a diagonal."""
    rows = bytearray()
    for y in range(height):
        rows.append(0)
        for x in range(width):
            on_line = x * height // width == y
            rows.extend((250, 250, 245) if on_line else colour)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + _make_chunk(b"IHDR", header)
        + _make_chunk(b"IDAT", zlib.compress(bytes(rows), 9))
        + _make_chunk(b"IEND", b"")
    )


def _make_chunk(kind: bytes, data: bytes) -> bytes:
    check = zlib.crc32(kind + data)
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)
