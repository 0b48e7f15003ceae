"""Fields of any JSON value, for tools that have no view of their own."""

from collections.abc import Mapping

import msgspec

from bough.export.markup.escape import escaped


def fields_of(value: object, left_out: frozenset[str] = frozenset()) -> str:
    """Show an object field by field, anything else as it is; nothing where there is nothing."""
    if value is None or value == {}:
        return ""
    if not isinstance(value, Mapping):
        return f'<pre class="value" dir="auto">{escaped(shown(value))}</pre>'
    rows = [
        f'<dt>{escaped(str(name))}</dt><dd dir="auto">{escaped(shown(one))}</dd>'
        for name, one in value.items()
        if name not in left_out
    ]
    return f'<dl class="fields">{"".join(rows)}</dl>' if rows else ""


def shown(value: object) -> str:
    """Write a value: a text as it is, anything else as JSON."""
    if isinstance(value, str):
        return value
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
