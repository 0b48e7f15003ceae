"""One meaning of each field: `turns` and `cost_usd` in everything that is sent or printed."""

import inspect
import pkgutil
from importlib import import_module
from types import ModuleType

import msgspec
import pytest
from msgspec import Struct

import bough.web.wire
from bough.library.client_settings import guard_functions
from bough.query import json_documents
from bough.query.lists import list_rows
from bough.query.live import running_sessions

MODULES: tuple[ModuleType, ...] = (
    *(
        import_module(f"bough.web.wire.{found.name}")
        for found in pkgutil.iter_modules(bough.web.wire.__path__)
    ),
    *(guard_functions, json_documents, list_rows, running_sessions),
)
STRUCTS = {
    kind.__name__: kind
    for module in MODULES
    for _, kind in inspect.getmembers(module, inspect.isclass)
    if issubclass(kind, Struct) and kind.__module__ == module.__name__
}
# The row that it is a part of names the models.
PARTS_OF_A_ROW = {"BlockProjection"}


def fields_of(kind: type[Struct]) -> dict[str, object]:
    return {one.encode_name: one.type for one in msgspec.structs.fields(kind)}


@pytest.mark.parametrize("name", sorted(STRUCTS))
def test_turns_is_a_number_wherever_it_stands(name: str) -> None:
    fields = fields_of(STRUCTS[name])

    assert fields.get("turns", int) in (int, int | None)


@pytest.mark.parametrize("name", sorted(STRUCTS.keys() - PARTS_OF_A_ROW))
def test_a_cost_comes_with_the_models_that_have_no_price(name: str) -> None:
    fields = fields_of(STRUCTS[name])

    assert "cost_usd" not in fields or fields.get("unpriced_models") == list[str]


def test_messages_are_a_number_in_lists_and_the_messages_themselves_in_a_conversation() -> None:
    found = {
        name: kind
        for name, kind in (
            (name, fields_of(kind).get("messages")) for name, kind in STRUCTS.items()
        )
        if kind is not None and kind is not int
    }

    assert found == {"ConversationDocument": list[json_documents.MessageDocument]}
