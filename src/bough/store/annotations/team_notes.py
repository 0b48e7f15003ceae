"""Stars and notes in a team's store: everybody has their own, and who reads a session sees all.

They lie in the table `note`, one row for each author and session or message; its policies say who
may see and write them. The body is JSON: `{"starred": true, "note": "..."}`.
"""

from collections.abc import Iterable
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from bough.errors import Misuse
from bough.store.annotations.annotation import LONGEST_NOTE, Annotation, Annotations
from bough.store.annotations.annotation_store import AnnotationChange
from bough.store.postgres.postgres_writer import number_of
from bough.store.postgres.server_connection import ServerConnection

_LIST: Final = """
    select author, session, coalesce(uuid, ''), body, at::text, author = me() from note
    order by at, author
"""
_OWN: Final = "select body from note where author = me() and id = %s"
_ABOUT: Final = "select project_id, session from file where path = %s and role = 'session'"
_REMOVE: Final = "delete from note where author = me() and id = %s"
_WRITE: Final = """
    insert into note (author, id, project_id, session, uuid, body)
    values (me(), %s, %s, %s, %s, %s)
    on conflict (md5(author || ' ' || id::text)) do update set body = excluded.body, at = now()
"""


class _Body(Struct, frozen=True, omit_defaults=True):
    starred: bool = False
    note: str = ""


class MemberNote(Struct, frozen=True):
    """What another member said of a session or a message."""

    author: str
    starred: bool
    note: str


class TeamAnnotation(Annotation, frozen=True):
    """What one said of something oneself, and what others said of it."""

    others: tuple[MemberNote, ...] = ()


def load_notes(connection: ServerConnection) -> Annotations:
    """Give one's own stars and notes, each with those of others that one may see."""
    return Annotations(_gather_rows(connection.fetch_all(_LIST)))


def _gather_rows(
    rows: Iterable[tuple[object, ...]],
) -> dict[tuple[str, str], Annotation]:
    found: dict[tuple[str, str], Annotation] = {}
    for author, session, uuid, body, at, is_own in rows:
        said = _read_body(str(body))
        about = str(uuid) or str(session)
        known = found.get(("message" if uuid else "session", about))
        if not isinstance(known, TeamAnnotation):
            known = TeamAnnotation("message" if uuid else "session", about, str(session))
        known = (
            replace(known, starred=said.starred, note=said.note)
            if is_own
            else replace(
                known, others=(*known.others, MemberNote(str(author), said.starred, said.note))
            )
        )
        found[known.kind, about] = replace(known, changed_at=str(at))
    return found


def change_note(
    connection: ServerConnection, path: str, uuid: str, change: AnnotationChange
) -> Annotation:
    """Change what one says of a session, by its path, or of a message of it.

    Raises:
        Misuse: It is too long, there is no such session, or one is an auditor.
    """
    if change.note is not None and len(change.note) > LONGEST_NOTE:
        raise Misuse(f"A note has at most {LONGEST_NOTE:,} characters.")
    role = connection.fetch_one("select my_role()")
    if role is not None and role[0] == "auditor":
        raise Misuse("An auditor reads what others noted, and notes nothing.")
    about = connection.fetch_one(_ABOUT, [path])
    if about is None:
        raise Misuse("There is no such session that you may read.")
    project, session = about
    number = number_of("note", session, uuid)
    row = connection.fetch_one(_OWN, [number])
    said = _read_body(row[0]) if row is not None else _Body()
    said = _Body(
        said.starred if change.starred is None else change.starred,
        said.note if change.note is None else change.note.strip(),
    )
    if said == _Body():
        connection.run(_REMOVE, [number])
    else:
        body = msgspec.json.encode(said).decode()
        connection.run(_WRITE, [number, project, session, uuid or None, body])
    return load_notes(connection).find("message" if uuid else "session", uuid or session)


def _read_body(text: str) -> _Body:
    try:
        return msgspec.json.decode(text, type=_Body)
    except msgspec.MsgspecError:
        return _Body(note=text)
