"""The question whether sessions are archived, as lines of Home: the words, and an answer each."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from bough.library import ArchiveConsent, answer_archive_consent
from bough.terminal.style import Role, StyledLine
from bough.terminal.text import one_line, wrap
from bough.tui.widgets.list_items import ListItem, draw_fixed, make_blank_item


class ConsentAnswer(Struct, frozen=True):
    """One of the two answers."""

    keeps: bool

    def keep(self) -> str:
        """Keep the answer for all faces; give what is said then."""
        answer_archive_consent(keeps=self.keeps)
        if self.keeps:
            return "Copies are kept from now on."
        return "No copies are kept. Settings can change that."


def build_consent_items(consent: ArchiveConsent) -> Iterator[ListItem]:
    """Build the question and its answers, which Enter or a click gives."""

    def draw_question(columns: int) -> Sequence[StyledLine]:
        return [((Role.META, line),) for line in wrap(one_line(consent.question), columns)]

    yield ListItem("consent", draw_question, "talk", picked=False)
    for keeps, label in ((True, consent.keep), (False, consent.decline)):
        line: StyledLine = ((Role.ACTIVE, f"  [{label}]"),)
        yield ListItem(f"consent/{label}", draw_fixed([line]), "answer", ConsentAnswer(keeps))
    yield make_blank_item("consent.")
