"""A conversation as slides, asked for a few at a time."""

from typing import Final

from bough.errors import NotFound
from bough.library import describe_left_out
from bough.web.open_sessions.presentation_cache import PresentationSnapshot
from bough.web.responses import ApiError
from bough.web.routes.conversation import find_open_session, ref_of
from bough.web.state import AppState
from bough.web.wire.pieces import BodyAnswer
from bough.web.wire.slides import (
    PresentationAnswer,
    PresentationQuery,
    SlideBodyQuery,
    SlidesAnswer,
    SlidesQuery,
)

_PAGE: Final = 20
_LONGEST_NAME: Final = 120


def get_presentation(state: AppState, session: str, query: PresentationQuery) -> PresentationAnswer:
    """Give a conversation as slides: all by name, and those around the start rendered."""
    open_session = find_open_session(state, session)
    kept = open_session.presentation(ref_of(query), "", redact=query.redact)
    presentation = kept.presentation
    slides = presentation.slides
    if not slides:
        raise NotFound("This conversation has nothing to present.")
    start = presentation.find_message(query.at) if query.at else 0
    start = start or 0
    turn = slides[start].turn
    first = next(number for number, slide in enumerate(slides) if slide.turn == turn)
    return PresentationAnswer(
        revision=kept.revision,
        redacted=query.redact,
        kinds=[slide.kind for slide in slides],
        turn_numbers=[slide.turn for slide in slides],
        message_keys=[slide.message for slide in slides],
        names=[" ".join(name.split())[:_LONGEST_NAME] for name in presentation.turns],
        start=start,
        left_out=describe_left_out(presentation.session),
        # What was revealed of the turn already is on the screen too.
        page=_render_slides(kept, max(first, start - _PAGE), start + _PAGE),
    )


def get_slides(state: AppState, session: str, query: SlidesQuery) -> SlidesAnswer:
    """Give slides in a row, rendered."""
    kept = _find_presentation(state, session, query)
    return _render_slides(kept, query.from_, query.from_ + query.count)


def get_slide_body(state: AppState, session: str, query: SlideBodyQuery) -> BodyAnswer:
    """Give what is inside a fold of a slide."""
    return BodyAnswer(_find_presentation(state, session, query).presentation.body(query.key))


def _find_presentation(
    state: AppState, session: str, query: SlidesQuery | SlideBodyQuery
) -> PresentationSnapshot:
    open_session = find_open_session(state, session)
    try:
        return open_session.presentation(ref_of(query), query.revision, redact=query.redact)
    except NotFound:
        words = "These slides have to be listed again."
        raise ApiError(409, "reload", words) from None


def _render_slides(kept: PresentationSnapshot, start: int, stop: int) -> SlidesAnswer:
    slides = kept.presentation.slides
    first, last = min(start, len(slides)), min(stop, len(slides))
    return SlidesAnswer(first, [kept.presentation.html(number) for number in range(first, last)])
