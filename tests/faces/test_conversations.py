"""A conversation has the same turns and messages through every face."""

from collections.abc import Iterator
from itertools import chain
from typing import Any

import msgspec
import pytest

from bough.model.conversation.conversation import Conversation
from bough.model.interpret.message_kinds import PERSON_KINDS
from bough.model.outline.branch_names import name_tips
from bough.model.outline.branch_path import count_turns
from bough.model.outline.session_outline import outline_of
from bough.model.session import Session
from bough.terminal.style import UNICODE, Role
from bough.tui.conversation.side_panes import build_fact_items, build_outline_items
from bough.tui.conversation.view import ConversationContent
from tests.faces.conftest import Faces

pytestmark = pytest.mark.slow


def told(faces: Faces) -> Iterator[tuple[Session, Conversation]]:
    for session in faces.sessions.values():
        for conversation in session.conversations:
            yield session, conversation


def test_counting_is_building(faces: Faces) -> None:
    for _, one in told(faces):
        assert (one.turn_count, one.message_count) == (len(one.turns), len(one.messages))
        assert {turn.kind for turn in one.turns} <= PERSON_KINDS
        inside = [message for turn in one.turns for message in turn.messages]
        before = [message for message in one.messages if message.turn is None]
        assert sorted(map(id, [*before, *inside])) == sorted(map(id, one.messages))


def test_the_command_line_lists_the_conversations_of_the_library(faces: Faces) -> None:
    rows = {(row["session"], row["tip"]): row for row in faces.ask("conversations")}

    found = list(told(faces))

    assert len(rows) == len({(session.id, one.tip) for session, one in found})
    for session, one in found:
        row = rows[session.id, one.tip]
        assert (row["turns"], row["messages"], row["active"]) == (
            one.turn_count,
            one.message_count,
            one.active,
        )
        assert row["title"] == name_tips(session)[one.tip or ""]


def test_show_and_tree_say_the_same_as_the_library(faces: Faces) -> None:
    for path, session in faces.sessions.items():
        tips = {tip["uuid"]: tip for tip in faces.ask("tree", path)["tips"]}
        for shown in faces.ask("show", path, "--all") if session.conversations else []:
            one = session.conversation(shown["tip"])
            named = {message["turn"] for message in shown["messages"]} - {None}
            assert shown["turns"] == len(named) == one.turn_count
            assert [message["uuid"] for message in shown["messages"]] == [
                message.uuid for message in one.messages
            ]
            assert shown["turns"] == tips[shown["tip"]]["turns"]
            assert len(shown["messages"]) == tips[shown["tip"]]["messages"]


def test_the_tree_counts_the_turns_of_all_branches(faces: Faces) -> None:
    for session in faces.sessions.values():
        turns = {turn.key for one in session.conversations for turn in one.turns}
        assert outline_of(session).turns == len(turns), session.path


def test_the_web_outline_has_a_row_for_each_turn(faces: Faces) -> None:
    ids = {row["resume"].split()[-1]: row["id"] for row in faces.web}
    for session in faces.sessions.values():
        answer: dict[str, Any] = faces.served.get(
            f"/api/sessions/{ids[session.id]}/conversation?whole=true"
        )
        asked = [row for row in answer["outline"] if row["kind"] in PERSON_KINDS]
        assert len(asked) == session.conversation().turn_count, session.path
        assert answer["tip"] == session.conversation().tip


def test_the_panes_of_the_terminal_app_count_the_turns_of_the_conversation(faces: Faces) -> None:
    for session in faces.sessions.values():
        content = ConversationContent(session, glyphs=UNICODE)
        count = content.conversation.turn_count

        head, *_ = build_outline_items(content)
        own = next(item for item in build_fact_items(content) if item.key == "b/own")

        assert count_turns(content.items) == count, session.path
        assert words(head) == f"Prompts {count:,}"
        assert words(own).endswith(f"this one, {count:,} turn{'' if count == 1 else 's'}")


def test_both_outlines_say_how_much_of_a_turn_failed(faces: Faces) -> None:
    ids = {row["resume"].split()[-1]: row["id"] for row in faces.web}
    failed = 0
    for session in faces.sessions.values():
        answer: dict[str, Any] = faces.served.get(
            f"/api/sessions/{ids[session.id]}/conversation?whole=true"
        )
        of_the_web = [row["failed"] for row in answer["outline"]]

        items = build_outline_items(ConversationContent(session, glyphs=UNICODE))
        lines = [item.draw(80) for item in items if item.kind == "prompt"]
        signs = [text for line in lines for role, text in chain(*line) if role is Role.ERROR]

        assert [sign.strip() for sign in signs] == [f"✗{n:,}" for n in of_the_web if n]
        failed += sum(of_the_web)
    assert failed


def words(item: Any) -> str:
    (line,) = item.draw(80)
    return "".join(text for _, text in line)


def test_every_face_calls_a_branch_by_the_same_name(faces: Faces) -> None:
    listed = {(row["session"], row["tip"]): row["title"] for row in faces.ask("conversations")}
    parted = 0

    for session in faces.sessions.values():
        names = name_tips(session)
        assert len(set(names.values())) == len(names)
        if len(names) < 2:
            continue
        parted += 1
        assert {tip: listed[session.id, tip] for tip in names} == names
        if any(row["id"] == session.id for row in faces.web):
            branches = faces.served.get(f"/api/sessions/{session.id}")["branches"]
            assert {branch["tip"]: branch["title"] for branch in branches} == names
    assert parted


def test_all_faces_know_the_todos_and_plans_of_a_session(faces: Faces) -> None:
    kept = {
        row.id: row
        for row in faces.library
        if faces.sessions[row.path].todo_lists or faces.sessions[row.path].plan_files
    }
    web = {row["resume"].split()[-1]: row["id"] for row in faces.web}

    if not kept:
        pytest.skip("no session of these files has todos or plans")
    for name, row in list(kept.items())[:5]:
        session = faces.sessions[row.path]
        lists = msgspec.json.decode(msgspec.json.encode(session.todo_lists))
        told = faces.ask("show", name)
        facts = faces.served.get(f"/api/sessions/{web[name]}")
        content = ConversationContent(session, glyphs=UNICODE)
        items = {item.key for item in build_fact_items(content)}
        assert told.get("todos", []) == facts["todos"] == lists
        assert [plan["text"] for plan in told.get("plans", [])] == [
            plan["text"] for plan in facts["plan_texts"]
        ]
        assert ("todos" in items) == bool(lists)
        assert ("plans" in items) == bool(session.plan_files)
