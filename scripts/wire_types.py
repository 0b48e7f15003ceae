#!/usr/bin/env python3
"""Write the page's types of the wire from the Python structs.

    scripts/wire_types.py            writes frontend/src/wire.ts
    scripts/wire_types.py --check    says whether it is current

The structs of `bough.web.wire` are the contract; TypeScript gets a copy that nobody edits.
"""

import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import msgspec

from bough.web.wire import about, slides
from bough.web.wire import annotation_items as annotations
from bough.web.wire import archive_status as archive
from bough.web.wire import comparison as compare
from bough.web.wire import health_findings as health
from bough.web.wire import hits as search
from bough.web.wire import list_rows as lists
from bough.web.wire import live_events as live
from bough.web.wire import pieces as reading
from bough.web.wire import setting_rows as settings
from bough.web.wire import travel_plans as travel
from bough.web.wire import tree_rows as tree
from bough.web.wire import usage_report as usage

MODULES: tuple[ModuleType, ...] = (
    *(about, annotations, compare, lists, reading, search, live),
    *(settings, slides, usage, travel, tree, health, archive),
)
TARGET = Path(__file__).parent.parent / "frontend" / "src" / "wire.ts"
_HEAD = "// Written by scripts/wire_types.py from src/bough/web/wire. Do not edit.\n"
_PLAIN = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}
_REF = "#/$defs/"

Schema = dict[str, object]


def structs() -> list[type[msgspec.Struct]]:
    """List the structs of the wire's modules, and the reports that go over it as they are."""
    return [
        *usage.STATS_ANSWERS.values(),
        *_own_structs(),
    ]


def _own_structs() -> list[type[msgspec.Struct]]:
    return [
        value
        for module in MODULES
        for value in vars(module).values()
        if inspect.isclass(value)
        and issubclass(value, msgspec.Struct)
        and value.__module__ == module.__name__
    ]


def wire_types() -> str:
    """Give the text of wire.ts."""
    _, components = msgspec.json.schema_components(structs(), ref_template=_REF + "{name}")
    parts = [_declaration(name, components[name]) for name in sorted(components)]
    return _HEAD + "".join(f"\n{part}" for part in parts)


def _declaration(name: str, schema: Schema) -> str:
    about = "".join(f"/** {line} */\n" for line in _first_line(schema))
    if "properties" not in schema:
        return f"{about}export type {name} = {_type(schema)};\n"
    return f"{about}export interface {name} {{\n{''.join(_fields(schema))}}}\n"


def _first_line(schema: Schema) -> Iterator[str]:
    text = str(schema.get("description", "")).strip()
    if text:
        yield text.splitlines()[0]


def _fields(schema: Schema) -> Iterator[str]:
    properties = schema["properties"]
    assert isinstance(properties, dict)  # noqa: S101 - a schema of an object has them
    for field, value in properties.items():
        # Params may be left out; an answer always has all its fields.
        mark = "?" if schema.get("additionalProperties") is False else ""
        yield f"  {field}{mark}: {_type(value)};\n"


def _type(schema: object) -> str:
    match schema:
        case {"$ref": str(ref)}:
            return ref.removeprefix(_REF)
        case {"anyOf": [*options]}:
            return " | ".join(dict.fromkeys(_type(one) for one in options))
        case {"enum": [*values]}:
            return " | ".join(msgspec.json.encode(value).decode() for value in values)
        case {"type": "array"}:
            return _list(schema)
        case {"type": str(kind)} if kind in _PLAIN:
            return _PLAIN[kind]
        case {"type": "object", "additionalProperties": inner}:
            return f"Record<string, {_type(inner)}>"
        case _:
            raise ValueError(f"No TypeScript for {schema}")


def _list(schema: object) -> str:
    match schema:
        case {"prefixItems": [*items]}:
            return f"[{', '.join(_type(one) for one in items)}]"
        case {"items": dict(items)}:
            inner = _type(items)
            return f"({inner})[]" if " | " in inner else f"{inner}[]"
        case _:
            raise ValueError(f"No TypeScript for {schema}")


def main() -> int:
    """Write the types, or say whether those that are there are current."""
    text = wire_types()
    if "--check" in sys.argv[1:]:
        current = TARGET.is_file() and TARGET.read_text(encoding="utf-8") == text
        if not current:
            sys.stderr.write("frontend/src/wire.ts is not current: run scripts/wire_types.py\n")
        return 0 if current else 1
    TARGET.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
