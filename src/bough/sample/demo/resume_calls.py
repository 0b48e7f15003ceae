"""Calls of the main story that are more than looking around."""

from typing import TYPE_CHECKING

import msgspec

from bough.sample.data.tool_results import Call
from bough.sample.demo.toolkit import Desk

if TYPE_CHECKING:
    from bough.sample.data.blocks import Json

YIELD = "yield Order.from_row(row), offset\n                offset = file.tell()"
COUNTED = "offset = file.tell()  # after the newline is counted"
SAVE = "self.done += len(batch)\n        self.checkpoint.save(self.place)"
WIRED = """\
    place = path.with_suffix(".checkpoint")
    start = None if restart else Checkpoint.load(place)
    if resume and start is None:
        raise click.UsageError(f"nothing to resume at {place}")
    done = ImportJob(path, dry_run, start).run(connect())
"""


def refused(path: str, old: str, new: str) -> Call:
    """Make an edit the person said no to."""
    told = "The user doesn't want to proceed with this tool use. The tool use was rejected."
    given: Json = {"file_path": path, "old_string": old, "new_string": new}
    return Call(
        tool="Edit",
        given=given,
        result=told,
        is_error=True,
        structured="User rejected tool use",
        fields={"toolDenialKind": "user-rejected"},
    )


def hashed(desk: Desk) -> Call:
    """Add the hash of what was read to the checkpoint."""
    return desk.edit(
        "src/import/checkpoint.py", "    size: int\n", "    size: int\n    hash: str\n"
    )


def unanswered(desk: Desk, command: str) -> Call:
    """Make a command that still runs."""
    return msgspec.structs.replace(desk.bash(command), result=None)


def mentioned(desk: Desk, name: str) -> "Json":
    """Make the attachment of a file named in a prompt."""
    path, content = desk.path(name), desk.files[name]
    lines = content.count("\n")
    about: Json = {"numLines": lines, "startLine": 1, "totalLines": lines}
    file = {"filePath": path, "content": content} | about
    return {
        "filename": path,
        "content": {"type": "text", "file": file},
        "displayPath": name,
    }
