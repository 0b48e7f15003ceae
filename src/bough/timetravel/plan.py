"""The plan: what will be written where, byte for byte, and from which state of the files.

A plan is a value. It holds everything that `apply` does and checks, so what a person was
shown is what happens. Nothing in it touches a disk.
"""

from pathlib import Path

from msgspec import Struct

from bough.query.sessions.resume_command import ResumeCommand, make_resume_command
from bough.timetravel.session_file import FileSnapshot
from bough.timetravel.settings_file import SettingsEdit

PRIVATE_MODE = 0o600
"""The mode the clients give to session files."""


class Create(Struct, frozen=True, tag="create"):
    """A new file; `mtime_ns` is set where one comes back that was there before."""

    path: str
    data: bytes
    mode: int = PRIVATE_MODE
    mtime_ns: int | None = None


class Append(Struct, frozen=True, tag="append"):
    """Bytes at the end of a file, in one write; `keeps_time` gives the file its time back."""

    path: str
    data: bytes
    before: FileSnapshot
    keeps_time: bool = False


class Replace(Struct, frozen=True, tag="replace"):
    """Other content for a file; `old` is what it has, `mtime_ns` the time it gets."""

    path: str
    data: bytes
    before: FileSnapshot
    old: bytes = b""
    mtime_ns: int | None = None


class Remove(Struct, frozen=True, tag="remove"):
    """A file that goes; a copy is kept outside the Claude folder."""

    path: str
    before: FileSnapshot


class Move(Struct, frozen=True, tag="move"):
    """A file or folder under another name; `names` is what the folder held."""

    path: str
    target: str
    names: tuple[str, ...] = ()


class MakeFolder(Struct, frozen=True, tag="make-folder"):
    """A new folder."""

    path: str


class RemoveFolder(Struct, frozen=True, tag="remove-folder"):
    """A folder that goes if nothing is left in it."""

    path: str


Step = Create | Append | Replace | Remove | Move | MakeFolder | RemoveFolder


class Point(Struct, frozen=True):
    """A place in a session: the record that the next prompt will follow.

    `prompt` is the prompt whose turn ends there, `text` its first words.
    """

    uuid: str
    prompt: str | None = None
    text: str = ""
    timestamp: str | None = None


class ResumeView(Struct, frozen=True, kw_only=True):
    """What Claude will see when the result is resumed.

    `turns` counts those it sees word for word, `summarized` those it knows from a compaction's
    summary only, both as every list counts them; `prompts` are the first words of the former.
    `agents` counts answers of agents, `later_files` names files that were changed after the
    point: they stay as they are now.
    """

    turns: int
    summarized: int = 0
    compactions: int = 0
    preserved: int = 0
    tokens: int | None = None
    agents: int = 0
    images: int = 0
    prompts: tuple[str, ...] = ()
    later_files: tuple[str, ...] = ()


class ChainExpectation(Struct, frozen=True, kw_only=True):
    """What a client must meet when it walks up the parents in the written file.

    `messages` are the uuid and the digest of each message, the oldest first. `whole` says that
    the walk alone passes all of them, `rules` by which rules clients must find them (all where
    it is empty). `source` is the file of which the messages are taken, where that is another
    one that is sound: there they must be on the way to `point`.
    """

    messages: tuple[tuple[str, str], ...]
    whole: bool = False
    rules: tuple[str, ...] = ()
    source: str | None = None
    point: str | None = None


class Expectation(Struct, frozen=True, kw_only=True):
    """What a session must mean once the plan is carried out.

    `message_digests` holds one digest for each message of the active conversation, `starts` where
    its turns begin; `active` is the point that every client must resume; `sound` asks for a file
    without damage. `chain` is held against the parents alone, by code that shares nothing with
    the planning.
    """

    path: str
    message_digests: tuple[str, ...] | None = None
    starts: tuple[int, ...] = ()
    active: str | None = None
    title: str | None = None
    sound: bool = False
    chain: ChainExpectation | None = None


class Plan(Struct, frozen=True, kw_only=True):
    """An operation that has not happened yet.

    `reads` are the states it was made from; `closed` names the sessions that no client may
    have open meanwhile; `result` is the session to resume afterwards, `title` what the client's
    list will call it, where that is new. A plan with `settings` writes one file of the client's
    settings and no session.
    """

    operation: str
    session: str
    headline: str
    projects: str
    steps: tuple[Step, ...]
    reads: tuple[FileSnapshot, ...] = ()
    closed: tuple[str, ...] = ()
    expects: tuple[Expectation, ...] = ()
    point: Point | None = None
    resume_view: ResumeView | None = None
    checked: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    result: str | None = None
    path: str | None = None
    cwd: str | None = None
    version: str | None = None
    undoes: tuple[int, ...] = ()
    title: str | None = None
    settings: SettingsEdit | None = None

    @property
    def resume_command(self) -> ResumeCommand | None:
        """Give the command that continues from the result, with the folder it needs."""
        if not self.result:
            return None
        return make_resume_command(self.result, self.cwd, Path(self.projects).parent)

    @property
    def resume(self) -> str | None:
        """Write the command that continues from the result."""
        return command.text if (command := self.resume_command) is not None else None

    @property
    def changes(self) -> tuple[str, ...]:
        """List the files that are there already and will not be as before."""
        return tuple(s.path for s in self.steps if isinstance(s, Append | Replace | Remove | Move))

    @property
    def creates(self) -> tuple[str, ...]:
        """List the new files."""
        return tuple(step.path for step in self.steps if isinstance(step, Create))
