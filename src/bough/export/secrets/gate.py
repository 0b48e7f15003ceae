"""Which kinds of secrets a line may hold at all: one cheap look before the patterns.

Most lines hold none. Markers of shapes mostly end a word before a dash, a dot or an
underscore (ghp_, sk-ant-), so the line is cut at these once and only the last two letters
of its pieces are compared; names of settings are looked for by a few letters they share.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from bough.export.secrets.token_patterns import Shape

_BREAKS: Final = bytes.maketrans(b"-.", b"__")
_BREAK: Final = b"_"
_ROOTS: Final = (b"pass", b"secret", b"token", b"key", b"cookie", b"auth", b"sess", b"sid=")
# A plain character written as \u0041: no client does, and then no marker can be trusted.
_SPELLED: Final = re.compile(rb"\\u00[2-7]")


class Gate:
    """The markers of all shapes, sorted by how they are found.

    `shapes` are looked for as they are written, `words` in lower case.
    """

    def __init__(self, shapes: Sequence[Shape], words: Sequence[Shape]) -> None:
        self._all = [*shapes, *words]
        self._order = {id(shape): number for number, shape in enumerate(self._all)}
        self._joints: dict[bytes, list[tuple[bytes, Shape]]] = defaultdict(list)
        self._loose: list[tuple[bytes, Shape]] = []
        self._gated = [shape for shape in shapes if shape.gate is not None]
        self._rooted: dict[bytes, list[tuple[bytes, Shape]]] = defaultdict(list)
        for shape in shapes:
            for marker in shape.markers:
                at = marker.translate(_BREAKS).find(_BREAK)
                if at >= 2:
                    self._joints[marker[at - 2 : at]].append((marker, shape))
                else:
                    self._loose.append((marker, shape))
        for shape in words:
            for marker in shape.markers:
                root = next((root for root in _ROOTS if root in marker), marker)
                self._rooted[root].append((marker, shape))

    def open_for(self, line: bytes) -> list[Shape]:
        """List the shapes that a line may hold, in the order of trust."""
        if _SPELLED.search(line):
            return self._all
        pairs = [*self._at_joints(line), *self._loose]
        found = [shape for marker, shape in pairs if marker in line]
        found += [shape for shape in self._gated if shape.gate and shape.gate.search(line)]
        found += self._named_in(line.lower())
        return sorted({id(shape): shape for shape in found}.values(), key=self._place)

    def _at_joints(self, line: bytes) -> Iterable[tuple[bytes, Shape]]:
        ends = {piece[-2:] for piece in line.translate(_BREAKS).split(_BREAK)}
        return [pair for end in ends & self._joints.keys() for pair in self._joints[end]]

    def _named_in(self, lowered: bytes) -> Iterator[Shape]:
        for root, named in self._rooted.items():
            if root in lowered:
                for marker, shape in named:
                    if marker in lowered and (not shape.gate or shape.gate.search(lowered)):
                        yield shape

    def _place(self, shape: Shape) -> int:
        return self._order[id(shape)]
