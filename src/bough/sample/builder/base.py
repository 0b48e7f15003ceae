"""A session file while it is being made.

A draft holds lines in the order they are written, a cursor (the node the next record hangs on),
a clock and names. Everything richer is built from `node` (a record of the tree), `mark` (a record
outside it) and `raw` (bytes as they are). Records stay objects until asked for as bytes, so that
a step can be amended afterwards: that is how cycles and lost parents are made.
"""

from datetime import UTC, datetime, timedelta
from typing import Self, Unpack

import msgspec

from bough.errors import Misuse
from bough.sample.data import client_versions as eras
from bough.sample.data.blocks import Json
from bough.sample.data.file_layout import encode_folder_name
from bough.sample.data.ids import hex_of, token_of, uuid_of
from bough.sample.data.records import ABSENT, SampleFacts, SampleOptions, drop_absent, make_record

StepRef = str | int | None
"""A step by name, uuid or number (from 1, or from the end when negative); None is nowhere."""


class DraftLine(msgspec.Struct):
    """One line of the file: an object or plain bytes, and how the line ends."""

    body: Json | bytes
    end: bytes = b"\n"

    def line(self) -> bytes:
        """Give the line as it is written."""
        if isinstance(self.body, bytes):
            return self.body + self.end
        return msgspec.json.encode(self.body) + self.end


class SessionDraft:
    """Lines, a cursor, a clock and names."""

    def __init__(self, facts: SampleFacts) -> None:
        self.facts = facts
        self.entries: list[DraftLine] = []
        self.companions: dict[str, bytes] = {}
        self.agent_files: dict[str, SessionDraft] = {}
        self.cursor: str | None = None
        self.now = facts.start.astimezone(UTC)
        self.nodes: list[str] = []
        self.prompt_id: str | None = None
        self.prompts = 0
        self._uuid_of_name: dict[str, str] = {}
        self._known_uuids: set[str] = set()
        self._mint_count = 0

    @property
    def session_id(self) -> str:
        """The session's id, which is its file's name."""
        return self.facts.session_id

    def is_since(self, first: str) -> bool:
        """Say whether the client that writes is at least this version."""
        return eras.is_since(self.facts.version, first)

    @property
    def project(self) -> str:
        """The name of the project's folder."""
        return self.facts.project or encode_folder_name(self.facts.cwd)

    def machine_folder(self) -> str:
        """Name the project's folder on the machine the session is said to come from."""
        home = "C:/Users/dev" if ":" in self.facts.cwd else "/home/dev"
        return f"{home}/.claude/projects/{self.project}"

    # names and places

    def uuid(self, where: str | int) -> str:
        """Give the uuid of a step."""
        if isinstance(where, int):
            return self.nodes[where - 1 if where > 0 else where]
        if where in self._uuid_of_name:
            return self._uuid_of_name[where]
        if where in self._known_uuids:
            return where
        raise Misuse(f"No step is named {where!r}. Named are {sorted(self._uuid_of_name)}.")

    def name_of(self, uuid: str) -> str:
        """Give the name of a node, or its uuid when it has none."""
        return next((name for name, known in self._uuid_of_name.items() if known == uuid), uuid)

    def record_of(self, where: str | int) -> Json:
        """Give the record of a step, to look at or to change."""
        wanted = self.uuid(where)
        for entry in reversed(self.entries):
            if isinstance(entry.body, dict) and entry.body.get("uuid") == wanted:
                return entry.body
        raise Misuse(f"Step {where!r} has no record.")

    def at(self, where: StepRef) -> Self:
        """Move the cursor: the next record hangs on this step. That is a rewind."""
        self.cursor = None if where is None else self.uuid(where)
        return self

    def at_missing(self, word: str = "nowhere") -> Self:
        """Move the cursor to a node that is not in the file: the next record is an orphan."""
        self.cursor = uuid_of(self.facts.seed, "astray", word)
        return self

    def resolve_step(self, where: str | int | None) -> str:
        """Give the uuid of a step, or the word itself when it names none; None is the cursor."""
        if where is None:
            return str(self.cursor)
        if isinstance(where, int) or where in self._uuid_of_name:
            return self.uuid(where)
        return where

    def has_step(self, where: str | None) -> bool:
        """Say whether a word is the name or the uuid of a step that is written."""
        return where in self._uuid_of_name or where in self._known_uuids

    def next_uuid(self, name: str | None = None) -> str:
        """Give the uuid the next node will have."""
        word = name or f"node {len(self.nodes) + 1}"
        return uuid_of(self.facts.seed, self.facts.agent_id, word)

    def name_step(self, name: str) -> Self:
        """Name the node the cursor is on."""
        if self.cursor is None:
            raise Misuse(f"Nothing is written yet that could be named {name!r}.")
        self._uuid_of_name[name] = self.cursor
        return self

    def wait(self, seconds: float = 0, *, minutes: float = 0, hours: float = 0) -> Self:
        """Let time pass."""
        self.now += timedelta(seconds=seconds, minutes=minutes, hours=hours)
        return self

    def set_clock(self, moment: datetime) -> Self:
        """Set the clock."""
        self.now = moment.astimezone(UTC)
        return self

    def change(self, **facts: Unpack[SampleOptions]) -> Self:
        """Let later records have other facts: a new client version, another folder or branch."""
        self.facts = msgspec.structs.replace(self.facts, **facts)
        return self

    # ids and time

    def mint(self, kind: str) -> str:
        """Make a new id of a kind: toolu, msg, req, uuid, or hex."""
        self._mint_count += 1
        parts = (self.facts.seed, self.facts.agent_id, kind, self._mint_count)
        if kind == "uuid":
            return uuid_of(*parts)
        return hex_of(16, *parts) if kind == "hex" else token_of(kind, *parts)

    def encode_json(self, value: Json) -> "bytes":
        """Write an object as the client does."""
        return msgspec.json.encode(value)

    def stamp(self) -> str:
        """Give the time, and let it advance by one tick."""
        moment = eras.format_timestamp(self.now)
        self.now += self.facts.tick
        return moment

    # lines

    def node(self, kind: str, /, *, name: str | None = None, **fields: object) -> Self:
        """Write a record of the tree under the cursor, and move the cursor to it."""
        if name in self._uuid_of_name:
            raise Misuse(f"Two steps are named {name!r}.")
        uuid = self.next_uuid(name)
        own: Json = {"uuid": uuid, "timestamp": self.stamp()}
        made = make_record(kind, self.facts, self.cursor, **(fields | own | fields))
        self.entries.append(DraftLine(made))
        self.adopt(str(made.get("uuid", uuid)), name)
        return self

    def mark(self, kind: str, /, **fields: object) -> Self:
        """Write a record that is not part of the tree."""
        made: Json = {"type": kind} | fields
        made.setdefault("sessionId", self.session_id)
        self.entries.append(DraftLine(drop_absent(made)))
        return self

    def raw(self, line: bytes, end: bytes = b"\n") -> Self:
        """Write bytes as they are; `end=b""` leaves the line open."""
        self.entries.append(DraftLine(line, end))
        return self

    def amend(self, where: str | int, **fields: object) -> Self:
        """Change fields of a step that is already written."""
        changed = self.record_of(where)
        changed.update(fields)
        for key in [key for key, value in changed.items() if value is ABSENT]:
            del changed[key]
        return self

    def lines(self) -> list[bytes]:
        """Give the lines, each with its end."""
        return [entry.line() for entry in self.entries]

    def records(self) -> list[Json]:
        """Give the objects, in file order, without the lines that are plain bytes."""
        return [entry.body for entry in self.entries if isinstance(entry.body, dict)]

    def adopt(self, uuid: str, name: str | None = None) -> None:
        """Count a record written by other means as a node, and move the cursor to it."""
        self.cursor = uuid
        self.nodes.append(uuid)
        self._known_uuids.add(uuid)
        if name is not None:
            self._uuid_of_name[name] = uuid

    # last, because inside this class its name hides the type

    def bytes(self) -> "bytes":
        """Give the whole file."""
        return b"".join(self.lines())
