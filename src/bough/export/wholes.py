"""Outputs in files of their own, for a document that stands alone and so must hold them."""

from collections.abc import Callable, Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from bough.export.include import Include
from bough.model.session import Session
from bough.query.sessions.stored_outputs import KeptOutput, outputs_of, read_output

_MOST: Final = 5_000_000
"""Of an output with more bytes only the beginning is in a document."""

_MOVED: Final = b"persisted-output"


class Wholes(Struct, frozen=True):
    """Reads the kept outputs of a session, each when it is shown."""

    session: Session
    wash: Callable[[str], str] | None = None

    def __call__(self, persisted: str) -> KeptOutput | None:
        """Read one, as it may be shown."""
        found = read_output(persisted, _MOST)
        if found is None or self.wash is None:
            return found
        return replace(found, text=self.wash(found.text))

    def texts(self) -> Iterator[str]:
        """Give the texts of all of them, those of agents too."""
        everything = (self.session, *self.session.agents)
        if not any(_MOVED in record.raw for one in everything for record in one.records):
            return  # it is not told just to be looked through
        for place in dict.fromkeys(place for one in everything for place in outputs_of(one)):
            if (found := self(place)) is not None:
                yield found.text

    def washed(self, wash: Callable[[str], str]) -> "Wholes":
        """Give the same, with secrets hidden."""
        return replace(self, wash=wash)


def wholes_of(session: Session, include: Include) -> Wholes | None:
    """Give what reads the outputs of a session; None where none is wanted."""
    wanted = include.results and include.tools and not include.for_llm
    return Wholes(session) if wanted else None
