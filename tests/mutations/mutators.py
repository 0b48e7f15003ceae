"""Mutators: each takes the bytes of a file and gives worse ones, by a random number generator.

Those of bytes know nothing of records. Those of lines move whole lines about. Those of records
change one place of one line and write it again; what no JSON writer can say (NaN, lone surrogates,
numbers of any length) is put in as a mark and replaced in the bytes.
"""

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final

Mutator = Callable[[Random, bytes], bytes]

HOSTILE: Final = (
    "\x1b[31mred\x1b]0;title\x07\x9b2J",
    "\u202egnirts\u2066\u200f\ufeff",
    "<script>alert(1)</script><img src=x onerror=alert(1)>\"'&",
    "a\x00b\x08\x7f\r\n\x0b\x0c\u2028\u2029\x85",
    "```\n~~~\n</pre><!-- --> [x](javascript:alert(1)) | a | b |\n|-|-|",
    "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A" * 50,
    "\U0001f469\u200d\U0001f469\u200d\U0001f467" * 20,
    "'; drop table files; --  %s %d {0} {} $HOME `id`",
    "../../../../etc/passwd\x00.txt",
    "AKIAIOSFODNN7EXAMPLE ghp_" + "a" * 36 + " password=hunter2hunter2",
    "-" * 3_000,
    " " * 3_000,
)
DATES: Final = (
    "0001-01-01T00:00:00.000Z",
    "9999-12-31T23:59:59.999Z",
    "99999-01-01T00:00:00Z",
    "-0001-01-01T00:00:00Z",
    "".join(chr(0x966 + int(c)) if c.isdigit() else c for c in "2026-06-01T00:00:00Z"),
    "2026-02-30T25:61:61Z",
    "2026-06-01T12:00:00+99:99",
    "2026-06-01",
    "1969-12-31T23:59:59.999999999Z",
    "yesterday",
    "",
)
KINDS: Final = (
    *("user", "assistant", "system", "attachment", "progress", "summary", "last-prompt"),
    *("custom-title", "ai-title", "file-history-snapshot", "queue-operation", "pr-link"),
    *("tool_use", "", "USER", "user ", "__class__", "x" * 5_000),
)
_FIELDS: Final = (
    *("uuid", "parentUuid", "logicalParentUuid", "timestamp", "message", "content", "usage"),
    *("toolUseResult", "sessionId", "type", "subtype", "role", "id", "model", "cwd", "gitBranch"),
    *("version", "isSidechain", "isMeta", "agentId", "requestId", "stop_reason", "name", "input"),
    *("tool_use_id", "is_error", "leafUuid", "lastPrompt", "summary", "customTitle", "aiTitle"),
    *("snapshot", "attachment", "data", "toolUseID", "compactMetadata", "forkedFrom", "source"),
    *("media_type", "stdout", "structuredPatch", "filePath", "file", "questions", "todos"),
    *("cache_creation", "input_tokens", "output_tokens", "durationMs", "hookInfos", "error"),
)
_LARGEST_COPIED: Final = 2_000
# Marks that stand in for what a JSON writer does not write.
_LITERALS: Final = {
    "@@nan": b"NaN",
    "@@infinity": b"-Infinity",
    "@@huge": b"9" * 400,
    "@@exponent": b"1e999",
    "@@negative": b"-1e308",
    "@@surrogate": rb'"a\ud800b"',
    "@@low": rb'"\udc00\ud83d"',
    "@@nul": rb'"\u0000\u0001"',
    "@@cut": rb'"\ud8',
    "@@bytes": b'"\xff\xfe\xc0\x80\xed\xa0\x80"',
}
_ODD: Final[tuple[Any, ...]] = (
    *(None, True, False, 0, -1, 1.5, 2**63, 2**64, -(2**70), "", "x", [], {}, [[]], [None], [{}]),
    *({"type": None}, [{"type": "text"}], [{"type": "tool_use"}], [{"type": "tool_result"}]),
    *([{"type": "image", "source": {"data": 1}}], {"": ""}, {"a": {"b": [1, {"c": None}]}}),
    *([1, "two", None, {"type": "thinking", "thinking": 3}], "x" * 5_000, *_LITERALS),
)


def flip_bits(random: Random, data: bytes) -> bytes:
    """Flip a few bits anywhere."""
    out = bytearray(data)
    for _ in range(random.choice((1, 3, 20, 200)) if out else 0):
        out[random.randrange(len(out))] ^= 1 << random.randrange(8)
    return bytes(out)


def truncate(random: Random, data: bytes) -> bytes:
    """Cut the end, or the beginning."""
    at = random.randrange(len(data) + 1)
    return data[:at] if random.random() < 0.7 else data[at:]


def insert_bytes(random: Random, data: bytes) -> bytes:
    """Put bytes in that no writer of text writes."""
    piece = random.choice(
        (
            b"\0" * random.choice((1, 512, 70_000)),
            b"\xef\xbb\xbf",
            b"\xff\xfe\x00\x00",
            b"\xc0\xaf\xed\xa0\x80\xf8\x88",
            b"\r",
            b"\r\n\r\n",
            b"\n" * 500,
            b"\x1b[2J\x1b]0;x\x07",
            b"[" * random.choice((100, 5_000, 100_000)),
            b'{"a":' * random.choice((100, 5_000, 50_000)),
            bytes(random.randrange(256) for _ in range(300)),
        )
    )
    at = random.choice((0, len(data), random.randrange(len(data) + 1)))
    return data[:at] + piece + data[at:]


def encode_otherwise(random: Random, data: bytes) -> bytes:
    """Write the whole file in an encoding that is not its own, or with other ends of lines."""
    text = data.decode("utf-8", "replace")
    return random.choice(
        (
            lambda: text.encode("utf-16"),
            lambda: text.encode("utf-8-sig"),
            lambda: text.encode("latin-1", "replace"),
            lambda: data.replace(b"\n", b"\r\n"),
            lambda: data.replace(b"\n", b"\r"),
            lambda: data.replace(b"\n", b"\xe2\x80\xa8"),
        )
    )()


def empty(random: Random, _data: bytes) -> bytes:
    """Leave nothing, or nothing that means anything."""
    return random.choice((b"", b"\n", b"\n" * 50, b" ", b"\0" * 5_000, b"{}", b"null\n[]\n1\n"))


def duplicate_lines(random: Random, data: bytes) -> bytes:
    """Write some lines again, now and then very often."""
    lines = data.splitlines(keepends=True)
    for _ in range(random.choice((1, 5, 30)) if lines else 0):
        lines.insert(random.randrange(len(lines) + 1), random.choice(lines))
    return b"".join(lines) * random.choice((1, 1, 1, 1, 2, 3))


def delete_lines(random: Random, data: bytes) -> bytes:
    """Leave lines out."""
    share = random.choice((0.05, 0.3, 0.9))
    return b"".join(line for line in data.splitlines(keepends=True) if random.random() > share)


def reorder_lines(random: Random, data: bytes) -> bytes:
    """Shuffle lines, or turn the file around."""
    lines = data.splitlines(keepends=True)
    if random.random() < 0.5:
        random.shuffle(lines)
    else:
        lines.reverse()
    return b"".join(lines)


def glue_lines(random: Random, data: bytes) -> bytes:
    """Take the ends of lines away, so that records stand in one line; or break them in two."""
    share = random.choice((0.1, 0.5, 1.0))
    lines = [
        line if random.random() > share else line.rstrip(b"\n")
        for line in data.splitlines(keepends=True)
    ]
    glued = b"".join(lines)
    if random.random() < 0.3:
        at = random.randrange(len(glued) + 1)
        return glued[:at] + b"\n" + glued[at:]
    return glued


def write_fragments(random: Random, data: bytes) -> bytes:
    """Add a line of many small objects behind a character that spoils it."""
    count = random.choice((10, 1_000, 20_000))
    return data + b"X" + b'{"type":"x"}' * count + random.choice((b"garbage\n", b"\n", b"{"))


def change_fields(random: Random, data: bytes) -> bytes:
    """Give fields a value of another type, or take them away."""
    return _edit_records(random, data, _change_field)


def give_hostile_text(random: Random, data: bytes) -> bytes:
    """Write text that acts on its reader into strings."""
    return _edit_records(random, data, _write_hostile)


def change_dates(random: Random, data: bytes) -> bytes:
    """Write dates that there are not, or hardly."""

    def edit(random: Random, record: dict[str, Any]) -> None:
        record["timestamp"] = random.choice(DATES)

    return _edit_records(random, data, edit)


def change_kinds(random: Random, data: bytes) -> bytes:
    """Call records and blocks something else."""

    def edit(random: Random, record: dict[str, Any]) -> None:
        holders = [one for one in _walk(record) if "type" in one]
        random.choice(holders or [record])["type"] = random.choice(KINDS)

    return _edit_records(random, data, edit)


def lengthen_names(random: Random, data: bytes) -> bytes:
    """Make titles, paths and names of anything 5,000 characters long."""

    def edit(random: Random, record: dict[str, Any]) -> None:
        name = random.choice(("cwd", "gitBranch", "version", "model", "name", "customTitle"))
        long = random.choice(("n", "/n", "名", "\u0301")) * 5_000
        for one in [one for one in _walk(record) if name in one] or [record]:
            one[name] = long

    return _edit_records(random, data, edit)


def tie_parents(random: Random, data: bytes) -> bytes:
    """Let parents be children: cycles, itself, the last record, one parent for all."""
    records = _parse_lines(data)
    uuids = [r["uuid"] for r in records if isinstance(r, dict) and "uuid" in r]
    if not uuids:
        return data
    kind = random.randrange(5)
    for record in records:
        if not isinstance(record, dict) or "parentUuid" not in record:
            continue
        if kind == 0:
            record["parentUuid"] = record.get("uuid")
        elif kind == 1:
            record["parentUuid"] = uuids[0]
        elif kind == 2:
            record["parentUuid"] = random.choice(uuids)
        elif kind == 3:
            record["uuid"] = random.choice(uuids)
        elif random.random() < 0.3:
            record["parentUuid"] = random.choice((None, "nowhere", uuids[-1], "\ud800", 7))
    return _join(records)


def nest_deeply(random: Random, data: bytes) -> bytes:
    """Nest a value far deeper than anybody means."""
    depth = random.choice((50, 400, 900, 3_000, 100_000))
    opened, closed = random.choice(((b"[", b"]"), (b'{"a":', b"}")))
    inner = b"1" if opened != b"[" else b""
    return _edit_records(
        random, data, _put("@@deep"), {"@@deep": opened * depth + inner + closed * depth}
    )


def multiply_blocks(random: Random, data: bytes) -> bytes:
    """Let one message have thousands of blocks."""
    count = random.choice((200, 1_000, 3_000))
    kind = random.choice(
        (
            {"type": "text", "text": "one of *many*"},
            {"type": "thinking", "thinking": "hm", "signature": ""},
            {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"command": "ls"}},
            {"type": "tool_result", "tool_use_id": "toolu_1", "content": "x"},
        )
    )

    def edit(_random: Random, record: dict[str, Any]) -> None:
        message = record.get("message")
        if isinstance(message, dict):
            message["content"] = [dict(kind) for _ in range(count)]

    return _edit_records(random, data, edit, most=1)


def multiply_records(random: Random, data: bytes) -> bytes:
    """Let one record have hundreds of children, or of descendants, each a copy of it."""
    records = [one for one in _parse_lines(data) if isinstance(one, dict) and "uuid" in one]
    if not records:
        return data
    record = random.choice(records)
    chain = random.random() < 0.5
    lines, parent = [], record["uuid"]
    size = len(_write(record, {}))
    for number in range(random.choice((50, 600)) if size < _LARGEST_COPIED else 20):
        uuid = f"{number:08x}-0000-4000-8000-000000000000"
        lines.append(record | {"uuid": uuid, "parentUuid": parent})
        parent = uuid if chain else parent
    return data + (b"" if data.endswith(b"\n") else b"\n") + _join(lines)


def swallow_fields(random: Random, data: bytes) -> bytes:
    """Take one field away from every record."""
    name = random.choice(_FIELDS)

    def edit(_random: Random, record: dict[str, Any]) -> None:
        for one in list(_walk(record)):
            one.pop(name, None)

    return _edit_records(random, data, edit, most=10_000)


MUTATORS: Final[tuple[Mutator, ...]] = (
    flip_bits,
    truncate,
    insert_bytes,
    encode_otherwise,
    empty,
    duplicate_lines,
    delete_lines,
    reorder_lines,
    glue_lines,
    write_fragments,
    change_fields,
    change_fields,
    change_fields,
    give_hostile_text,
    change_dates,
    change_kinds,
    lengthen_names,
    tie_parents,
    nest_deeply,
    multiply_blocks,
    multiply_records,
    swallow_fields,
)

_Edit = Callable[[Random, dict[str, Any]], None]


def _change_field(random: Random, record: dict[str, Any]) -> None:
    name = random.choice(_FIELDS)
    holders = [one for one in _walk(record) if name in one]
    holder = random.choice(holders or [record])
    if random.random() < 0.2:
        holder.pop(name, None)
    else:
        holder[name] = random.choice(_ODD)


def _write_hostile(random: Random, record: dict[str, Any]) -> None:
    places = [(one, key) for one in _walk(record) for key in one if isinstance(one[key], str)]
    for one, key in random.sample(places, min(len(places), 4)):
        one[key] = random.choice(HOSTILE)


def _put(value: object) -> _Edit:
    def edit(random: Random, record: dict[str, Any]) -> None:
        holder = random.choice(list(_walk(record)))
        name = random.choice((*holder, "content", "toolUseResult", "input"))
        holder[name] = value

    return edit


def _walk(value: object) -> Iterator[dict[str, Any]]:
    """List a value's objects, itself first."""
    if isinstance(value, dict):
        yield value
        for one in list(value.values()):
            yield from _walk(one)
    elif isinstance(value, list):
        for one in value:
            yield from _walk(one)


def _edit_records(
    random: Random,
    data: bytes,
    edit: _Edit,
    marks: dict[str, bytes] | None = None,
    *,
    most: int | None = None,
) -> bytes:
    """Edit some lines that are records; all others stay as they are."""
    lines = data.splitlines(keepends=True)
    count = random.choice((1, 2, 5, 50)) if most is None else most
    for at in random.sample(range(len(lines)), min(count, len(lines))):
        record = _parse(lines[at])
        if isinstance(record, dict):
            edit(random, record)
            lines[at] = _write(record, _LITERALS | (marks or {}))
    return b"".join(lines)


def _parse(line: bytes) -> object:
    # Another mutator may have been here before.
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _parse_lines(data: bytes) -> list[Any]:
    return [_parse(line) or line for line in data.splitlines(keepends=True)]


def _join(records: list[Any]) -> bytes:
    return b"".join(one if isinstance(one, bytes) else _write(one, _LITERALS) for one in records)


def _write(record: object, marks: dict[str, bytes]) -> bytes:
    try:
        line = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
    except RecursionError:
        return b"\n"
    out = line.encode("utf-8", "surrogatepass")
    for mark, literal in marks.items():
        out = out.replace(f'"{mark}"'.encode(), literal)
    return out + b"\n"
