"""A conversation, asked for piece by piece."""

from collections.abc import Sequence
from typing import Final

from bough.errors import NotFound, TipNotFound
from bough.export.html.conversation_view import OutlineRow, Telling
from bough.export.markdown.conversation import piece_markdown
from bough.model.text.formats import moment
from bough.model.text.times import moment_of
from bough.web.open_sessions.appended_view import Joined
from bough.web.open_sessions.open_session import Part, Room, Shown, Which
from bough.web.responses import Refused
from bough.web.routes.lists import standing
from bough.web.runtime.broadcaster import Told
from bough.web.runtime.live_updates import revision_of
from bough.web.state import House, now
from bough.web.wire.list_rows import SessionState, Where
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
    OutlineItem,
    PieceHtml,
    PiecePage,
    PiecesAnswer,
    PiecesQuery,
    TextAnswer,
)

_PAGE: Final = 40
_OUTLINE_WORDS: Final = 300
_MOST_HITS: Final = 2_000


def conversation(house: House, session: str, query: ConversationQuery) -> ConversationAnswer:
    """Give a conversation: its pieces by name, and those around the start rendered."""
    room = room_of(house, session)
    plain = not query.tip and not query.agent and not query.whole
    if plain and not room.is_open and not room.is_small:
        part = room.part(query.at or None)
        house.rooms.open_behind(room)
        if not query.at or part.telling.uuids_to_piece(query.at) is not None:
            return _conversation(house, room, query, part)
    which = which_of(query)
    if query.at and which.tip is None:
        which = _through(room, which, query.at)
    return _conversation(house, room, query, room.view(which))


def pieces(house: House, session: str, query: PiecesQuery) -> PiecesAnswer:
    """Give pieces in a row, rendered."""
    room = room_of(house, session)
    view = _shown(room, query, query.revision)
    start = min(query.from_, len(view.telling.pieces))
    return PiecesAnswer(view.revision, start, rendered(view, start, query.count))


def changes(house: House, session: str, query: ChangesQuery) -> ChangesAnswer:
    """Give what is other than it was at a revision."""
    room = room_of(house, session)
    view = room.view(which_of(query))
    if room.late:
        house.rooms.look_again(room, lambda: tell_more(house, room))
    found = view.since(query.since)
    if found is None:
        raise Refused(409, "reload", "This conversation has to be read again from its start.")
    first, same = found
    telling = view.telling
    tail = telling.pieces[first:]
    state, sure = _state(house, room)
    return ChangesAnswer(
        revision=view.revision,
        from_=first,
        count=len(telling.pieces),
        keys=[piece.key for piece in tail],
        kinds=[piece.kind for piece in tail],
        lines=[piece.lines for piece in tail],
        marks=[piece.marks for piece in tail],
        pieces=rendered(view, first, _PAGE),
        outline=None if same else outlined(telling.outline()),
        title=_title(house, room, telling),
        state=state,
        sure=sure,
        tip=telling.conversation.tip,
        active=telling.conversation.active,
    )


def tell_more(house: House, room: Room) -> None:
    """Tell the pages that there is more in a session than they could be given."""
    told = ChangeEvent(room.address, room.folder.name, None, revision_of(room.path))
    house.tell([Told("change", told)])


def body(house: House, session: str, query: BodyQuery) -> BodyAnswer:
    """Give what is inside a fold."""
    room = room_of(house, session)
    return BodyAnswer(room.view(which_of(query)).telling.body(query.key))


def find(house: House, session: str, query: FindQuery) -> FindAnswer:
    """Find words in a conversation, or on all branches of its session."""
    room = room_of(house, session)
    which = which_of(query)
    telling = room.view(which).telling
    hits = _found(telling, query.q, None)
    if query.scope == "all" and which.agent is None:
        seen = {hit.key for hit in hits}
        for other in room.session.conversations:
            if other.tip == telling.conversation.tip or other.tip is None:
                continue
            fresh = _found(room.glance(Which(other.tip)), query.q, other.tip)
            hits += [hit for hit in fresh if hit.key not in seen]
            seen.update(hit.key for hit in fresh)
    return FindAnswer(sum(hit.count for hit in hits), hits[:_MOST_HITS])


def markdown(house: House, session: str, query: MarkdownQuery) -> TextAnswer:
    """Give a conversation, or one message of it, as Markdown."""
    telling = room_of(house, session).full(which_of(query))
    numbers: Sequence[int] = range(len(telling.pieces))
    if query.uuid:
        number = telling.uuids_to_piece(query.uuid)
        if number is None:
            raise NotFound(f"This conversation has no message {query.uuid[:40]}.")
        own = telling.pieces[number].uuid
        numbers = [n for n in numbers if n == number or (own and telling.pieces[n].uuid == own)]
    return TextAnswer(
        "\n\n".join(piece_markdown(telling, number).strip("\n") for number in numbers) + "\n"
    )


def room_of(house: House, session: str) -> Room:
    """Find the room of a session that an address names."""
    if not house.ready:
        raise Refused(409, "not_ready", "Nothing is read before you agree to it.")
    try:
        return house.rooms.of(house.catalogue.find(session))
    except NotFound:
        gathered = house.lists()
        gone = any(row.id == session and row.deleted_at is not None for row in gathered.rows)
        if gone:
            words = "The client has deleted this session, and no copy of it was kept."
            raise Refused(404, "deleted", words) from None
        raise


def which_of(where: Where) -> Which:
    """Tell which conversation is meant."""
    return Which(where.tip or None, where.agent or None)


def rendered(view: Shown, start: int, count: int) -> list[PieceHtml]:
    """Render pieces in a row."""
    found = []
    pieces = view.telling.pieces
    for number in range(start, min(start + count, len(pieces))):
        piece = pieces[number]
        html = view.html(number)
        found.append(PieceHtml(number, piece.key, piece.kind, piece.uuid, piece.timestamp, html))
    return found


def outlined(rows: Sequence[OutlineRow]) -> list[OutlineItem]:
    """Put an outline on the wire."""
    return [
        OutlineItem(
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


def _conversation(
    house: House, room: Room, query: ConversationQuery, view: Shown
) -> ConversationAnswer:
    telling = view.telling
    named = telling.pieces
    start = telling.uuids_to_piece(query.at) if query.at else None
    if query.at and start is None:
        raise NotFound(f"This conversation has no message {query.at[:40]}.")
    number = len(named) - 1 if start is None else start
    first = max(0, min(number - _PAGE // 2, len(named) - _PAGE))
    return ConversationAnswer(
        session=room.address,
        title=_title(house, room, telling),
        agent=query.agent or None,
        tip=telling.conversation.tip,
        active=telling.conversation.active,
        revision=view.revision,
        partial=isinstance(view, Part),
        count=len(named),
        keys=[piece.key for piece in named],
        kinds=[piece.kind for piece in named],
        lines=[piece.lines for piece in named],
        marks=[piece.marks for piece in named],
        outline=outlined(telling.outline()),
        start=max(0, number),
        page=PiecePage(first, rendered(view, first, _PAGE)),
        band=None if isinstance(view, Part) else _band(telling),
    )


def _shown(room: Room, query: Where, revision: str) -> Shown:
    """Give the conversation that a page shows: a stretch as long as it reads that."""
    if not revision.startswith("part-"):
        return room.view(which_of(query))
    part = room.kept_part(revision)
    if part is None:
        raise Refused(409, "reload", "This conversation has to be read again from its start.")
    return part


def _through(room: Room, which: Which, at: str) -> Which:
    """Choose the branch a message is on, where the active one does not go through it."""
    if which.agent is not None or room.view(which).telling.uuids_to_piece(at) is not None:
        return which
    session = room.session
    if at not in session.tree.number:
        raise TipNotFound(at[:40], session.id)
    return Which(at, which.agent)


def _band(telling: Telling | Joined) -> str | None:
    """Say that this is not the branch that goes on."""
    session, told = telling.session, telling.conversation
    if told.active or session.sidechain or len(session.tips) < 2:
        return None
    left = moment(moment_of(told.ended_at), now())
    return f"You are reading a branch left at {left}. The active one goes on from here."


def _title(house: House, room: Room, telling: Telling | Joined) -> str:
    if telling.session.sidechain:
        return getattr(telling.session, "description", None) or telling.session.title
    live = house.ear.rows.get(room.path)
    if live is not None:
        return live.title
    row = house.lists().row(room.path)
    return row.title if row is not None else telling.session.title


def _state(house: House, room: Room) -> tuple[SessionState, bool]:
    row = house.lists().row(room.path)
    live = house.ear.rows.get(room.path)
    if live is not None or row is None:
        return (live.state.value, live.sure) if live is not None else ("finished", False)
    state, sure, _, _ = standing(house, row)
    return state, sure


def _found(telling: Telling | Joined, words: str, tip: str | None) -> list[FindHit]:
    return [
        FindHit(one.number, one.key, list(one.opens), one.uuid, tip, one.count)
        for one in telling.find(words)
    ]
