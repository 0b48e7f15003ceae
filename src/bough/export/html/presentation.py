"""A conversation as slides of HTML: for the page, which asks slide by slide, and for a file.

```python
presentation = Presentation(ConversationView(session))
presentation.slides[0].kind     # what there is, nothing rendered
presentation.html(0)            # a fragment; what is folded is asked for by its key
presentation.body(key)
presentation.whole(0)           # the same with everything inside
```

Nothing in a slide leads out of it: buttons are taken out, so that no press shows what was hidden.
"""

from typing import TYPE_CHECKING, Final, Unpack

from bough.export.html.conversation_view import ConversationView
from bough.export.html.page import strip_buttons
from bough.export.html.render_context import RenderKeywords
from bough.export.html.steps import AnswerFacts, render_hidden_steps
from bough.export.markup.escape import escape_attribute
from bough.export.pieces import list_contents, make_slide_content
from bough.model.conversation.steps import StepRun
from bough.model.outline.slides import Slide, SlideKind, list_slides
from bough.model.session import Session

if TYPE_CHECKING:
    from collections.abc import Sequence

_LEFT_BUTTONS: Final = frozenset({"load"})
"""Buttons that ask for more of the same conversation."""


class Presentation:
    """One conversation, ready to be shown slide by slide."""

    def __init__(self, view: ConversationView) -> None:
        self._view = view
        self.session = view.session
        self._list = list_slides(view.outline_pieces)
        self.slides: Sequence[Slide] = self._list.slides
        self.turns = [view.render_context.redact_text(name) for name in self._list.turns]

    def find_message(self, uuid: str) -> int | None:
        """Find the first slide of a message by any of its records; None where it has none."""
        return self._list.find_message(uuid)

    def html(self, number: int) -> str:
        """Render one slide; bodies of folds are left out but for those of thoughts."""
        full = self.slides[number].kind is SlideKind.THOUGHT
        return strip_buttons(self._render(number, full=full), _LEFT_BUTTONS)

    def whole(self, number: int) -> str:
        """Render one slide with every body inside."""
        return strip_buttons(self._render(number, full=True))

    def body(self, key: str) -> str:
        """Render the body of a fold.

        Raises:
            NotFound: No fold of this conversation has that key.
        """
        body = self._render_hidden_rows(key) or self._view.body(key)
        return strip_buttons(body, _LEFT_BUTTONS)

    def _render_hidden_rows(self, key: str) -> str:
        """Render the rows that a block of steps left out; it may be a part of one on the page."""
        owner, _, place = key.rpartition("~")
        number = place.removesuffix("+")
        if place == number or not number.isdigit():
            return ""
        context = self._view.render_context
        for slide in self.slides:
            message = slide.piece.message
            if slide.message != owner or message is None:
                continue
            for part in slide.parts:
                if isinstance(part, StepRun) and any(r.number == int(number) for r in part.rows):
                    facts = AnswerFacts(context.facts.thought_durations(message))
                    return render_hidden_steps(part, int(number), context, owner, facts)
        return ""

    def _render(self, number: int, *, full: bool) -> str:
        slide = self.slides[number]
        contents = [make_slide_content(slide), *list_contents(slide.notes)]
        inner = "".join(self._view.render_content(content, full=full) for content in contents)
        begins = number == 0 or self.slides[number - 1].turn != slide.turn
        name = f' data-name="{escape_attribute(self.turns[slide.turn])}"' if begins else ""
        return (
            f'<div class="present-slide" data-kind="{slide.kind}" data-turn="{slide.turn}"{name} '
            f'data-message="{escape_attribute(slide.message)}">{inner}</div>'
        )


def build_presentation(
    session: Session,
    tip: str | None,
    *,
    redact: bool,
    until: str | None = None,
    **options: Unpack[RenderKeywords],
) -> Presentation:
    """Make the slides of a conversation, with or without what looks like a secret."""
    if redact:
        from bough.export.secrets.redact import redact_session  # noqa: PLC0415 - its patterns take 50 ms

        session, _ = redact_session(session, secrets=True, emails=False)
    return Presentation(ConversationView(session, tip, until=until, **options))
