"""A conversation, asked for piece by piece."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from bough.errors import NotFound
from bough.library import (
    ConversationView,
    OutlineRow,
    apply_time_settings,
    count_words,
    describe_left_out,
    write_piece,
)
from bough.model.text.formats import format_moment
from bough.model.text.times import parse_moment
from bough.web.open_sessions.appended_view import AppendedView
from bough.web.open_sessions.open_session import (
    ConversationRef,
    OpenSession,
    PartialView,
    RenderedView,
)
from bough.web.responses import ApiError
from bough.web.routes.lists import find_status
from bough.web.runtime.broadcaster import ServerEvent
from bough.web.runtime.live_updates import revision_of
from bough.web.state import AppState, now
from bough.web.wire.list_rows import ConversationPartSelector, SessionState
from bough.web.wire.live_events import ChangeEvent
from bough.web.wire.pieces import (
    BodyAnswer,
    BodyQuery,
    ChangesAnswer,
    ChangesQuery,
    ConversationAnswer,
    ConversationQuery,
    FindAnswer,
    FindHit,
    FindQuery,
    MarkdownQuery,
    OutlineEntry,
    PieceHtml,
    PiecePage,
    PiecesAnswer,
    PiecesQuery,
    TextAnswer,
)

_PAGE: Final = 40
_OUTLINE_WORDS: Final = 300
_MOST_HITS: Final = 2_000
_MOST_MESSAGES: Final = 50_000
"""So many messages of other branches are told to find the places of words in them."""
_UNTIL: Final = "You are reading the conversation up to a point. What came after it is left out."


def get_conversation(state: AppState, session: str, query: ConversationQuery) -> ConversationAnswer:
    """Give a conversation: its pieces by name, and those around the start rendered."""
    open_session = find_open_session(state, session)
    plain = not any((query.tip, query.agent, query.until, query.whole))
    if plain and not open_session.is_open and not open_session.is_small:
        part = open_session.open_partial(query.at or None)
        state.open_sessions.open_in_background(open_session)
        if not query.at or part.content.find_piece(query.at) is not None:
            return _make_conversation_answer(state, open_session, query, part)
    asked = query.tip
    query, wrong_tip = _find_tip(open_session, query)
    is_other_tip = query.tip != asked
    query, note = _find_message(open_session, query)
    which = ref_of(query)
    if query.at and which.tip is None and which.until is None:
        which = choose_branch(open_session, which, query.at)
    answer = _make_conversation_answer(state, open_session, query, open_session.view(which))
    return replace(answer, note=wrong_tip or note or answer.note, is_other_tip=is_other_tip)


def _find_tip(
    open_session: OpenSession, query: ConversationQuery
) -> tuple[ConversationQuery, str | None]:
    """Find the branch that is asked for by a message on it, or the beginning of its id.

    As with messages, a link that leads nowhere opens the conversation, and says so.
    """
    numbers = open_session.session_or_agent(query.agent or None).tree.number if query.tip else {}
    if not query.tip or query.tip in numbers:
        return query, None
    found = [uuid for uuid in numbers if uuid.startswith(query.tip)]
    if len(found) == 1:
        return replace(query, tip=found[0]), None
    short = query.tip[:40]
    why = f"{len(found)} messages begin" if found else "No message of this session begins"
    return replace(query, tip=""), f"{why} with {short}. You are reading the active branch."


def _find_message(
    open_session: OpenSession, query: ConversationQuery
) -> tuple[ConversationQuery, str | None]:
    """Find the message that is asked for by its id or the beginning of it.

    A link that leads nowhere opens the conversation all the same, with a sentence that says so.
    """
    which = ref_of(query)
    if not query.at or open_session.view(which).content.find_piece(query.at) is not None:
        return query, None
    numbers = open_session.session_or_agent(which.agent).tree.number
    if query.at in numbers and which.tip is None and which.until is None:
        return query, None
    found = [uuid for uuid in numbers if uuid.startswith(query.at)]
    if len(found) == 1 and found[0] != query.at:
        return _find_message(open_session, replace(query, at=found[0]))
    if len(found) > 1:
        why = f"{len(found)} messages begin with {query.at[:40]}"
    elif found and which.until is not None:
        why = f"The message {query.at[:40]} is not before this point"
    elif found:
        why = f"The message {query.at[:40]} is on another branch"
    else:
        why = f"This conversation has no message {query.at[:40]}"
    return replace(query, at=""), f"{why}. You are at its end."


def pieces(state: AppState, session: str, query: PiecesQuery) -> PiecesAnswer:
    """Give pieces in a row, rendered."""
    open_session = find_open_session(state, session)
    view = _find_view(open_session, query, query.revision)
    start = min(query.from_, len(view.content.pieces))
    return PiecesAnswer(view.revision, start, render_pieces(view, start, query.count))


def get_changes(app_state: AppState, session: str, query: ChangesQuery) -> ChangesAnswer:
    """Give what is other than it was at a revision."""
    open_session = find_open_session(app_state, session)
    view = open_session.view(ref_of(query))
    if open_session.is_late:
        app_state.open_sessions.schedule_recheck(
            open_session, lambda: publish_change(app_state, open_session)
        )
    found = view.since(query.since)
    if found is None:
        raise ApiError(409, "reload", "This conversation has to be read again from its start.")
    first, same = found
    content = view.content
    tail = content.pieces[first:]
    state, sure = _find_state(app_state, open_session)
    return ChangesAnswer(
        revision=view.revision,
        from_=first,
        count=len(content.pieces),
        keys=[piece.key for piece in tail],
        kinds=[piece.kind for piece in tail],
        lines=[piece.lines for piece in tail],
        marks=[piece.marks for piece in tail],
        pieces=render_pieces(view, first, _PAGE),
        outline=None if same else make_outline(content.outline()),
        title=find_title(app_state, open_session, content),
        state=state,
        sure=sure,
        tip=content.conversation.tip,
        active=content.conversation.active,
    )


def publish_change(state: AppState, open_session: OpenSession) -> None:
    """Tell the pages that there is more in a session than they could be given."""
    change = ChangeEvent(
        open_session.address, open_session.folder.name, None, revision_of(open_session.path)
    )
    state.publish([ServerEvent("change", change)])


def get_body(state: AppState, session: str, query: BodyQuery) -> BodyAnswer:
    """Give what is inside a fold."""
    open_session = find_open_session(state, session)
    return BodyAnswer(open_session.view(ref_of(query)).content.body(query.key))


def find_in_conversation(state: AppState, session: str, query: FindQuery) -> FindAnswer:
    """Find words in a conversation, or on all branches of its session."""
    open_session = find_open_session(state, session)
    which = ref_of(query)
    content = open_session.view(which).content
    hits = _find_hits(content, query.q, None)
    beyond = 0
    if query.scope == "all" and which.agent is None:
        beyond = _find_on_others(open_session, content, query.q, hits)
    return FindAnswer(sum(hit.count for hit in hits) + beyond, hits[:_MOST_HITS])


def _find_on_others(
    open_session: OpenSession,
    content: ConversationView | AppendedView,
    words: str,
    hits: list[FindHit],
) -> int:
    """Add the hits on the other branches; give how many places are counted only.

    Branches share their beginnings, and there may be thousands: each is told whole only where its
    own part has the words, and until so many messages were told.
    """
    seen = {hit.key for hit in hits}
    read: set[int] = set()
    session = open_session.session
    session.conversation(content.conversation.tip).cut_shared(read)
    beyond = told = 0
    for other in session.conversations:
        if other.tip == content.conversation.tip or other.tip is None:
            continue
        count = count_words(other.cut_shared(read).messages, words)
        if not count:
            continue
        told += other.message_count
        if told > _MOST_MESSAGES or len(hits) > _MOST_HITS:
            beyond += count
            continue
        fresh = _find_hits(open_session.build_once(ConversationRef(other.tip)), words, other.tip)
        hits += [hit for hit in fresh if hit.key not in seen]
        seen.update(hit.key for hit in fresh)
    return beyond


def get_markdown(state: AppState, session: str, query: MarkdownQuery) -> TextAnswer:
    """Give a conversation, or one message of it, as Markdown."""
    view = find_open_session(state, session).full_view(ref_of(query))
    numbers: Sequence[int] = range(len(view.pieces))
    if query.uuid:
        number = view.find_piece(query.uuid)
        if number is None:
            raise NotFound(f"This conversation has no message {query.uuid[:40]}.")
        own = view.pieces[number].uuid
        numbers = [n for n in numbers if n == number or (own and view.pieces[n].uuid == own)]
    return TextAnswer(
        "\n\n".join(write_piece(view, number).strip("\n") for number in numbers) + "\n"
    )


def find_open_session(state: AppState, session: str) -> OpenSession:
    """Find the open session that an address names."""
    if not state.ready:
        raise ApiError(409, "not_ready", "Nothing is read before you agree to it.")
    try:
        return state.open_sessions.get_session(state.session_ids.find(session))
    except NotFound:
        # What is listed and has no file was deleted, also where the index has not heard of it yet.
        if any(row.id == session for row in state.lists().rows):
            words = "The client has deleted this session, and no copy of it was kept."
            raise ApiError(404, "deleted", words) from None
        raise


def ref_of(where: ConversationPartSelector) -> ConversationRef:
    """Tell which conversation is meant."""
    return ConversationRef(where.tip or None, where.agent or None, where.until or None)


def render_pieces(view: RenderedView, start: int, count: int) -> list[PieceHtml]:
    """Render pieces in a row."""
    found = []
    pieces = view.content.pieces
    for number in range(start, min(start + count, len(pieces))):
        piece = pieces[number]
        html = view.html(number)
        found.append(PieceHtml(number, piece.key, piece.kind, piece.uuid, piece.timestamp, html))
    return found


def make_outline(rows: Sequence[OutlineRow]) -> list[OutlineEntry]:
    """Put an outline on the wire."""
    return [
        OutlineEntry(
            number=row.number,
            kind=row.kind,
            text=" ".join(row.text[: 2 * _OUTLINE_WORDS].split())[:_OUTLINE_WORDS],
            time=row.time,
            agents=row.agents,
            failed=row.failed,
            steps=row.steps,
            end=row.end,
            about=row.about,
            tip=row.tip,
            uuid=row.uuid,
        )
        for row in rows
    ]


def _make_conversation_answer(
    state: AppState, open_session: OpenSession, query: ConversationQuery, view: RenderedView
) -> ConversationAnswer:
    content = view.content
    named = content.pieces
    start = content.find_piece(query.at) if query.at else None
    is_missing = bool(query.at) and start is None
    number = len(named) - 1 if start is None else start
    row = content.find_row(query.at) if start is not None else None
    first = max(0, min(number - _PAGE // 2, len(named) - _PAGE))
    return ConversationAnswer(
        session=open_session.address,
        title=find_title(state, open_session, content),
        agent=query.agent or None,
        tip=content.conversation.tip,
        active=content.conversation.active,
        revision=view.revision,
        partial=isinstance(view, PartialView),
        count=len(named),
        keys=[piece.key for piece in named],
        kinds=[piece.kind for piece in named],
        lines=[piece.lines for piece in named],
        marks=[piece.marks for piece in named],
        outline=make_outline(content.outline()),
        start=max(0, number),
        page=PiecePage(first, render_pieces(view, first, _PAGE)),
        banner=_UNTIL
        if query.until
        else None
        if isinstance(view, PartialView)
        else describe_left_out(content.session) or _make_banner(content),
        note=f"The message {query.at[:40]} is not shown. You are at the end."
        if is_missing
        else None,
        row=row.key if row is not None else None,
        opens=list(row.opens) if row is not None else [],
    )


def _find_view(
    open_session: OpenSession, query: ConversationPartSelector, revision: str
) -> RenderedView:
    """Give the conversation that a page shows: a stretch as long as it reads that."""
    if not revision.startswith("part-"):
        return open_session.view(ref_of(query))
    part = open_session.find_partial(revision)
    if part is None:
        raise ApiError(409, "reload", "This conversation has to be read again from its start.")
    return part


def choose_branch(open_session: OpenSession, which: ConversationRef, at: str) -> ConversationRef:
    """Choose the branch a message is on, where the active one does not go through it."""
    if which.agent is not None or open_session.view(which).content.find_piece(at) is not None:
        return which
    return ConversationRef(at, which.agent)


def _make_banner(view: ConversationView | AppendedView) -> str | None:
    """Say that this is not the branch that goes on."""
    session, conversation = view.session, view.conversation
    if conversation.active or session.sidechain or len(session.tips) < 2:
        return None
    left = format_moment(parse_moment(conversation.ended_at), now(), words=apply_time_settings())
    return f"You are reading a branch left at {left}. The active one goes on from here."


def find_title(
    state: AppState, open_session: OpenSession, view: ConversationView | AppendedView
) -> str:
    """Give the title of a session, or of an agent of it."""
    if view.session.sidechain:
        return getattr(view.session, "description", None) or view.session.title
    live = state.live.rows.get(open_session.path)
    if live is not None:
        return live.title
    row = state.lists().row(open_session.path)
    return row.title if row is not None else view.session.title


def _find_state(app_state: AppState, open_session: OpenSession) -> tuple[SessionState, bool]:
    row = app_state.lists().row(open_session.path)
    live = app_state.live.rows.get(open_session.path)
    if live is not None or row is None:
        return (live.state.value, live.sure) if live is not None else ("finished", False)
    state, sure, _, _ = find_status(app_state, row)
    return state, sure


def _find_hits(view: ConversationView | AppendedView, words: str, tip: str | None) -> list[FindHit]:
    return [
        FindHit(one.number, one.key, list(one.opens), one.uuid, tip, one.count)
        for one in view.find(words)
    ]
