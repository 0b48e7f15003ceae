"""The form of an archived transcript: zstd frames cut at line ends, each with a note behind it.

    header   a frame that zstd skips: whose bytes these are
    data     a zstd frame with a checksum: whole lines                 ┐ one stretch,
    note     a frame that zstd skips: offset, length, digest           ┘ again and again

`zstd -d` reads a sealed file back without bough. Appending writes one stretch and changes nothing
before it. A last line without newline is a stretch of its own that is `open`: the next one starts
at the same offset and takes its place, until sealing leaves it out. A stretch counts when its
note is complete: what stands behind the last note was never finished. Header and notes have a
checksum too, as a wrong offset would be as bad as a wrong byte. Where bytes are damaged, the walk
goes on at the next note that holds; where the header is, too, for whoever knows whose file it is.
A line that is longer than any frame is cut, so that no file needs more memory than another.
"""

import hashlib
import struct
import sys
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from typing import Final, Protocol
from zlib import crc32

import msgspec
from msgspec import Struct

from bough.errors import Unreadable
from bough.files.byte_source import SourceState

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

FORM: Final = 1
"""The form that is written; a file of a later one is left alone."""
SEALED_LENGTH: Final = 1 << 20
LONGEST_FRAME: Final = 4 << 20
"""Longer lines are cut here."""
_LONGEST_STRETCH: Final = 16 * LONGEST_FRAME
"""A note of more was not written by bough: what is carried may come from anybody."""
LIVE_LEVEL: Final = 3
SEALED_LEVEL: Final = 9
_LIVE_TABLES: Final[dict[int, int]] = {
    zstd.CompressionParameter.window_log: 20,
    zstd.CompressionParameter.hash_log: 16,
    zstd.CompressionParameter.chain_log: 14,
    zstd.CompressionParameter.min_match: 6,
}
"""Tables that stay in a processor's own memory, an eighth cheaper, and no matches of five letters,
a twelfth: together for less than two percent of size."""

_HEADER_MAGIC: Final = b"\x50\x2a\x4d\x18"
_NOTE_MAGIC: Final = b"\x51\x2a\x4d\x18"
_DATA_MAGIC: Final = b"\x28\xb5\x2f\xfd"
_SKIPPED: Final = 12
"""How many bytes stand before what a skipped frame says: magic, length, checksum."""
_LONGEST_NOTE: Final = 1 << 16
_CHECKSUM: Final = 4
_SIZE_BYTES: Final = (0, 2, 4, 8)
_DICTIONARY_BYTES: Final = (0, 1, 2, 4)
_RLE: Final = 1
_RESERVED: Final = 3


class OpenFile(Protocol):
    """What a file of the archive is read from."""

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """Go to a place."""

    def read(self, size: int = -1, /) -> bytes | None:
        """Read at most so many bytes from there."""


class ArchiveHeader(Struct, frozen=True, omit_defaults=True):
    """Whose bytes a file of the archive keeps: where the client wrote them, and what they are.

    `path` is relative to the Claude folder `folder` of the machine `machine`. Where a source was
    written anew, its old bytes stay and the new ones are the next `generation`.
    """

    path: str
    form: int = FORM
    kind: str = "jsonl"
    role: str = "session"
    session: str = ""
    agent: str | None = None
    cwd: str | None = None
    first_seen: str = ""
    mtime_ns: int = 0
    mode: int = 0o600
    folder: str = ""
    machine: str = ""
    generation: int = 1


class FrameNote(Struct, frozen=True, omit_defaults=True):
    """What a frame holds of the transcript, and the state the source was in then."""

    offset: int
    length: int
    sha256: bytes
    packed: int
    source_size: int
    source_mtime_ns: int
    is_open: bool = False

    @property
    def end(self) -> int:
        """Give the offset behind the last byte."""
        return self.offset + self.length


class ArchiveFrame(Struct, frozen=True):
    """A frame that counts: its note, and where it stands in the file of the archive."""

    note: FrameNote
    at: int
    end: int


class ArchiveFile(Struct, frozen=True):
    """What a file of the archive holds: frames in the order of their offsets.

    `end` is where the last complete note ends; `damaged` are the stretches of the file before it
    that nothing can be read from.
    """

    header: ArchiveHeader
    frames: tuple[ArchiveFrame, ...]
    end: int
    damaged: tuple[tuple[int, int], ...] = ()

    @property
    def size(self) -> int:
        """Give how many bytes of the transcript there are."""
        return self.frames[-1].note.end if self.frames else 0


class UnknownArchiveFormat(Unreadable):
    """Say that a later bough wrote a file of the archive."""

    def __init__(self, path: str) -> None:
        super().__init__(path, "a newer bough wrote its archived copy")


_encode = msgspec.msgpack.Encoder().encode
_decode_header = msgspec.msgpack.Decoder(ArchiveHeader).decode
_decode_note = msgspec.msgpack.Decoder(FrameNote).decode


# -- writing ------------------------------------------------------------------------------------


def pack_header(header: ArchiveHeader) -> bytes:
    """Give the bytes that a file of the archive begins with."""
    return _pack_skipped(_HEADER_MAGIC, _encode(header))


class PackedFrame(Struct, frozen=True):
    """A frame and its note behind it, as they are written; `note` is what that says."""

    note: FrameNote
    data: bytes


class FramePacker:
    """Packs one frame after the other, with the tables of the first: new ones cost a fifth more."""

    def __init__(self, level: int = LIVE_LEVEL) -> None:
        """Take how well to pack."""
        self._compressor = zstd.ZstdCompressor(
            options={
                zstd.CompressionParameter.compression_level: level,
                zstd.CompressionParameter.checksum_flag: 1,
                **(_LIVE_TABLES if level == LIVE_LEVEL else {}),
            }
        )

    def pack(self, data: bytes, offset: int, source: SourceState) -> PackedFrame:
        """Pack whole lines, or a last one without newline, with the note that makes them count."""
        packed = self._compressor.compress(data, zstd.ZstdCompressor.FLUSH_FRAME)
        note = FrameNote(
            offset,
            len(data),
            hashlib.sha256(data).digest(),
            len(packed),
            source.size,
            source.mtime_ns,
            not data.endswith(b"\n"),
        )
        return PackedFrame(note, packed + _pack_skipped(_NOTE_MAGIC, _encode(note)))


def cut_at_lines(
    chunks: Iterable[bytes], size: int = SEALED_LENGTH, longest: int = LONGEST_FRAME
) -> Iterator[bytes]:
    """Cut bytes into stretches of whole lines, each at most `size` where its lines allow it.

    A last line without newline is a stretch of its own. A line longer than `longest` is cut.
    """
    pieces: list[bytes] = []
    length = 0
    for chunk in chunks:
        # Fast path: a long line comes in many chunks, and is joined once.
        goes_on = size < length < longest - len(chunk) and b"\n" not in chunk
        pieces.append(chunk)
        length += len(chunk)
        if length <= size or goes_on:
            continue
        data = b"".join(pieces)
        start = 0
        while length > size:
            end = _find_cut(data, start, size, longest)
            if not end:
                break
            yield data[start:end]
            start, length = end, len(data) - end
        pieces = [data[start:]]
    rest = b"".join(pieces)
    whole = rest.rfind(b"\n") + 1
    yield from filter(None, (rest[:whole], rest[whole:]))


def _find_cut(data: bytes, start: int, size: int, longest: int) -> int:
    """Find where a stretch ends; 0 where more of its line may come."""
    before = data.rfind(b"\n", start, start + size) + 1
    end = before or data.find(b"\n", start + size, start + longest) + 1
    return end or (start + longest if len(data) - start >= longest else 0)


def seal_frames(file: OpenFile, archived: ArchiveFile) -> Iterator[bytes]:
    """Give a file of the archive anew, in large frames; those that are large already are copied.

    Raises:
        Unreadable: A frame is damaged; then the file is better left as it is.
    """
    yield pack_header(archived.header)
    small: list[ArchiveFrame] = []
    for frame in archived.frames:
        # Lines end where they end: a frame that was cut at a megabyte has a little less.
        if frame.note.length < SEALED_LENGTH // 2:
            small.append(frame)
            continue
        yield from _pack_together(file, small, archived.header.path)
        small = []
        yield _read_at(file, frame.at, frame.end - frame.at)
    yield from _pack_together(file, small, archived.header.path)


def _pack_together(file: OpenFile, frames: list[ArchiveFrame], path: str) -> Iterator[bytes]:
    if not frames:
        return
    offset, last = frames[0].note.offset, frames[-1].note
    source = SourceState(last.source_size, last.source_mtime_ns)
    packer = FramePacker(SEALED_LEVEL)
    for data in cut_at_lines(unpack_frame(file, frame, path) for frame in frames):
        yield packer.pack(data, offset, source).data
        offset += len(data)


def _pack_skipped(magic: bytes, payload: bytes) -> bytes:
    return magic + struct.pack("<II", len(payload) + _CHECKSUM, crc32(payload)) + payload


# -- reading ------------------------------------------------------------------------------------


def read_frames(file: OpenFile, path: str, expected: ArchiveHeader | None = None) -> ArchiveFile:
    """Walk over the frames of a file without unpacking any; `path` names it in errors.

    Where the header is damaged, `expected` stands for it, if any frame can be read.

    Raises:
        UnknownArchiveFormat: It is of a newer form.
        Unreadable: It is no file of the archive.
    """
    size = file.seek(0, 2)
    header, at = _read_header(file, path)
    if header is None:
        if expected is None or _find_next_frame(file, 0, size) is None:
            raise Unreadable(path, "it is not a file of the archive")
        header = expected
    frames: list[ArchiveFrame] = []
    damaged: list[tuple[int, int]] = []
    end = at
    while at < size:
        found = _read_frame(file, at) or _find_next_frame(file, at, size)
        if found is None:
            break
        if found.at > at:
            damaged.append((at, found.at))
        if frames and _replaces(found.note, frames[-1].note):
            frames.pop()
        if not frames or found.note.offset >= frames[-1].note.end:
            frames.append(found)
        else:
            damaged.append((found.at, found.end))
        at = end = found.end
    return ArchiveFile(header, tuple(frames), end, tuple(damaged))


def _replaces(note: FrameNote, before: FrameNote) -> bool:
    """Tell whether a stretch takes the place of one that ends in a line without its end."""
    return before.is_open and note.offset == before.offset


def find_frame(archived: ArchiveFile, offset: int, path: str) -> int:
    """Find the number of the frame that has the byte at an offset; there has to be one.

    Raises:
        Unreadable: The frame that had it is damaged.
    """
    frames = archived.frames
    number = bisect_right(frames, offset, key=lambda frame: frame.note.offset) - 1
    if number < 0 or frames[number].note.end <= offset:
        raise _damage_error(path, offset, frames[number + 1].note.offset)
    return number


def unpack_frame(file: OpenFile, frame: ArchiveFrame, path: str) -> bytes:
    """Read the bytes of a frame.

    Raises:
        Unreadable: They are not what was written.
    """
    note = frame.note
    packed = _read_at(file, frame.at, note.packed)
    unpacker = zstd.ZstdDecompressor()
    try:
        data = unpacker.decompress(packed, max_length=note.length + 1)
    except zstd.ZstdError as error:
        raise _damage_error(path, note.offset, note.end) from error
    # A frame that does not end where its note says gives bytes before its checksum was looked at.
    is_checked = unpacker.eof or hashlib.sha256(data).digest() == note.sha256
    if len(data) != note.length or not is_checked:
        raise _damage_error(path, note.offset, note.end)
    return data


def is_whole_frame(file: OpenFile, frame: ArchiveFrame) -> bool:
    """Tell whether a frame ends where its note says, so that `zstd -d` gets over it."""
    return _measure_frame(file, frame.at) == frame.note.packed


def _damage_error(path: str, start: int, end: int) -> Unreadable:
    return Unreadable(path, f"bytes {start:,} to {end:,} of its archived copy are damaged")


def _read_header(file: OpenFile, path: str) -> tuple[ArchiveHeader | None, int]:
    """Read the header, and where it ends; None where it does not hold."""
    payload = _read_skipped(file, 0, _HEADER_MAGIC)
    try:
        header = _decode_header(payload or b"")
    except msgspec.MsgspecError:
        return None, 0
    if header.form > FORM:
        raise UnknownArchiveFormat(path)
    return header, _SKIPPED + len(payload or b"")


def _read_frame(file: OpenFile, at: int) -> ArchiveFrame | None:
    """Read the note of the frame that starts at a place; None where none does, or it is torn."""
    packed = _measure_frame(file, at)
    return None if packed is None else _read_note(file, at + packed, packed)


def _read_note(file: OpenFile, at: int, packed: int | None = None) -> ArchiveFrame | None:
    payload = _read_skipped(file, at, _NOTE_MAGIC)
    try:
        note = _decode_note(payload or b"")
    except msgspec.MsgspecError:
        return None
    is_possible = note.offset >= 0 and 0 <= note.length <= _LONGEST_STRETCH
    if packed not in (None, note.packed) or not 0 < note.packed <= at or not is_possible:
        return None
    return ArchiveFrame(note, at - note.packed, at + _SKIPPED + len(payload or b""))


def _find_next_frame(file: OpenFile, at: int, size: int) -> ArchiveFrame | None:
    """Find the next note that holds, and the frame before it, behind bytes that make no sense."""
    data = _read_at(file, at, size - at)
    place = data.find(_NOTE_MAGIC)
    while place >= 0:
        found = _read_note(file, at + place)
        if found is not None and found.at >= at:
            return found
        place = data.find(_NOTE_MAGIC, place + 1)
    return None


def _read_skipped(file: OpenFile, at: int, magic: bytes) -> bytes | None:
    head = _read_at(file, at, _SKIPPED)
    if len(head) < _SKIPPED or not head.startswith(magic):
        return None
    length, checksum = struct.unpack("<II", head[4:])
    if length > _LONGEST_NOTE:
        return None
    payload = _read_at(file, at + _SKIPPED, length - _CHECKSUM)
    is_whole = len(payload) == length - _CHECKSUM
    return payload if is_whole and crc32(payload) == checksum else None


def _measure_frame(file: OpenFile, at: int) -> int | None:
    """Tell how many bytes a data frame has from the heads of its blocks; None where it is none.

    The form is that of RFC 8878, 3.1.1; a library would have to be given the whole frame.
    """
    head = _read_at(file, at, 5)
    if len(head) < 5 or not head.startswith(_DATA_MAGIC):
        return None
    flags = head[4]
    single = flags >> 5 & 1
    size_bytes = _SIZE_BYTES[flags >> 6] or single
    place = at + 5 + (1 - single) + _DICTIONARY_BYTES[flags & 3] + size_bytes
    is_last = 0
    while not is_last:
        raw = _read_at(file, place, 3)
        if len(raw) < 3:
            return None
        block = int.from_bytes(raw, "little")
        is_last, kind, length = block & 1, block >> 1 & 3, block >> 3
        if kind == _RESERVED:
            return None
        place += 3 + (1 if kind == _RLE else length)
    return place + (_CHECKSUM if flags >> 2 & 1 else 0) - at


def _read_at(file: OpenFile, at: int, length: int) -> bytes:
    """Read so many bytes, or to the end: one call may give fewer."""
    file.seek(at)
    pieces: list[bytes] = []
    while length > 0 and (data := file.read(length)):
        pieces.append(data)
        length -= len(data)
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)
