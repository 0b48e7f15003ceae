"""What a project keeps to itself: the file `.boughignore` in its folder.

    # an empty file, or a line with a star, keeps the whole project
    3f9c2b1a                        a session, by its id or the beginning of it
    */tool-results/*                files of sessions, as they lie in the project's Claude folder
    */subagents/agent-*             agents

A pattern is that of a shell; it is compared with the path of a file below the project's Claude
folder. What names a session keeps all of it. The file counts in the project's folder and in those
above it, up to its repository.
"""

from fnmatch import fnmatchcase
from pathlib import Path
from typing import Final

from msgspec import Struct

from bough.errors import Misuse
from bough.files.regular_file import open_regular

IGNORE_FILE: Final = ".boughignore"
_LONGEST: Final = 1 << 20
_EVERYTHING: Final = ("*", "**", "/")
_SHORTEST_ID: Final = 4


class IgnoreRules(Struct, frozen=True):
    """What of a project stays here; `keeps_all` where that is everything."""

    patterns: tuple[str, ...] = ()
    keeps_all: bool = False

    def keeps_session(self, session: str) -> bool:
        """Tell whether nothing of a session leaves."""
        return self.keeps_all or any(_names_session(one, session) for one in self.patterns)

    def keeps_file(self, session: str, name: str) -> bool:
        """Tell whether a file stays; `name` is its path below the project's Claude folder."""
        return self.keeps_session(session) or any(fnmatchcase(name, one) for one in self.patterns)


def read_ignore_rules(folder: str | None) -> IgnoreRules:
    """Read what the folder of a project, and those around it, say.

    Raises:
        Misuse: A line cannot be understood, or a file cannot be read: nothing may leave then.
    """
    if folder is None or folder.startswith(("\\\\", "//")) or not Path(folder).is_absolute():
        return IgnoreRules()
    patterns: list[str] = []
    keeps_all = False
    for place in _list_places(Path(folder)):
        text = _read_text(place / IGNORE_FILE)
        if text is not None:
            found = parse_ignore_file(text, str(place / IGNORE_FILE))
            patterns += found.patterns
            keeps_all = keeps_all or found.keeps_all
    return IgnoreRules(tuple(patterns), keeps_all)


def parse_ignore_file(text: str, path: str = IGNORE_FILE) -> IgnoreRules:
    """Read the lines of such a file.

    Raises:
        Misuse: A line begins with `!`: nothing is taken back here.
    """
    lines = [line.strip() for line in text.splitlines()]
    patterns = tuple(line for line in lines if line and not line.startswith("#"))
    if any(line.startswith("!") for line in patterns):
        raise Misuse(
            f"{path} has a line that begins with !, which bough does not know. Nothing is sent."
        )
    keeps_all = not patterns or any(one in _EVERYTHING for one in patterns)
    return IgnoreRules(tuple(one.lstrip("/") for one in patterns), keeps_all)


def _names_session(pattern: str, session: str) -> bool:
    if "/" in pattern:
        return False
    name = pattern.removesuffix(".jsonl")
    is_beginning = len(name) >= _SHORTEST_ID and session.startswith(name)
    return is_beginning or fnmatchcase(session, name)


def _list_places(folder: Path) -> list[Path]:
    """List a folder and those above it, up to the repository it is in."""
    places = [folder, *folder.parents]
    for number, place in enumerate(places):
        try:
            if (place / ".git").exists():
                return places[: number + 1]
        except OSError:
            break
    return [folder]


def _read_text(path: Path) -> str | None:
    try:
        with open_regular(path) as file:
            return (file.read(_LONGEST) or b"").decode("utf-8", "replace")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        raise Misuse(f"{path} cannot be read, so nothing of its project is sent.") from error
