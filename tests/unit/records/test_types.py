"""Every kind the clients write has a class, under the names others import."""

import msgspec
import pytest

from bough.records import known_names as identifiers
from bough.records import metadata as marks
from bough.records import types
from bough.records.metadata import MARKS
from bough.records.record import Record, camel
from bough.records.types import KINDS, Unknown, User, kind_of

IN_TREE = ("user", "assistant", "system", "progress", "attachment")
OUTSIDE = (
    *("summary", "last-prompt", "ai-title", "custom-title", "queue-operation", "pr-link", "mode"),
    *("file-history-snapshot", "file-history-delta", "permission-mode", "agent-name", "tag"),
    *("agent-setting", "agent-color", "worktree-state", "attribution-snapshot", "relocated"),
    *("content-replacement", "speculation-accept", "isolation-latch", "tools-used", "cost-state"),
    *("atis-latch", "api-request", "api-request-shape", "api-request-blob", "bridge-session"),
    *("frame-link", "artifact-autoreact-ledger", "artifact-comment-monitor"),
)


def test_every_kind_that_was_ever_seen_or_reported_is_known() -> None:
    assert set(KINDS) == {*IN_TREE, *OUTSIDE}


def test_a_class_bears_the_kind_it_is_found_under() -> None:
    assert {kind: cls.kind for kind, cls in KINDS.items()} == {kind: kind for kind in KINDS}
    assert {cls.__struct_config__.tag for cls in KINDS.values()} == set(KINDS)


def test_every_class_outside_the_tree_is_among_the_marks() -> None:
    classes = {
        cls
        for cls in vars(marks).values()
        if isinstance(cls, type) and issubclass(cls, Record) and cls is not Record
    }

    assert classes == set(MARKS)


def test_the_tables_of_identifiers_are_offered_with_the_types() -> None:
    for name in (name for name in vars(identifiers) if name.isupper()):
        assert getattr(types, name) is getattr(identifiers, name)


@pytest.mark.parametrize(
    ("name", "spelled"),
    [
        ("parent_uuid", "parentUuid"),
        ("message_json", "message"),
        ("tool_use_id", "toolUseID"),
        ("source_tool_assistant_uuid", "sourceToolAssistantUUID"),
        ("cost_usd", "costUSD"),
        ("ai_title", "aiTitle"),
    ],
)
def test_fields_are_spelled_as_the_clients_spell_them(name: str, spelled: str) -> None:
    assert camel(name) == spelled


def test_no_two_fields_of_a_kind_are_spelled_alike() -> None:
    classes: tuple[type[Record], ...] = (*KINDS.values(), Unknown)
    for cls in classes:
        spelled = [field.encode_name for field in msgspec.structs.fields(cls)]
        assert len(set(spelled)) == len(spelled)


def test_the_kind_of_a_record_is_the_word_the_client_wrote() -> None:
    assert kind_of(User()) == "user"
    assert kind_of(Unknown(type="of-tomorrow")) == "of-tomorrow"


def test_a_record_is_in_the_tree_when_it_has_a_uuid() -> None:
    assert User(uuid="u").in_tree
    assert not User().in_tree
