"""Pictures: where their bytes are, and how a fragment names them."""

import base64
import binascii
from collections.abc import Iterator, Sequence
from itertools import takewhile

from msgspec import Struct

from bough.export.html.image_size import measure_picture
from bough.export.html.render_context import RenderContext
from bough.export.markup.escape import escape_attribute, escape_html
from bough.model.conversation.content import ContentBlock, TextBlock
from bough.model.session import Session
from bough.model.text.formats import format_size
from bough.model.tools.calls import Picture
from bough.records.blocks import AnyBlock, Image, MediaSource, ToolResult
from bough.records.decode import blocks_of, message_of
from bough.records.record import Record
from bough.records.types import Assistant, User

_HEAD_LENGTH = 120_000
"""So much of the text of a picture is looked at for its size: a photograph begins with notes."""
_HIGHEST = 240
_KINDS = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
}


class ImageBytes(Struct, frozen=True):
    """A picture's bytes and what they are, told from themselves."""

    media_type: str
    data: bytes


def render_picture(
    block: TextBlock, context: RenderContext, among: Sequence[ContentBlock] = ()
) -> str:
    """Show a picture of a message; `among` are the blocks it stands with."""
    own = block.picture
    if own is None:
        return ""
    earlier = (b for b in takewhile(lambda b: b is not block, among) if isinstance(b, TextBlock))
    number = sum(b.picture is not None and b.picture.offset == own.offset for b in earlier)
    return render_pictures([own], context, None, number)


def render_pictures(
    images: Sequence[Picture], context: RenderContext, call: str | None = None, number: int = 0
) -> str:
    """Show pictures of one record, in a row: those of a call's result, or of the message."""
    out = []
    for at, image in enumerate(images, number):
        number = _number_in_record(context.session, image.offset, call, at)
        kind = image.media_type.rpartition("/")[2].upper() or "unknown kind"
        pixels = _measure(context.session, image.offset, number)
        size = f"{pixels[0]}\N{MULTIPLICATION SIGN}{pixels[1]}, " if pixels is not None else ""
        words = f"Image, {kind}, {size}{format_size(image.size)}"
        address = (context.options.picture_url or make_data_url)(context.session, image, number)
        if not address:
            why = "not kept" if address is None else "left out of this file"
            out.append(f'<p class="note">{escape_html(words)}, {why}</p>')
            continue
        out.append(
            f'<figure class="picture"><button type="button" data-do="lightbox" '
            f'aria-label="{escape_attribute(f"{words}. Open")}">'
            f'<img src="{escape_attribute(address)}" alt="{escape_attribute(words)}" '
            f'loading="lazy"{_render_size(pixels)} data-picture="{image.offset}" '
            f'data-n="{number}"></button>'
            f"<figcaption>{escape_html(words)}</figcaption></figure>"
        )
    return f'<div class="pictures">{"".join(out)}</div>' if out else ""


def _measure(session: Session, offset: int, number: int) -> tuple[int, int] | None:
    source = _find_source(session, offset, number)
    head = source.data[:_HEAD_LENGTH] if source is not None and source.type == "base64" else ""
    try:
        return measure_picture(base64.b64decode(head[: len(head) // 4 * 4]))
    except (binascii.Error, ValueError):
        return None


def _render_size(pixels: tuple[int, int] | None) -> str:
    """Keep the room that a picture will take; small ones are not blown up."""
    if pixels is None or 0 in pixels:
        return ""
    scale = min(1.0, _HIGHEST / pixels[1])
    wide, high = (max(1, round(side * scale)) for side in pixels)
    return f' width="{wide}" height="{high}"'


def _find_source(session: Session, offset: int, number: int) -> MediaSource | None:
    record = next((r for r in session.records if r.offset == offset), None)
    images = [image for _, image in _list_images(record)] if record is not None else []
    return images[number].source if 0 <= number < len(images) else None


def read_picture(session: Session, offset: int, number: int) -> ImageBytes | None:
    """Give the bytes of the nth picture of the record at an offset; None where there is none."""
    source = _find_source(session, offset, number)
    if source is None or source.type != "base64":
        return None
    try:
        data = base64.b64decode(source.data, validate=False)
    except (binascii.Error, ValueError):
        return None
    kind = detect_media_type(data)
    return ImageBytes(kind, data) if kind else None


def make_data_url(session: Session, image: Picture, number: int) -> str | None:
    """Give a picture as an address that holds its bytes, for documents that stand alone."""
    found = read_picture(session, image.offset, number)
    if found is None:
        return None
    return f"data:{found.media_type};base64,{base64.b64encode(found.data).decode()}"


class PictureBudget:
    """Puts pictures inside a file, as long as all of them take no more than so many bytes.

    `left_out` counts those that are only named.
    """

    def __init__(self, most: int) -> None:
        self._left = most
        self.left_out = 0

    def __call__(self, session: Session, image: Picture, number: int) -> str | None:
        """Give a picture as an address that holds its bytes; nothing where they are too many."""
        address = make_data_url(session, image, number)
        size = len(address or "") * 3 // 4
        if size > self._left:
            self.left_out += 1
            return ""
        self._left -= size
        return address


def detect_media_type(data: bytes) -> str:
    """Tell what a picture is by its first bytes; empty where it is none a page may show."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for start, kind in _KINDS.items() if data.startswith(start)), "")


def _number_in_record(session: Session, offset: int, call: str | None, at: int) -> int:
    """Count a picture among all of its record, given its place among those of its owner."""
    record = next((r for r in session.records if r.offset == offset), None)
    owners = [owner for owner, _ in _list_images(record)] if record is not None else []
    own = [number for number, owner in enumerate(owners) if owner == call]
    return own[at] if at < len(own) else at


def _list_images(record: Record) -> Iterator[tuple[str | None, Image]]:
    if isinstance(record, User | Assistant):
        for block in message_of(record).blocks:
            if isinstance(block, Image):
                yield None, block
            elif isinstance(block, ToolResult):
                inner: Sequence[AnyBlock] = blocks_of(block.content)
                yield from ((block.tool_use_id, b) for b in inner if isinstance(b, Image))
