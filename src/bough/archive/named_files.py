"""Files that a session's lines name: its plans, and what was pasted into its prompts.

They lie in folders that all sessions share, so only the lines say whose they are.
"""

import re
from typing import Final

_SLUG: Final = re.compile(rb'"slug":"([\w-]+)"')
_PLAN: Final = re.compile(rb"plans[/\\]+(\w[\w.-]*)\.md")
_PASTE: Final = re.compile(rb'"contentHash":"([0-9a-f]{8,64})"')
_IN_PROMPTS: Final = ((b'"contentHash":"', _PASTE, "paste-cache/{}.txt"),)
_ELSEWHERE: Final = (
    (b'"slug":"', _SLUG, "plans/{}.md"),
    (b"plans", _PLAN, "plans/{}.md"),
)
"""What each name begins with, for which bytes are searched faster than for a pattern."""
_LONGEST_NAME: Final = 512


class NameFinder:
    """Collects the names, relative to the Claude folder, from lines of transcripts and prompts.

    Prompts name what was pasted into them, all others name plans.
    """

    def __init__(self, role: str, known: tuple[str, ...] = ()) -> None:
        self._names = dict.fromkeys(known)
        self._sought = _IN_PROMPTS if role == "prompts" else _ELSEWHERE
        self._rest = b""

    @property
    def names(self) -> tuple[str, ...]:
        """Give the names that were found, in the order in which they came."""
        return tuple(self._names)

    def read(self, data: bytes) -> None:
        """Look through some whole lines, or through a piece of a long one."""
        if self._rest:
            data = self._rest + data
        # A name may have been cut with its line.
        self._rest = b"" if data.endswith(b"\n") else data[-_LONGEST_NAME:]
        for start, pattern, form in self._sought:
            place, last = data.find(start), b""
            while place >= 0:
                # Every record names the same plan, one after the other.
                is_again = last and data.startswith(last, place)
                if not is_again and (found := pattern.match(data, place)):
                    last = found[0]
                    self._names[form.format(found[1].decode())] = None
                place = data.find(start, place + len(start))
