"""Tool calls on the made-up files.

A desk stands in a working folder and knows its files. It makes calls whose results agree with
them: what is read is what is there, what is searched for is found where it stands.
"""

from collections.abc import Iterator, Mapping
from itertools import cycle, islice
from typing import TYPE_CHECKING

from bough.sample.data.tool_results import SampleCall

if TYPE_CHECKING:
    from bough.sample.data.blocks import Json


_HISTORY = (
    "9f1c2d4 Tidy the names\n41b7e90 Say which row was wrong",
    "c03a5f8 Read in batches\n88d1e22 Close the file in all cases",
    "5e9b7a1 Make the first version smaller\n1d0c4b3 Begin",
    "e72f0c6 Test the empty file\n9f1c2d4 Tidy the names",
)


class ToolKit:
    """A place to work: a folder and the files in it."""

    def __init__(self, cwd: str, files: Mapping[str, str]) -> None:
        self.cwd = cwd
        self.files = dict(files)

    def path(self, name: str) -> str:
        """Give the full path of a file, in the manner of the folder's system."""
        if ":" in self.cwd:
            return self.cwd + "\\" + name.replace("/", "\\")
        return f"{self.cwd}/{name}"

    def read(self, name: str, first: int = 1, last: int = 2000) -> SampleCall:
        """Read a file."""
        lines = self.files[name].splitlines()[first - 1 : last]
        numbered = "\n".join(f"{first + n}\t{line}" for n, line in enumerate(lines))
        given: Json = {"file_path": self.path(name)}
        if first > 1:
            given |= {"offset": first, "limit": len(lines)}
        return SampleCall(tool="Read", given=given, result=numbered, seconds=0.1)

    def grep(self, pattern: str) -> SampleCall:
        """Search all files for words."""
        found = [self.path(name) for name, text in self.files.items() if pattern in text]
        given: Json = {"pattern": pattern, "output_mode": "files_with_matches"}
        return SampleCall(tool="Grep", given=given, result="\n".join(found), seconds=0.1)

    def glob(self, pattern: str) -> SampleCall:
        """List files by the ending of their names."""
        ending = pattern.rpartition("*")[2]
        found = [self.path(name) for name in self.files if name.endswith(ending)]
        given: Json = {"pattern": pattern}
        return SampleCall(tool="Glob", given=given, result="\n".join(found), seconds=0.1)

    def bash(
        self, command: str, output: str = "", *, code: int = 0, seconds: float = 1
    ) -> SampleCall:
        """Run a command; a code other than 0 makes the call an error."""
        result = f"Exit code {code}\n{output}" if code else output
        given: Json = {"command": command, "description": _describe_command(command)}
        return SampleCall(
            tool="Bash", given=given, result=result, is_error=code != 0, seconds=seconds
        )

    def edit(self, name: str, old: str, new: str) -> SampleCall:
        """Change a piece of a file, here and in what is read later."""
        self.files[name] = self.files.get(name, old).replace(old, new, 1)
        path = self.path(name)
        given: Json = {"file_path": path, "old_string": old, "new_string": new}
        result = f"The file {path} has been updated successfully."
        return SampleCall(tool="Edit", given=given, result=result)

    def write(self, name: str, content: str) -> SampleCall:
        """Write a file."""
        self.files[name] = content
        path = self.path(name)
        given: Json = {"file_path": path, "content": content}
        return SampleCall(tool="Write", given=given, result=f"File created successfully at: {path}")

    def survey(self, count: int, *words: str) -> list[SampleCall]:
        """Look around: so many calls that read, list and search in turn."""
        return list(islice(self._cycle_calls(words or ("import", "class", "return")), count))

    def _cycle_calls(self, words: tuple[str, ...]) -> Iterator[SampleCall]:
        names, word, history = cycle(self.files), cycle(words), cycle(_HISTORY)
        while True:
            yield self.grep(next(word))
            yield self.read(next(names))
            yield self.read(next(names), 3, 24)
            yield self.bash(f"git log --oneline -2 -- {next(names)}", next(history))
            yield self.glob(f"**/*{_find_ending(self.files)}")


def _find_ending(files: Mapping[str, str]) -> str:
    """Give the ending most of the files have in common: the first one's."""
    return "." + next(iter(files), "file.txt").rpartition(".")[2]


def _describe_command(command: str) -> str:
    """Say in words what a command does, as the model does beside it."""
    known = {"pytest": "Run the tests", "git": "Look at the history", "npm": "Run a script"}
    return known.get(command.partition(" ")[0], "Run a command")
