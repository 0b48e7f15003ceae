"""Files that a session's lines name: its plans, and what was pasted into its prompts.

They lie in folders that all sessions share, so only the lines say whose they are.
"""

import re
from typing import Final

_SLUG: Final = re.compile(rb'"slug":"([\w-]+)"')
_PLAN: Final = re.compile(rb"plans[/\\]+(\w[\w.-]*)\.md")
_PASTE: Final = re.compile(rb'"contentHash":"([0-9a-f]{8,64})"')
_IN_PROMPTS: Final = ((_PASTE, "paste-cache/{}.txt"),)
_ELSEWHERE: Final = ((_SLUG, "plans/{}.md"), (_PLAN, "plans/{}.md"))
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
        for pattern, form in self._sought:
            # Every record names the same plan, one after the other.
            for name in dict.fromkeys(pattern.findall(data)):
                self._names[form.format(name.decode())] = None
