"""Calls of the main story that are more than looking around."""

from typing import TYPE_CHECKING

import msgspec

from bough.sample.data.tool_results import SampleCall
from bough.sample.demo.toolkit import ToolKit

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


def make_refused_edit(path: str, old: str, new: str) -> SampleCall:
    """Make an edit the person said no to."""
    refusal = "The user doesn't want to proceed with this tool use. The tool use was rejected."
    given: Json = {"file_path": path, "old_string": old, "new_string": new}
    return SampleCall(
        tool="Edit",
        given=given,
        result=refusal,
        is_error=True,
        structured="User rejected tool use",
        fields={"toolDenialKind": "user-rejected"},
    )


def make_hash_edit(toolkit: ToolKit) -> SampleCall:
    """Add the hash of what was read to the checkpoint."""
    return toolkit.edit(
        "src/import/checkpoint.py", "    size: int\n", "    size: int\n    hash: str\n"
    )


def make_unanswered_call(toolkit: ToolKit, command: str) -> SampleCall:
    """Make a command that still runs."""
    return msgspec.structs.replace(toolkit.bash(command), result=None)


def make_file_attachment(toolkit: ToolKit, name: str) -> "Json":
    """Make the attachment of a file named in a prompt."""
    path, content = toolkit.path(name), toolkit.files[name]
    lines = content.count("\n")
    about: Json = {"numLines": lines, "startLine": 1, "totalLines": lines}
    file = {"filePath": path, "content": content} | about
    return {
        "filename": path,
        "content": {"type": "text", "file": file},
        "displayPath": name,
    }
